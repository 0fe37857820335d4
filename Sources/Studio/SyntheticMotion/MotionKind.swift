/// A motion that the generator can show, with its label.
public struct MotionKind: Sendable {
    /// The person's position before and after the motion.
    enum Stage: Sendable {
        case standing, prone, supine
        /// Nothing is added before or after the motion.
        case anywhere
    }

    /// Name of the motion; unique.
    public let name: String
    /// Label of its clips.
    public let label: String
    /// How often it is used among the motions of its label.
    let weight: Int
    let stage: Stage
    let isTravelling: Bool
    /// Whether most of the person is outside the picture.
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

    /// The labels of the shipped classifier: those of the catalogue, each where it first stands.
    public static let labels = SyntheticMotion.catalogue.map(\.label).reduce(into: [String]()) { labels, label in
        if !labels.contains(label) { labels.append(label) }
    }
}
