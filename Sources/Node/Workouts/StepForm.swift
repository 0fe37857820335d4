import Actions
import Contract
import Foundation

/// What was measured and judged in one repetition of a step.
public struct MeasuredRepetition: Sendable, Equatable, Codable {
    /// The measurement that stands for the range of motion; `nil` when none could be made.
    public var range: FormMeasurement?
    /// What could be measured.
    public var readings: [FormMeasurement: RepetitionMeasures.Reading]
    /// The scores 0…100 of the whole, the primary outcome and the control; `nil` when too little was seen.
    public var whole, primary, control: Int?
    /// What the standard of its step says of it; `nil` without a standard.
    public var ruling: RepetitionRuling?

    /// Judges a repetition by the rules of its step.
    package init(_ measures: RepetitionMeasures, by rules: [FormRule]) {
        let score = FormScore(measures, by: rules)
        range = rules.first { $0.factor == .primary && measures[$0.measure] != nil }?.measure
        readings = measures.readings.reduce(into: [:]) { rounded, reading in
            rounded[reading.key] = reading.value.rounded(for: reading.key)
        }
        (whole, primary, control) = (score.value, score.value(of: .primary), score.value(of: .control))
    }

    /// A reading; `nil` without one.
    public subscript(measurement: FormMeasurement) -> RepetitionMeasures.Reading? { readings[measurement] }
}

extension StepForm {
    /// The fewest readings that show a change.
    private static let minimumForDrift = 5

    /// Sums up the repetitions of a step; `nil` without any.
    ///
    /// - Parameters:
    ///   - planned: the planned repetitions, whose share that was done counts for the primary score; `nil` for none.
    public init?(_ repetitions: [MeasuredRepetition], planned: Int? = nil) {
        guard !repetitions.isEmpty else { return nil }
        let ranges = Dictionary(grouping: repetitions.compactMap(\.range), by: \.self)
        let measure = ranges.max { ($0.value.count, $1.key.rawValue) < ($1.value.count, $0.key.rawValue) }?.key
        let control = Self.mean(repetitions.compactMap(\.control))
        let primary = Self.mean(repetitions.compactMap(\.primary)).map { score in
            let counted = repetitions.count { $0.ruling != .noRep }
            let done = planned.map { 100 * min(Double(counted) / Double($0), 1) }
            return Int((done.map { (Double(score) + $0) / 2 } ?? Double(score)).rounded())
        }
        self.init(
            range: measure.flatMap { Self.mean($0, repetitions) }, tempo: Self.mean(.seconds, repetitions),
            rangeDrift: measure.flatMap { Self.drift($0, repetitions) },
            tempoDrift: Self.drift(.seconds, repetitions), whole: Self.mean([primary, control].compactMap(\.self)),
            primary: primary, control: control)
        if repetitions.contains(where: { $0.ruling != nil }) {
            noReps = repetitions.count { $0.ruling == .noRep }
            unjudged = repetitions.count { $0.ruling == .unjudged }
        }
        if let sides = BodySide.counts(of: repetitions.map { $0[.workingSide]?.side }) {
            (leftReps, rightReps) = sides
        }
        guard let speeds = RepetitionSpeeds(repetitions) else { return }
        self.speeds = speeds.shares.prefix(Self.maximumSpeeds).map { Int((100 * $0.value).rounded()) }
        speedLoss = speeds.loss.map {
            Self.value(.speedLoss, $0.value, $0.uncertainty, RepetitionSpeeds.lastRepetitions)
        }
    }

    private static func mean(_ scores: [Int]) -> Int? {
        scores.isEmpty ? nil : Int((Double(scores.reduce(0, +)) / Double(scores.count)).rounded())
    }

    /// What all repetitions share, such as the view, errs alike in all of them. So more repetitions do not make it better.
    private static func mean(_ measure: FormMeasurement, _ repetitions: [MeasuredRepetition]) -> Value? {
        let found = repetitions.compactMap { $0[measure] }
        guard !found.isEmpty else { return nil }
        let count = Double(found.count)
        let mean = found.reduce(0) { $0 + $1.value } / count
        let variance = found.reduce(0) { $0 + ($1.value - mean) * ($1.value - mean) } / max(count - 1, 1)
        let shared = found.reduce(0) { $0 + $1.uncertainty } / count
        return value(measure, mean, (shared * shared + variance / count).squareRoot(), found.count)
    }

    /// The slope of a line through the readings, from the first to the last repetition.
    private static func drift(_ measure: FormMeasurement, _ repetitions: [MeasuredRepetition]) -> Value? {
        let found = repetitions.enumerated().compactMap { index, one in one[measure].map { (Double(index), $0.value) } }
        guard found.count >= minimumForDrift, let first = found.first?.0, let last = found.last?.0 else { return nil }
        let count = Double(found.count)
        let (x, y) = (found.reduce(0) { $0 + $1.0 } / count, found.reduce(0) { $0 + $1.1 } / count)
        let spread = found.reduce(0) { $0 + ($1.0 - x) * ($1.0 - x) }
        let slope = found.reduce(0) { $0 + ($1.0 - x) * ($1.1 - y) } / spread
        let rest = found.reduce(0) { sum, point in
            let error = point.1 - y - slope * (point.0 - x)
            return sum + error * error
        }
        let error = (rest / (count - 2) / spread).squareRoot()
        return value(measure, slope * (last - first), error * (last - first), found.count)
    }

    private static func value(_ measure: FormMeasurement, _ value: Double, _ error: Double, _ reps: Int) -> Value {
        func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
        return Value(
            measure: measure.rawValue, value: rounded(value), uncertainty: rounded(error), unit: measure.unit.rawValue,
            reps: reps)
    }
}
