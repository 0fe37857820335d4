import Actions
import Contract
import Testing
import Workouts

@Suite struct PackedTests {
    private func repetition(_ value: Double, _ error: Double = 0.123456) -> MeasuredRepetition {
        let readings = FormMeasurement.allCases.reduce(into: [:]) {
            $0[$1] = RepetitionMeasures.Reading(value, uncertainty: error)
        }
        return MeasuredRepetition(RepetitionMeasures(view: .side, readings: readings), by: [])
    }

    @Test func `every measurement survives being packed`() throws {
        let one = repetition(12.3456789)
        #expect(one.readings.count == FormMeasurement.allCases.count)
        #expect(MeasuredRepetition(packed: one.packed) == one, "a number stands for each measurement")
        #expect(one[.kneeFlexion]?.value == 12.3 && one[.seconds]?.value == 12.35 && one[.rhythm]?.value == 12.346)
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300])
    func `a reading that no body can give stays within a million`(value: Double) {
        let one = repetition(value, value)
        #expect(one.readings.values.allSatisfy { abs($0.value) <= 1e6 && abs($0.uncertainty) <= 1e6 })
        #expect(MeasuredRepetition(packed: one.packed) == one)
    }

    @Test func `the sums of a step survive being packed`() throws {
        var repetitions = (0..<9).map { repetition(80 + Double($0)) }
        for place in repetitions.indices {
            (repetitions[place].range, repetitions[place].whole) = (.kneeFlexion, 90)
            (repetitions[place].primary, repetitions[place].control) = (95, place == 3 ? nil : 80)
        }
        let sums = try #require(StepForm(repetitions, planned: 12))
        #expect(sums.rangeDrift != nil && StepForm(packed: sums.packed) == sums)
        let few = try #require(StepForm([repetition(1)]))
        #expect(few.range == nil && StepForm(packed: few.packed) == few)
    }

    @Test(arguments: [[], [1], [1, 2, 3, 4, 5], [-1, -1, -1, -1, 99, 1, 1], [.max, .min, 0, .max]])
    func `numbers that are no repetition do no harm`(packed: [Int]) {
        _ = MeasuredRepetition(packed: packed)
        #expect(StepForm(packed: packed) == nil)
    }
}
