extension SyntheticMotion {
    /// All motions of the generator, group by group. Each group lists its own.
    public static let catalogue: [MotionKind] = [
        Squats.kinds, Lunges.kinds, JumpingJacks.kinds, Burpees.kinds, PushUps.kinds, SitUps.kinds,
        ArmExercises.kinds, CoreExercises.kinds, Crawls.kinds, EverydayLife.kinds, FloorExercises.kinds,
        FloorWork.kinds, HingeExercises.kinds, Jumps.kinds, LegExercises.kinds, Machines.kinds,
        PullExercises.kinds, SideSteps.kinds, Sitting.kinds, Sports.kinds, Standing.kinds, Stretching.kinds,
        Walking.kinds, ComposedMotions.kinds,
    ].flatMap { $0 }
}
