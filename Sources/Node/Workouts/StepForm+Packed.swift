import Actions
import Contract

/// The sums of a step as whole numbers, as the history stores them beside the measurements. A list of workouts reads them
/// alone.
///
/// First come the scores of the whole, the primary outcome and the control; -1 stands for none. Then come four numbers for
/// each of range, tempo and their changes: the measurement (-1 for none), and in thousandths the value and its
/// uncertainty, and the repetitions. Where a standard was judged or speeds are known, there follow the no-reps (-1 for no
/// standard), those that could not be judged, four numbers for the loss of speed, and the speeds in percent. Where sides are
/// known, there follow the repetitions of the left and of the right one, as numbers below zero: -1 for none, -2 for one.
extension StepForm {
    /// The sums as whole numbers.
    package var packed: [Int] {
        let sums = [range, tempo, rangeDrift, tempoDrift].reduce([whole ?? -1, primary ?? -1, control ?? -1]) {
            $0 + Self.packed($1)
        }
        guard noReps != nil || speeds != nil || leftReps != nil else { return sums }
        let sides = [leftReps, rightReps].compactMap { $0.map { -1 - $0 } }
        return sums + [noReps ?? -1, unjudged ?? 0] + Self.packed(speedLoss) + (speeds ?? []) + sides
    }

    private static func packed(_ value: Value?) -> [Int] {
        guard let value, let measure = FormMeasurement(rawValue: value.measure),
            let number = MeasuredRepetition.numbers[measure]
        else { return [-1, 0, 0, 0] }
        return [number, thousandths(value.value), thousandths(value.uncertainty), value.reps]
    }

    private static func thousandths(_ value: Double) -> Int {
        value.isNaN ? 0 : Int((1000 * min(max(value, -1e6), 1e6)).rounded())
    }

    /// Reads what ``packed`` made; `nil` for anything else.
    package init?(packed: [Int]) {
        guard packed.count == 19 || packed.count >= 25 else { return nil }
        func score(_ number: Int) -> Int? { (0...100).contains(number) ? number : nil }
        func value(_ place: Int) -> Value? {
            guard MeasuredRepetition.order.indices.contains(packed[place]) else { return nil }
            let measure = MeasuredRepetition.order[packed[place]]
            return Value(
                measure: measure.rawValue, value: Double(packed[place + 1]) / 1000,
                uncertainty: Double(packed[place + 2]) / 1000, unit: measure.unit.rawValue, reps: packed[place + 3])
        }
        self.init(
            range: value(3), tempo: value(7), rangeDrift: value(11), tempoDrift: value(15), whole: score(packed[0]),
            primary: score(packed[1]), control: score(packed[2]))
        guard packed.count >= 25 else { return }
        if packed[19] >= 0 { (noReps, unjudged) = (packed[19], packed[20]) }
        speedLoss = value(21)
        let speeds = packed[25...].prefix { $0 >= 0 }
        if !speeds.isEmpty { self.speeds = Array(speeds.prefix(Self.maximumSpeeds)) }
        let sides = packed[speeds.endIndex...].map { -1 - $0 }
        if sides.count == 2, sides.allSatisfy({ $0 >= 0 }) { (leftReps, rightReps) = (sides[0], sides[1]) }
    }
}
