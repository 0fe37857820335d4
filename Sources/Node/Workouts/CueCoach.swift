import Actions

/// One sentence for a person who exercises.
public struct Cue: Sendable, Equatable, Codable {
    /// The most cues of a step that are kept.
    package static let maximumInStep = 500

    /// What it says.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// What is wrong, and what to do.
        case fault
        /// A fault that a cue named is mended.
        case praise
        /// A repetition does not count.
        case noRep = "no_rep"
        /// The repetitions have become slower, so that the step ends.
        case stop
    }

    /// What it says.
    public var kind: Kind
    /// The measurement that it is about.
    public var measure: FormMeasurement
    /// What was measured, in the unit of ``measure``.
    public var value: Double
    /// The standard error of ``value``.
    public var uncertainty: Double
    /// From where, or up to where, it is right.
    public var limit: Double
    /// The sentence.
    public var text: String
    /// The repetition of the step after which it is said, from 1; that of a no-rep counts those as well.
    public var repetition: Int
}

/// Chooses what to say after each repetition of a step: one fault at a time, seldom, and nothing when it is unsure.
public struct CueCoach: Sendable {
    /// The same cue is said again after this many repetitions at the earliest.
    static let pauseRepetitions = 3
    /// A value is wrong when it is beyond its limit by this many standard errors: 1 in 20 right ones would be.
    static let certainty = 1.65

    private let rules: [FormRule]
    /// Whether each repetition is to be of the other side than the one before.
    private let changesSides: Bool
    /// The side of the repetition before; `nil` where it is unknown.
    private var lastSide: BodySide?
    /// The repetition after which each fault was named last.
    private var named: [FormMeasurement: Int] = [:]
    /// The fault that was named last and is not mended.
    private var open: FormMeasurement?

    /// A coach for one step.
    ///
    /// - Parameters:
    ///   - rules: the rules in the order of their importance.
    ///   - changesSides: whether each repetition is to be of the other side than the one before.
    public init(_ rules: [FormRule], changesSides: Bool = false) {
        (self.rules, self.changesSides) = (rules, changesSides)
    }

    /// What to say after a repetition; `nil` for nothing.
    ///
    /// - Parameter repetition: the repetitions of the step so far.
    public mutating func cue(after repetition: Int, _ measures: RepetitionMeasures) -> Cue? {
        if let cue = sameSide(after: repetition, measures) { return cue }
        for rule in rules {
            guard let reading = measures[rule.measure], rule.unless.map({ measures[$0] == nil }) ?? true,
                rule.excess(reading.value) > Self.certainty * reading.uncertainty
            else { continue }
            let isBelow = rule.least.map { reading.value < $0 } ?? false
            guard let limit = isBelow ? rule.least : rule.most else { continue }
            let text = isBelow ? rule.cueBelow : rule.cueAbove
            guard !text.isEmpty else { continue }
            // The most important fault is the only one that is talked about until it is mended.
            if let last = named[rule.measure], repetition - last < Self.pauseRepetitions { return nil }
            named[rule.measure] = repetition
            open = rule.measure
            return cue(.fault, rule, reading, limit, text, repetition)
        }
        guard let rule = rules.first(where: { $0.measure == open }), let reading = measures[rule.measure],
            rule.excess(reading.value) == 0
        else { return nil }
        open = nil
        return rule.praise.isEmpty
            ? nil : cue(.praise, rule, reading, rule.least ?? rule.most ?? 0, rule.praise, repetition)
    }

    /// What to say where a side works twice in a row that should not; `nil` for nothing.
    private mutating func sameSide(after repetition: Int, _ measures: RepetitionMeasures) -> Cue? {
        let reading = measures[.workingSide], side = reading?.side
        defer { lastSide = side }
        guard changesSides, let reading, let side, side == lastSide,
            repetition - (named[.workingSide] ?? -Self.pauseRepetitions) >= Self.pauseRepetitions
        else { return nil }
        named[.workingSide] = repetition
        let kept = reading.rounded(for: .workingSide)
        return Cue(
            kind: .fault, measure: .workingSide, value: kept.value, uncertainty: kept.uncertainty, limit: 0,
            text: side == .left ? "Left again: change sides." : "Right again: change sides.", repetition: repetition)
    }

    private func cue(
        _ kind: Cue.Kind, _ rule: FormRule, _ reading: RepetitionMeasures.Reading, _ limit: Double, _ text: String,
        _ repetition: Int
    ) -> Cue {
        let text = text.replacing("{value}", with: rule.measure.text(reading.value))
            .replacing("{limit}", with: rule.measure.text(limit))
        let kept = reading.rounded(for: rule.measure)
        return Cue(
            kind: kind, measure: rule.measure, value: kept.value, uncertainty: kept.uncertainty, limit: limit,
            text: text, repetition: repetition)
    }
}
