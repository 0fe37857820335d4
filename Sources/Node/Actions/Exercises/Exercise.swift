import Poses

/// An exercise that the shipped model knows: its names, what counts as one, and what must be seen of a person.
///
/// ``all`` is the one list of them. A new exercise is an entry there and a motion of the generator with its label; then
/// the model is trained again (`make exercises`).
public struct Exercise: Sendable {
    /// How an exercise goes on.
    public enum Unit: String, Sendable, CaseIterable {
        /// A movement that is repeated, and counted.
        case repetitions
        /// A posture that is held, or an even movement without an end; it is timed.
        case seconds
    }

    /// The model's label: lower-case letters and underscores.
    public let label: String
    /// The name on screen.
    public let name: String
    /// What is done, with the bounds beyond which it is something else; a sentence.
    public let definition: String
    /// What a set of it is measured in.
    public let unit: Unit
    /// Whether its repetitions usually take less than a second. Then haste says nothing against a set.
    let isQuick: Bool
    /// The limb of which one side may work alone; `nil` where both sides always work.
    let limb: WorkingLimb?
    /// The joints besides the trunk that must be in view; of each group one, on either side.
    let needs: [[Joint]]

    init(
        _ label: String, _ name: String, _ unit: Unit = .repetitions, isQuick: Bool = false,
        limb: WorkingLimb? = nil, needs: [[Joint]], _ definition: String
    ) {
        (self.label, self.name, self.unit, self.isQuick) = (label, name, unit, isQuick)
        (self.limb, self.needs, self.definition) = (limb, needs, definition)
    }

    /// Whether its repetitions are told apart by the side that works.
    public var hasSides: Bool { limb != nil }

    /// The exercise with a label; `nil` for labels of other models.
    public static func named(_ label: String) -> Exercise? { byLabel[label] }

    private static let byLabel = Dictionary(uniqueKeysWithValues: all.map { ($0.label, $0) })
}
