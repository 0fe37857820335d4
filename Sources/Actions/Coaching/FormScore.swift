/// How well a repetition or a set was done, 0…100: a coaching hint, never an assessment of safety.
///
/// Each part says how far something is from what is usual, or from what the coach has shown; a part whose joints were
/// not seen is left out rather than guessed.
public struct FormScore: Sendable, Equatable {
    /// What is looked at.
    public enum Part: String, Sendable, CaseIterable {
        case range = "range of motion"
        case symmetry = "left and right alike"
        case tempo
        case balance = "time out and back"
        case rhythm = "even rhythm"
        case bodyLine = "straight body line"
        case upright = "upright trunk"
        case kneeOverToes = "knee behind the toes"
        case handsAboveHead = "hands above the head"
        case feetDown = "feet on the floor"
        case standingTall = "standing up straight"
        case likeCoach = "like the coach"

        /// How much it counts among the others.
        var weight: Double {
            switch self {
            case .tempo, .balance, .rhythm: 1
            case .symmetry: 2
            default: 3
            }
        }
    }

    /// 0…100 for each part that could be judged.
    public let parts: [Part: Double]

    public init(parts: [Part: Double]) { self.parts = parts }

    /// - Parameter deviations: of each part, in what is allowed: up to 1 is right, 4 and more is all wrong.
    init(deviations: [Part: Double]) {
        parts = deviations.mapValues { 100 * min(max(1 - max(0, $0 - 1) / 3, 0), 1) }
    }

    /// The parts' weighted mean; `nil` if nothing could be judged.
    public var value: Int? {
        let weights = parts.keys.reduce(0) { $0 + $1.weight }
        guard weights > 0 else { return nil }
        return Int((parts.reduce(0) { $0 + $1.key.weight * $1.value } / weights).rounded())
    }

    /// The two parts to work on first, the worst one first; what is right is not among them.
    public var worst: [Part] {
        let rank = Dictionary(uniqueKeysWithValues: Part.allCases.enumerated().map { ($1, $0) })
        return parts.filter { $0.value < 99.5 }
            .sorted { ($0.value, rank[$0.key] ?? 0) < ($1.value, rank[$1.key] ?? 0) }
            .prefix(2).map(\.key)
    }

    /// The mean of each part over all scores that have it.
    public static func mean(_ scores: [FormScore]) -> FormScore {
        let all = Dictionary(grouping: scores.flatMap(\.parts), by: \.key)
        return FormScore(parts: all.mapValues { $0.reduce(0) { $0 + $1.value } / Double($0.count) })
    }
}
