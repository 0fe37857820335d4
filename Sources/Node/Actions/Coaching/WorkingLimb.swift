/// The limb of which one side may work alone in an exercise, and how its work shows.
///
/// ``SideEvidence`` measures it. `Models/figures/sides.py` measures how often the side is right.
enum WorkingLimb: Sendable {
    /// The leg in front, whose knee is the higher one at the lowest point: the other knee goes to the floor.
    case frontLeg
    /// The leg that steps up first. Its knee travels further, and its foot is on the box for longer.
    case steppingLeg
    /// An arm whose wrist comes up, while that of the other stays.
    case liftingArm
    /// An arm whose elbow comes up, while that of the other stays.
    case pullingArm
}
