import Actions
import Contract

/// The sums of a step as whole numbers, as the history stores them beside the measurements. A list of workouts reads them
/// alone.
///
/// First come the scores of the whole, the primary outcome and the control; -1 stands for none. Then come four numbers for
/// each of range, tempo and their changes: the measurement (-1 for none), and in thousandths the value and its
/// uncertainty, and the repetitions.
extension StepForm {
    /// The sums as whole numbers.
    package var packed: [Int] {
        [range, tempo, rangeDrift, tempoDrift].reduce([whole ?? -1, primary ?? -1, control ?? -1]) { numbers, value in
            guard let value, let measure = FormMeasurement(rawValue: value.measure),
                let number = MeasuredRepetition.numbers[measure]
            else { return numbers + [-1, 0, 0, 0] }
            return numbers + [number, Self.thousandths(value.value), Self.thousandths(value.uncertainty), value.reps]
        }
    }

    private static func thousandths(_ value: Double) -> Int {
        value.isNaN ? 0 : Int((1000 * min(max(value, -1e6), 1e6)).rounded())
    }

    /// Reads what ``packed`` made; `nil` for anything else.
    package init?(packed: [Int]) {
        guard packed.count == 19 else { return nil }
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
    }
}
