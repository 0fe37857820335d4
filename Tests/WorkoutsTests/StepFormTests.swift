import Actions
import Contract
import Foundation
import Testing
import Workouts

@Suite struct StepFormTests {
    private static let rules = [CueCoachTests.rule(.kneeFlexion, least: 90, cue: "Deeper.")]

    private func repetitions(_ bends: [Double?], seconds: Double = 2) -> [MeasuredRepetition] {
        bends.map { bend in
            var values: [FormMeasurement: Double] = [.seconds: seconds]
            values[.kneeFlexion] = bend
            return MeasuredRepetition(CueCoachTests.measures(values), by: Self.rules)
        }
    }

    @Test func `the mean has the error that all repetitions share`() throws {
        let form = try #require(StepForm(repetitions([100, 100, 100, 100])))
        let range = try #require(form.range)
        #expect(range.measure == "knee_flexion" && range.unit == "degrees" && range.reps == 4)
        #expect(range.value == 100 && range.uncertainty == 5)
        #expect(form.tempo?.value == 2 && form.rangeDrift == nil)
    }

    @Test func `a range that becomes smaller is a drift`() throws {
        let form = try #require(StepForm(repetitions([110, 105, 100, 95, 90])))
        let drift = try #require(form.rangeDrift)
        #expect(abs(drift.value + 20) < 1e-6 && drift.uncertainty < 1e-6 && drift.reps == 5)
    }

    @Test func `what is missing lowers the primary score, what was not seen does not`() throws {
        let half = try #require(StepForm(repetitions([100, 100, 100, 100, 100]), planned: 10))
        #expect(half.primary == 75 && half.control == nil && half.whole == 75)
        let unseen = try #require(StepForm(repetitions([nil, nil]), planned: 2))
        #expect(unseen.range == nil && unseen.primary == nil && unseen.whole == nil)
        #expect(StepForm([]) == nil)
    }

    @Test func `a body that the picture cuts has no score, whatever else could be measured`() throws {
        let rules = Self.rules + [CueCoachTests.rule(.seconds, least: 1, cue: "Slower.")]
        var measures = CueCoachTests.measures([.seconds: 2, .kneeFlexion: 100])
        #expect(MeasuredRepetition(measures, by: rules).whole == 100)
        measures.missing[.trunkLean] = .poorView
        let cut = MeasuredRepetition(measures, by: rules)
        #expect(cut.whole == nil && cut.primary == nil && cut.control == nil && cut[.seconds]?.value == 2)
        let form = try #require(StepForm([cut, cut], planned: 2))
        #expect(form.whole == nil && form.primary == nil && form.control == nil && form.tempo?.value == 2)
    }

    @Test func `targets take the place of the usual limits, and a plan switches rules on`() {
        var off = CueCoachTests.rule(.kneeOverToes, most: 0.4, cue: "Longer step.")
        off.isOn = false
        let rules = FormRules(Self.rules + [off])
        var step = WorkoutPlan.Step(action: "squat", repetitions: 8)
        #expect(step.rules(rules).map(\.measure) == [.kneeFlexion])
        (step.rangeLeast, step.rangeMost, step.secondsLeast) = (50, 70, 3)
        step.watch = [.kneeOverToes]
        let found = step.rules(rules)
        #expect(found.map(\.measure) == [.kneeFlexion, .seconds, .kneeOverToes])
        #expect(found[0].least == 50 && found[0].most == 70 && found[1].least == 3 && found[1].most == nil)
    }
}
