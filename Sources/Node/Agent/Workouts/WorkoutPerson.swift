import Foundation
import Records
import Workouts

/// Who does a workout, as far as a person typed it.
struct WorkoutPerson {
    /// The name, which only the operator sees; `nil` for none.
    var name: String?
    /// What public places show in its place; `nil` for nothing.
    var nickname: String?

    /// Whether a text is the name or the nickname.
    func isCalled(_ text: String) -> Bool {
        [name, nickname].contains { $0.map { PersonName.areSame($0, text) } ?? false }
    }

    /// A workout of this person that begins now.
    func workout(_ plan: WorkoutPlan, camera: String, at time: Date) -> Workout {
        Workout(
            id: UUIDv7.string(at: time), plan: plan, camera: camera, name: name, nickname: nickname, start: time)
    }
}

extension WorkoutPerson {
    /// Who does this workout.
    init(of workout: Workout) { self.init(name: workout.name, nickname: workout.nickname) }

    /// What a person typed; what is no ``PersonName`` is left out.
    init(typed name: String?, _ nickname: String?) {
        self.init(
            name: name.flatMap(PersonName.init)?.text, nickname: nickname.flatMap(PersonName.init)?.text)
    }
}
