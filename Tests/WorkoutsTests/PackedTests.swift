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

    @Test(arguments: RepetitionRuling.allCases)
    func `what a standard says of a repetition survives being packed`(ruling: RepetitionRuling) {
        var one = repetition(12)
        one.ruling = ruling
        #expect(MeasuredRepetition(packed: one.packed) == one)
        var bare = MeasuredRepetition(RepetitionMeasures(view: .side), by: [])
        bare.ruling = ruling
        #expect(MeasuredRepetition(packed: bare.packed) == bare)
    }

    @Test func `no-reps and speeds are part of the sums`() throws {
        var repetitions = (0..<6).map { _ in repetition(1) }
        for place in repetitions.indices { repetitions[place].ruling = place == 2 ? .noRep : .counts }
        let sums = try #require(StepForm(repetitions))
        #expect(sums.noReps == 1 && sums.unjudged == 0 && sums.speeds?.count == 6 && sums.speedLoss != nil)
        #expect(StepForm(packed: sums.packed) == sums)
        let long = try #require(StepForm((0..<500).map { _ in repetition(1) }))
        #expect(long.speeds?.count == 100 && StepForm(packed: long.packed) == long)
        // As earlier versions stored them.
        #expect(
            StepForm(packed: Array(sums.packed.prefix(19))) != nil && StepForm(packed: sums.packed.dropLast(9)) == nil)
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
