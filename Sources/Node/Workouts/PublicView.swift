/// What public places may show of workouts. A public place is one that people see who need not know whose workout it is:
/// the screen on the wall, the role `viewer`, and what every client of the broker may read.
///
/// The rule: a public place never shows a name, only the nickname that was chosen for it. Of a private plan it shows
/// neither the name nor whether pain is asked for.
public enum PublicView {
    /// What stands in the place of a private plan's id.
    public static let planId = "private"
    /// What stands in the place of a private plan's name.
    public static let planName = "Private workout"
}

extension WorkoutPlan {
    /// Whether public places show nothing of the plan: what its key `private` says, or else whether it is a prescription.
    public var isPrivate: Bool {
        get { privateKey ?? (prescription != nil) }
        set { privateKey = newValue }
    }

    /// The name that public places and logs show.
    public var publicName: String { isPrivate ? PublicView.planName : name }
}

extension Workout.Phase {
    /// The phase of a private workout on public places: nobody sees that the pain is asked for.
    public var withoutPain: Workout.Phase { self == .asking ? .active : self }
}

extension Workout.EndReason {
    /// The reason on public places of a private workout: nobody sees that it was pain.
    public var withoutPain: Workout.EndReason { self == .pain ? .stopped : self }
}
