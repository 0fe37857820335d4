/// How well a repetition or a set was done, 0…100. It is a coaching hint, not an assessment of safety.
///
/// Each part measures the deviation from the usual values, or from the coach's reference. A part whose joints were not
/// seen is left out.
public struct FormScore: Sendable, Equatable {
    /// An aspect of the form. The raw value is its name on screen.
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

        /// The weight of the part in ``FormScore/value``.
        var weight: Double {
            switch self {
            case .tempo, .balance, .rhythm: 1
            case .symmetry: 2
            default: 3
            }
        }
    }

    /// The score of each part that could be judged, 0…100.
    public let parts: [Part: Double]

    /// Creates a score from the scores of its parts.
    public init(parts: [Part: Double]) { self.parts = parts }

    /// Creates a score from deviations.
    ///
    /// - Parameter deviations: the deviation of each part in units of the allowed one. Up to 1 scores 100; 4 and more
    ///   score 0.
    init(deviations: [Part: Double]) {
        parts = deviations.mapValues { 100 * min(max(1 - max(0, $0 - 1) / 3, 0), 1) }
    }

    /// The weighted mean of the parts, 0…100; `nil` if nothing could be judged.
    public var value: Int? {
        let weights = parts.keys.reduce(0) { $0 + $1.weight }
        guard weights > 0 else { return nil }
        return Int((parts.reduce(0) { $0 + $1.key.weight * $1.value } / weights).rounded())
    }

    /// Up to two parts to improve, the worst one first. Parts with a full score are left out.
    public var worst: [Part] {
        let rank = Dictionary(uniqueKeysWithValues: Part.allCases.enumerated().map { ($1, $0) })
        return parts.filter { $0.value < 99.5 }
            .sorted { ($0.value, rank[$0.key] ?? 0) < ($1.value, rank[$1.key] ?? 0) }
            .prefix(2).map(\.key)
    }

    /// The mean of several scores: for each part, the mean over the scores that have it.
    public static func mean(_ scores: [FormScore]) -> FormScore {
        let all = Dictionary(grouping: scores.flatMap(\.parts), by: \.key)
        return FormScore(parts: all.mapValues { $0.reduce(0) { $0 + $1.value } / Double($0.count) })
    }
}
