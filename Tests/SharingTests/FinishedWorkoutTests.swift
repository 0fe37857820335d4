import History
import Sharing
import Testing
import Workouts

@Suite struct FinishedWorkoutTests {
    private func refusal(_ workout: Workout) -> String? {
        do {
            _ = try FinishedWorkout(WorkoutRow(workout))
            return nil
        } catch { return error.description }
    }

    @Test func `what is not finished, named and done is refused with what to do`() throws {
        #expect(try #require(refusal(Example.workout(isOpen: true))).contains("spotter workout stop"))
        #expect(try #require(refusal(Example.workout(name: nil))).contains("has no name"))
        #expect(try #require(refusal(Example.workout(isDone: false))).contains("nothing was recognised"))
        #expect(refusal(Example.workout()) == nil)
    }

    @Test func `only what was done is handed on, by the names of the exercises`() throws {
        let workout = try Example.finished()
        #expect(workout.steps.map(\.exercise) == ["Squat", "Plank", "Squat"])
        #expect(workout.steps.map(\.repetitions) == [12, 0, 10] && workout.repetitions == 22)
        #expect(workout.steps.map(\.loadKilograms) == [62.5, nil, nil])
        #expect(workout.steps.map(\.rpe) == [8.5, nil, nil])
        #expect(try FinishedWorkout(WorkoutRow(Example.workout())).steps[1].exercise == "Plank")
    }
}
