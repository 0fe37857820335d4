import Actions
import Foundation

/// What was measured and judged in one repetition of a step.
public struct MeasuredRepetition: Sendable, Equatable, Codable {
    /// The measurement that stands for the range of motion; `nil` when none could be made.
    public var range: FormMeasurement?
    /// What could be measured.
    public var readings: [FormMeasurement: RepetitionMeasures.Reading]
    /// The scores 0…100 of the whole, the primary outcome and the control; `nil` when too little was seen.
    public var whole, primary, control: Int?

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

/// What was measured in the repetitions of a step.
public struct StepForm: Sendable, Equatable, Codable {
    /// A mean over the repetitions, or a change from the first to the last of them.
    public struct Value: Sendable, Equatable, Codable {
        /// The name of the measurement.
        public var measure: String
        /// The value in ``unit``.
        public var value: Double
        /// The standard error, in the same unit.
        public var uncertainty: Double
        /// The unit of both.
        public var unit: String
        /// The repetitions with a reading.
        public var reps: Int

        /// A value of these parts.
        public init(measure: String, value: Double, uncertainty: Double, unit: String, reps: Int) {
            self.measure = measure
            self.value = value
            self.uncertainty = uncertainty
            self.unit = unit
            self.reps = reps
        }
    }

    /// The range of motion; `nil` when it could not be measured.
    public var range: Value?
    /// The duration of a repetition; `nil` without repetitions.
    public var tempo: Value?
    /// How the range changed from the first to the last repetition; `nil` below five readings.
    public var rangeDrift: Value?
    /// How the duration changed from the first to the last repetition; `nil` below five repetitions.
    public var tempoDrift: Value?
    /// The score of the whole, 0…100; `nil` when too little was seen.
    public var whole: Int?
    /// The score of range and repetitions, 0…100; `nil` when the range could not be judged.
    public var primary: Int?
    /// The score of trunk, symmetry and tempo, 0…100; `nil` when none of them could be judged.
    public var control: Int?

    enum CodingKeys: String, CodingKey {
        case range, tempo, whole, primary, control
        case rangeDrift = "range_drift"
        case tempoDrift = "tempo_drift"
    }

    /// The fewest readings that show a change.
    private static let leastForDrift = 5

    /// Sums up the repetitions of a step; `nil` without any.
    ///
    /// - Parameters:
    ///   - planned: the planned repetitions, whose share that was done counts for the primary score; `nil` for none.
    public init?(_ repetitions: [MeasuredRepetition], planned: Int? = nil) {
        guard !repetitions.isEmpty else { return nil }
        let ranges = Dictionary(grouping: repetitions.compactMap(\.range), by: \.self)
        if let measure = ranges.max(by: { ($0.value.count, $1.key.rawValue) < ($1.value.count, $0.key.rawValue) })?.key
        {
            range = Self.mean(measure, repetitions)
            rangeDrift = Self.drift(measure, repetitions)
        }
        tempo = Self.mean(.seconds, repetitions)
        tempoDrift = Self.drift(.seconds, repetitions)
        control = Self.mean(repetitions.compactMap(\.control))
        primary = Self.mean(repetitions.compactMap(\.primary)).map { score in
            let done = planned.map { 100 * min(Double(repetitions.count) / Double($0), 1) }
            return Int((done.map { (Double(score) + $0) / 2 } ?? Double(score)).rounded())
        }
        let parts = [primary, control].compactMap(\.self)
        whole = Self.mean(parts)
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
        guard found.count >= leastForDrift, let first = found.first?.0, let last = found.last?.0 else { return nil }
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
