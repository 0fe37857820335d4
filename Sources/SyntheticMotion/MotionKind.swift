/// One thing people do, and how it is labelled.
public struct MotionKind: Sendable {
    /// Where somebody is before and after the motion.
    enum Stage: Sendable {
        case standing, prone, supine
        /// Nothing is put before or after it.
        case anywhere
    }

    public let name: String
    public let label: String
    /// How often it is shown among the motions of its label.
    let weight: Int
    let stage: Stage
    let isTravelling: Bool
    /// Mostly outside of the picture.
    let isCut: Bool
    let perform: @Sendable (inout Performer) -> PerformedMotion

    init(
        _ name: String, _ label: String, _ stage: Stage = .standing, weight: Int = 1, isTravelling: Bool = false,
        isCut: Bool = false, _ perform: @escaping @Sendable (inout Performer) -> PerformedMotion
    ) {
        self.name = name
        self.label = label
        self.weight = weight
        self.stage = stage
        self.isTravelling = isTravelling
        self.isCut = isCut
        self.perform = perform
    }

    /// The labels of the classifier that is shipped, in its order.
    public static let labels = [
        "jumping_jack", "squat", "lunge", "burpee", "push_up", "sit_up", "other", "none",
    ]
}
