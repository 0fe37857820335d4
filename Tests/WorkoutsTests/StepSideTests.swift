import Actions
import Contract
import Foundation
import Testing
import Workouts

/// A plan's side is checked: repetitions of the other side do not count, and who is to change sides is told.
@Suite struct StepSideTests {
    private static func measures(_ side: Double, uncertainty: Double = 0.1) -> RepetitionMeasures {
        RepetitionMeasures(view: .front, readings: [.workingSide: .init(side, uncertainty: uncertainty)])
    }

    private func player(_ action: String, _ repetitions: Int?, _ side: WorkoutPlan.Side) -> Player {
        let step = WorkoutPlan.Step(
            action: action, repetitions: repetitions, seconds: repetitions == nil ? 20 : nil, side: side)
        return Player(WorkoutPlan(id: "test", name: "Test", steps: [step]))
    }

    @Test func `repetitions of the other side do not count, and it is said`() throws {
        var player = player("lunge", 4, .left)
        player.exercise("lunge", 2, measures: Self.measures(-1))
        player.exercise("lunge", 2, isNew: false, measures: Self.measures(1))
        #expect(player.workout.step.repetitions == 2 && player.workout.step.noReps == 2)
        let said = player.workout.step.cues.map(\.text)
        #expect(said == [String](repeating: "No rep: that was the right side.", count: 2))
        player.exercise("lunge", 2, isNew: false, measures: Self.measures(-1))
        #expect(player.workout.endReason == .completed)
        let form = try #require(player.workout.steps[0].summary)
        #expect(form.leftReps == 4 && form.rightReps == 2 && form.noReps == 2)
        let stored = try #require(StepForm(packed: form.packed))
        #expect(stored.leftReps == 4 && stored.rightReps == 2 && stored.noReps == 2)
    }

    @Test func `both sides, an unsure side and one that is not seen count`() {
        for measures in [Self.measures(0, uncertainty: 0.2), Self.measures(0.7, uncertainty: 0.7), nil] {
            var player = player("biceps_curl", 3, .left)
            player.exercise("biceps_curl", 3, measures: measures)
            #expect(player.workout.endReason == .completed && player.workout.steps[0].noReps == 0)
        }
    }

    @Test func `an exercise without sides, and one that is held, only show the side`() {
        #expect(WorkoutPlan.Step(action: "squat", repetitions: 2, side: .right).onlyShowsSide)
        #expect(WorkoutPlan.Step(action: "lunge", seconds: 20, side: .alternating).onlyShowsSide)
        #expect(!WorkoutPlan.Step(action: "lunge", repetitions: 2, side: .alternating).onlyShowsSide)
        #expect(!WorkoutPlan.Step(action: "squat", repetitions: 2).onlyShowsSide)
        var squats = player("squat", 2, .right)
        squats.exercise("squat", 2, measures: Self.measures(-1))
        #expect(squats.workout.endReason == .completed && squats.workout.steps[0].noReps == 0)
        var lunges = player("lunge", nil, .right)
        lunges.exercise("lunge", 3, measures: Self.measures(-1))
        #expect(lunges.workout.step.noReps == 0 && lunges.workout.step.seconds > 4)
    }

    @Test func `who is to change sides is told at the second repetition of the same side, and all count`() {
        var player = player("step_up", 6, .alternating)
        for side in [-1.0, 1, 1, 1, -1, 1] {
            player.exercise("step_up", 1, isNew: player.workout.step.start == nil, measures: Self.measures(side))
        }
        #expect(player.workout.endReason == .completed && player.workout.steps[0].noReps == 0)
        #expect(player.workout.steps[0].cues.map(\.text) == ["Right again: change sides."])
        #expect(player.workout.steps[0].summary?.leftReps == 2 && player.workout.steps[0].summary?.rightReps == 4)
    }

    @Test func `sums without sides are stored as before`() {
        let step = StepForm(
            range: nil, tempo: nil, rangeDrift: nil, tempoDrift: nil, whole: 80, primary: nil, control: nil)
        #expect(step.packed.count == 19 && StepForm(packed: step.packed)?.leftReps == nil)
    }
}
