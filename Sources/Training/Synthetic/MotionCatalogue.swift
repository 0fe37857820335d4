extension SyntheticMotion {
    /// Everything the generator can show, targets first.
    public static let catalogue: [MotionKind] = targets + others + idle

    private static let targets: [MotionKind] = [
        MotionKind("jumping_jack", "jumping_jack") { JumpingJacks.jack(&$0) },
        MotionKind("squat", "squat") { Squats.squat(&$0) },
        MotionKind("lunge", "lunge") { Lunges.lunge(&$0) },
        MotionKind("burpee", "burpee") { Burpees.burpee(&$0) },
        MotionKind("push_up", "push_up", .prone) { PushUps.pushUp(&$0) },
        MotionKind("sit_up", "sit_up", .supine) { SitUps.sitUp(&$0) },
    ]

    private static let others: [MotionKind] = [
        MotionKind("seal_jack", "other") { JumpingJacks.sealJack(&$0) },
        MotionKind("plank", "other", .prone) { PushUps.plankHold(&$0) },
        MotionKind("mountain_climber", "other", .prone) { PushUps.mountainClimber(&$0) },
    ]

    private static let idle: [MotionKind] = [
        MotionKind("idle", "none", .anywhere) { Standing.idle(&$0) },
        MotionKind("talk", "none", .anywhere) { Standing.talk(&$0) },
        MotionKind("starting_pose", "none", .anywhere) { Standing.startingPose(&$0) },
        MotionKind("walk", "none", .anywhere, isTravelling: true) { Walking.walk(&$0) },
        MotionKind("walk_and_stand", "none", .anywhere, isTravelling: true) { Walking.walkAndStand(&$0) },
        MotionKind("turn", "none", .anywhere) { Walking.turn(&$0) },
        MotionKind("kneel", "none", .anywhere) { FloorWork.kneel(&$0) },
        MotionKind("sit_on_floor", "none", .anywhere) { FloorWork.sitOnFloor(&$0) },
        MotionKind("cut_off", "none", .anywhere, isCut: true) { Standing.idle(&$0) },
    ]
}
