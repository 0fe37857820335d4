import Workouts

/// Which finished workouts wait for a recipient.
package struct ShareRule: Sendable, Equatable {
    /// The recipient's name.
    package let recipient: String
    /// The names whose workouts it gets; empty for everybody with a name.
    package let people: [String]

    /// A rule of these values.
    package init(recipient: String, people: [String]) { (self.recipient, self.people) = (recipient, people) }

    /// Whether the recipient gets a workout: it has ended, it has a name, and its plan is not private.
    func selects(_ workout: Workout) -> Bool {
        guard !workout.isOpen, !workout.plan.isPrivate, let name = workout.name else { return false }
        return people.isEmpty || people.contains { PersonName.areSame($0, name) }
    }
}
