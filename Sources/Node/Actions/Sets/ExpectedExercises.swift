/// The exercises that workouts in front of one camera expect now.
public struct ExpectedExercises: Sendable, Equatable {
    /// The exercise of each person who does a workout, by track.
    public var ofPeople: [Int: String] = [:]
    /// The exercises of workouts that nobody does yet: everybody without one may begin them.
    public var ofAnybody: Set<String> = []

    /// Expects nothing.
    public init() {}

    /// Whether a person's exercise is expected.
    func contains(_ label: String, of track: Int) -> Bool {
        ofPeople[track].map { $0 == label } ?? ofAnybody.contains(label)
    }
}
