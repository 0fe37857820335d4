import Actions
import Foundation
import Testing
import Workouts

/// The speed of repetitions, and the end of a step that has become slow.
@Suite struct RepetitionSpeedsTests {
    private static func measures(_ speed: Double, error: Double = 0.03) -> RepetitionMeasures {
        RepetitionMeasures(
            view: .side, readings: [.raisingSpeed: .init(speed, uncertainty: speed * error)])
    }

    private static func measured(_ speeds: [Double], error: Double = 0.03) -> [MeasuredRepetition] {
        speeds.map { MeasuredRepetition(measures($0, error: error), by: []) }
    }

    private static func step(_ repetitions: Int = 12, rest: Double = 0) -> WorkoutPlan.Step {
        var step = WorkoutPlan.Step(action: "squat", repetitions: repetitions, restSeconds: rest)
        step.stopAtSlower = 20
        return step
    }

    private func player(_ steps: WorkoutPlan.Step...) -> Player {
        Player(WorkoutPlan(id: "test", name: "Test", steps: steps))
    }

    @Test func `speeds are shares of the fastest of the first three`() throws {
        let speeds = try #require(RepetitionSpeeds(Self.measured([0.9, 1, 0.8, 1.2, 0.6])))
        #expect(speeds.shares.map { ($0.value * 100).rounded() } == [90, 100, 80, 120, 60])
        #expect(abs(speeds.shares[4].uncertainty - 0.018) < 1e-3)
        #expect(RepetitionSpeeds([]) == nil && RepetitionSpeeds(Self.measured([1, 1, 1]))?.loss == nil)
    }

    @Test func `the loss is that of the last two, with the error of both sides`() throws {
        let loss = try #require(RepetitionSpeeds(Self.measured([1, 1, 1, 0.9, 0.8, 0.7]))?.loss)
        #expect(abs(loss.value - 0.25) < 1e-3)
        // 0.75 · √(0.03² + 0.03² / 2)
        #expect(abs(loss.uncertainty - 0.0276) < 1e-3, "\(loss.uncertainty)")
    }

    @Test func `a step ends when its repetitions are slower, and says by how much`() throws {
        var player = player(Self.step(rest: 10), Self.step())
        let speeds = [1.0, 1.05, 1, 0.95, 0.9, 0.8, 0.7, 0.65, 0.6]
        for (place, speed) in speeds.enumerated() {
            player.exercise("squat", 1, isNew: place == 0, measures: Self.measures(speed))
        }
        player.wait(1, label: "squat")
        player.see()
        let step = player.workout.steps[0]
        let cue = try #require(step.cues.last)
        #expect(cue.kind == .stop && cue.measure == .speedLoss && cue.limit == 0.2)
        #expect(cue.text == "Stop: 29 ± 5 % slower.", "\(cue.text)")
        player.wait(4, label: "squat")
        #expect(player.workout.phase == .resting && player.workout.current == 1)
        let done = player.workout.steps[0]
        #expect(done.isComplete && done.isStopped && !done.isSkipped && done.repetitions < 12)
        #expect(player.workout.completedSteps == 1)
        #expect(done.summary?.speeds?.prefix(3) == [95, 100, 95])
        #expect(done.summary?.speedLoss?.measure == "speed_loss")
    }

    @Test func `a loss within the error ends nothing`() {
        // 22 % slower, but each speed errs by 8 %.
        var player = player(Self.step())
        for (place, speed) in [1.0, 1, 1, 0.78, 0.78, 0.78].enumerated() {
            player.exercise("squat", 1, isNew: place == 0, measures: Self.measures(speed, error: 0.08))
        }
        player.wait(5, label: "squat")
        #expect(!player.workout.step.isStopped && player.workout.isOpen)
    }

    @Test func `a step without the rule goes on at any speed`() {
        var player = player(WorkoutPlan.Step(action: "squat", repetitions: 12))
        for (place, speed) in [1.0, 1, 1, 0.5, 0.4, 0.3].enumerated() {
            player.exercise("squat", 1, isNew: place == 0, measures: Self.measures(speed))
        }
        player.wait(5, label: "squat")
        #expect(!player.workout.step.isStopped && player.workout.isOpen && player.workout.step.repetitions == 6)
    }

    @Test func `the speed of a repetition that goes on is not known`() {
        var player = player(Self.step())
        player.exercise("squat", 4, measures: Self.measures(1))
        #expect(player.workout.step.measured.count { $0[.raisingSpeed] != nil } == 3)
        player.wait(1, label: "squat")
        player.see()
        #expect(player.workout.step.measured.count { $0[.raisingSpeed] != nil } == 4)
    }

    @Test func `the words to stop are heard before the last step ends, also after a restart`() throws {
        var player = player(Self.step())
        for (place, speed) in [1.0, 1, 1, 0.6, 0.5].enumerated() {
            player.exercise("squat", 1, isNew: place == 0, measures: Self.measures(speed))
        }
        player.wait(1, label: "squat")
        player.see()
        #expect(player.workout.isOpen && player.workout.step.isStopped)
        let stored = try JSONDecoder().decode(Workout.self, from: JSONEncoder().encode(player.workout))
        player.wait(4, label: "squat")
        #expect(player.workout.endReason == .completed)
        var later = Player(stored, rules: FormRules(), at: 60)
        #expect(later.workout.isOpen)
        later.wait(4, track: nil)
        #expect(later.workout.endReason == .completed && later.workout.completedSteps == 1)
    }
}
