import Poses

/// Finds each person's sets, and counts their repetitions.
///
/// A set starts when the belief in an exercise is high, and is dated back to the first window that pointed to it. It ends
/// when the belief has been low for longer than a breather, when another exercise begins, when the person has left, or
/// together with an idle session. A set is reported once it is sure enough; see ``SetSureness``. It then contains all of
/// its repetitions, including the first. One of a single repetition is reported at its end, and one that a workout
/// expects from its first repetition on. At the end, repetitions at the
/// set's borders are added; see ``RepetitionNeighbours``.
public struct SetTracker {
    /// The model's labels and the thresholds of sets.
    public struct Settings: Sendable {
        /// The model's labels, in the order of the probabilities.
        public var labels: [String]
        /// The labels that form sets.
        public var exercises: Set<String>
        /// Those of ``exercises`` that are held: their sets have a length and no repetitions.
        public var held: Set<String> = []
        /// The direction for counting the repetitions of each label.
        public var bases: [String: CountingBasis]
        /// The coach's way of doing each exercise, by label, where it is known.
        public var references: [String: FormReference] = [:]
        /// What good form is.
        public var formRules = FormRules()
        /// Frames per second of the windows.
        public var rateHz: Double
        /// When a set begins and ends, and what counts as a repetition. A set also ends after the idle time of sessions
        /// without a window that is surely an exercise and without a repetition, so that no set outlives its session.
        public var rules = RecognitionRules()

        /// Creates settings with the usual rules.
        public init(
            labels: [String], exercises: Set<String>, bases: [String: CountingBasis] = [:], rateHz: Double = 30
        ) {
            self.labels = labels
            self.exercises = exercises
            self.bases = bases
            self.rateHz = rateHz
        }

        /// Creates the settings for a model.
        public init(_ model: ModelDescription) {
            self.init(
                labels: model.labels, exercises: Set(model.countedLabels), bases: model.counting ?? [:],
                rateHz: model.framesPerSecond)
            held = Set(model.heldLabels ?? [])
        }
    }

    /// A set ends after this many seconds without the person: as long as the tracker knows a hidden person.
    private static let graceSeconds = Tracker.Settings().graceSeconds

    /// The exercises that workouts in front of this camera expect now.
    package var expected = ExpectedExercises()
    private let settings: Settings
    private var people: [Int: PersonSetTracker] = [:]

    /// Starts without sets.
    public init(_ settings: Settings) { self.settings = settings }

    /// Adds the windows of one frame and their predictions. Calls must be in order of time.
    ///
    /// - Returns: the sets that are new or have changed. Each replaces the one with the same track and number.
    public mutating func update(_ windows: [PoseWindow], _ predictions: [Prediction], at time: Double) -> [ExerciseSet]
    {
        var sets: [ExerciseSet] = []
        for (window, prediction) in zip(windows, predictions) {
            guard let track = window.track else { continue }
            people[track, default: PersonSetTracker(track: track, settings)].expected = expected
            if let set = people[track]?.update(window, prediction) { sets.append(set) }
        }
        for (track, person) in people.sorted(by: { $0.key < $1.key })
        where time - person.lastSeen > Self.graceSeconds || isIdle(person, at: time) {
            if let set = people[track]?.finish() { sets.append(set) }
            // The number of sets is remembered as long as the track may return or has a session.
            if time - person.lastSeen > max(settings.rules.sets.forgetSeconds, settings.rules.sessions.idleSeconds) {
                people[track] = nil
            }
        }
        return sets
    }

    private func isIdle(_ person: PersonSetTracker, at time: Double) -> Bool {
        person.hasOpenSet && time - person.lastActive > settings.rules.sessions.idleSeconds
    }

    /// Ends all sets, because the source or the node stops.
    public mutating func close() -> [ExerciseSet] {
        var ended: [ExerciseSet] = []
        for track in people.keys.sorted() { if let set = people[track]?.close() { ended.append(set) } }
        return ended
    }

    /// Forgets everyone, because the source's times jumped back.
    mutating func startOver() { people = [:] }
}
