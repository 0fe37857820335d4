/// How well a repetition or a set was done, 0…100. It is for coaching, no assessment of safety.
///
/// Each part compares one measurement with its ``FormRule``. A part without a reading is left out. The confidence of the
/// classifier is no part: it says how sure the label is, not how well the exercise is done.
public struct FormScore: Sendable, Equatable {
    /// One measurement that was judged.
    public struct Part: Sendable, Equatable {
        /// From 0 to 100.
        public var score: Double
        /// The weight within ``factor``.
        public var weight: Double
        /// The part of the score.
        public var factor: FormRule.Factor

        /// A part of these values.
        public init(score: Double, weight: Double = 1, factor: FormRule.Factor = .control) {
            self.score = score
            self.weight = weight
            self.factor = factor
        }
    }

    /// The parts that could be judged.
    public let parts: [FormMeasurement: Part]

    /// Creates a score from its parts.
    public init(parts: [FormMeasurement: Part]) { self.parts = parts }

    /// Judges measures by rules. A deviation of up to 1 scores 100; 4 and more score 0. Where the edge of the picture cuts
    /// the body nothing is judged: a score of what is left would praise what nobody saw.
    package init(_ measures: RepetitionMeasures, by rules: [FormRule]) {
        var parts: [FormMeasurement: Part] = [:]
        for rule in measures.isPoorView ? [] : rules where parts[rule.measure] == nil && !rule.isOnlyMeasured {
            guard let reading = measures[rule.measure], rule.unless.map({ measures[$0] == nil }) ?? true else {
                continue
            }
            let score = 100 * min(max(1 - max(0, rule.deviation(reading.value) - 1) / 3, 0), 1)
            parts[rule.measure] = Part(score: score, weight: rule.weight, factor: rule.factor)
        }
        self.parts = parts
    }

    /// The weighted mean of the parts of one factor, 0…100; `nil` if nothing of it could be judged.
    public func value(of factor: FormRule.Factor) -> Int? { Self.mean(parts.values.filter { $0.factor == factor }) }

    /// The weighted mean of all parts, 0…100; `nil` if nothing could be judged.
    public var value: Int? { Self.mean(Array(parts.values)) }

    private static func mean(_ parts: [Part]) -> Int? {
        let weights = parts.reduce(0) { $0 + $1.weight }
        guard weights > 0 else { return nil }
        return Int((parts.reduce(0) { $0 + $1.weight * $1.score } / weights).rounded())
    }

    /// Up to two parts to improve, the worst one first. Parts with a full score are left out.
    public var worst: [FormMeasurement] {
        let rank = Dictionary(uniqueKeysWithValues: FormMeasurement.allCases.enumerated().map { ($1, $0) })
        return parts.filter { $0.value.score < 99.5 }
            .sorted { ($0.value.score, rank[$0.key] ?? 0) < ($1.value.score, rank[$1.key] ?? 0) }
            .prefix(2).map(\.key)
    }

    /// The mean of several scores: for each part, the mean over the scores that have it.
    public static func mean(_ scores: [FormScore]) -> FormScore {
        let all = Dictionary(grouping: scores.flatMap(\.parts), by: \.key)
        return FormScore(
            parts: all.compactMapValues { values in
                guard var part = values.first?.value else { return nil }
                part.score = values.reduce(0) { $0 + $1.value.score } / Double(values.count)
                return part
            })
    }
}
