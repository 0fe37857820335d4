import Actions
import Contract
import Foundation
import Testing
import Workouts

/// Which repetitions count by a standard, and what is said of the others.
@Suite struct RepetitionStandardTests {
    private static let rules = FormRules([
        CueCoachTests.rule(.kneeFlexion, least: 90, cue: "Bent to {value}: go down to {limit}."), lockOut,
    ])
    private static var lockOut: FormRule {
        var rule = CueCoachTests.rule(.kneeLockOut, most: 25, cue: "")
        (rule.isOn, rule.factor) = (false, .control)
        return rule
    }

    private static func strict(_ repetitions: Int = 5, rest: Double = 0, lockOut: Double? = nil) -> WorkoutPlan.Step {
        var step = WorkoutPlan.Step(action: "squat", repetitions: repetitions, restSeconds: rest)
        (step.standard, step.lockOut) = (.strict, lockOut)
        return step
    }

    /// A squat to a bend of the knee, with straight knees at its end.
    private static func squat(_ bend: Double?, end: Double? = 5) -> RepetitionMeasures {
        var values: [FormMeasurement: Double] = [:]
        (values[.kneeFlexion], values[.kneeLockOut]) = (bend, end)
        return CueCoachTests.measures(values, uncertainty: 6)
    }

    private func player(_ steps: WorkoutPlan.Step...) -> Player {
        Player(WorkoutPlan(id: "test", name: "Test", steps: steps), rules: Self.rules)
    }

    @Test func `a repetition that misses the range is a no-rep: it does not count, and the number is said`() throws {
        var player = player(Self.strict())
        player.exercise("squat", 2, measures: Self.squat(95))
        player.exercise("squat", 1, isNew: false, measures: Self.squat(78))
        player.wait(1, label: "squat")
        player.see()
        let step = player.workout.step
        #expect(step.repetitions == 2 && step.noReps == 1 && step.unjudged == 0)
        let cue = try #require(step.cues.last)
        #expect(cue.kind == .noRep && cue.text == "No rep: knee bend 78°, needs 90 ± 10°.")
        #expect(cue.value == 78 && cue.uncertainty == 6 && cue.limit == 90 && cue.repetition == 3)
        #expect(player.kinds.contains(.noRep(step: 0, count: 1, cue)))
        #expect(!player.kinds.contains { if case .cue = $0 { true } else { false } }, "a no-rep says it already")
        player.exercise("squat", 3, isNew: false, measures: Self.squat(95))
        player.wait(1, label: "squat")
        player.see()
        #expect(player.workout.endReason == .completed && player.workout.steps[0].repetitions == 5)
        let form = try #require(player.workout.steps[0].summary)
        #expect(form.noReps == 1 && form.unjudged == 0 && form.range?.reps == 6)
    }

    @Test func `within what the measurement may err a repetition counts`() {
        for (bend, counts) in [(90.0, true), (84, true), (80.2, true), (80, false), (70, false)] {
            let verdict = RepetitionJudge(Self.strict().standardRules(Self.rules)).verdict(Self.squat(bend))
            #expect((verdict.ruling == .counts) == counts, "\(bend)°")
        }
    }

    @Test func `knees that stay bent at the end are a no-rep, by the limit of the plan`() throws {
        let usual = RepetitionJudge(Self.strict().standardRules(Self.rules))
        #expect(usual.waitsForEnd)
        #expect(usual.verdict(Self.squat(95, end: 34)).ruling == .counts)
        let bent = usual.verdict(Self.squat(95, end: 41))
        #expect(bent.ruling == .noRep && bent.fault?.text == "No rep: knee at the end 41°, needs 25 ± 10° or less.")
        let own = RepetitionJudge(Self.strict(lockOut: 10).standardRules(Self.rules))
        #expect(own.verdict(Self.squat(95, end: 34)).ruling == .noRep)
    }

    @Test func `what cannot be judged from this side counts, and the summary says how many`() throws {
        var player = player(Self.strict(4))
        player.exercise("squat", 2, measures: Self.squat(nil))
        player.exercise("squat", 1, isNew: false)
        player.exercise("squat", 1, isNew: false, measures: Self.squat(95))
        player.wait(1, label: "squat")
        player.see()
        #expect(player.workout.endReason == .completed)
        let step = player.workout.steps[0]
        #expect(step.repetitions == 4 && step.unjudged == 3 && step.noReps == 0)
        #expect(step.summary?.unjudged == 3)
        let foreshortened = RepetitionJudge(Self.strict().standardRules(Self.rules)).verdict(Self.squat(nil, end: 60))
        #expect(foreshortened.ruling == .noRep, "the knee at the end was seen")
    }

    @Test func `an exercise without rules of its own cannot be judged, and the summary says so`() {
        var step = WorkoutPlan.Step(action: "lunge", repetitions: 3)
        step.standard = .strict
        var player = player(step)
        player.exercise("lunge", 3, measures: Self.squat(10))
        #expect(player.workout.endReason == .completed && player.workout.steps[0].unjudged == 3)
    }

    @Test func `a repetition is judged at its end, and not before`() {
        var player = player(Self.strict())
        player.exercise("squat", 2, measures: Self.squat(95))
        #expect(player.workout.step.repetitions == 1, "the motion of the second one may go on")
        player.wait(1, label: "squat")
        player.see()
        #expect(player.workout.step.repetitions == 2)
    }

    @Test func `a challenge counts only what meets the standard`() {
        var step = WorkoutPlan.Step(action: "squat")
        step.standard = .strict
        var player = Player(
            WorkoutPlan(id: "test", name: "Test", challengeSeconds: 30, steps: [step]), rules: Self.rules)
        player.exercise("squat", 3, measures: Self.squat(95))
        player.exercise("squat", 3, isNew: false, measures: Self.squat(60))
        player.exercise("squat", 2, isNew: false, measures: Self.squat(95))
        player.wait(1)
        player.see()
        player.wait(20)
        #expect(player.workout.endReason == .completed)
        #expect(player.workout.repetitions == 5 && player.workout.steps[0].noReps == 3)
        let told = player.kinds.compactMap { if case .noRep(_, let count, _) = $0 { count } else { nil } }
        #expect(told == [1, 2, 3])
    }

    @Test func `without a standard everything counts, and nothing is judged`() {
        var player = player(WorkoutPlan.Step(action: "squat", repetitions: 3))
        player.exercise("squat", 3, measures: Self.squat(60))
        #expect(player.workout.endReason == .completed && player.workout.steps[0].noReps == 0)
        #expect(player.workout.steps[0].summary?.noReps == nil)
        #expect(player.workout.steps[0].measured.allSatisfy { $0.ruling == nil })
    }

    @Test
    func `the range of the plan is the standard, and a range that is only limited above is no reason for a no-rep`() {
        var step = Self.strict()
        (step.rangeLeast, step.rangeMost) = (60, 80)
        let judge = RepetitionJudge(step.standardRules(Self.rules))
        #expect(judge.verdict(Self.squat(62)).ruling == .counts && judge.verdict(Self.squat(110)).ruling == .counts)
        #expect(judge.verdict(Self.squat(45)).ruling == .noRep)
    }

    @Test func `a workout that was stored goes on with its no-reps`() throws {
        var player = player(Self.strict(), WorkoutPlan.Step(action: "lunge", repetitions: 3))
        player.exercise("squat", 3, measures: Self.squat(60))
        player.wait(1, label: "squat")
        player.see()
        let stored = try JSONDecoder().decode(Workout.self, from: JSONEncoder().encode(player.workout))
        var later = Player(stored, rules: Self.rules, at: 60)
        #expect(later.workout.step.noReps == 3)
        later.exercise("squat", 3, measures: Self.squat(60))
        later.wait(1, label: "squat")
        later.see()
        #expect(later.workout.step.noReps == 6 && later.workout.step.repetitions == 0)
        let told = later.kinds.compactMap { if case .noRep(_, let count, _) = $0 { count } else { nil } }
        #expect(told == [4, 5, 6])
    }
}
