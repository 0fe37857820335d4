/// Finds the sets in what each person does, and counts their repetitions.
///
/// The label that is shown follows every window; a set wants to be sure. Probabilities are smoothed over about a
/// second, a set begins when one is high, is dated back to the first window that pointed to it, and ends when it is
/// low or the person is gone. It is told of once it is long enough and has two repetitions; then its repetitions are
/// all there, the first included.
///
/// An object, since it is asked once more when the chain has ended, however it ended.
public final class SetTracker {
    public struct Settings: Sendable {
        /// The model's labels, in the order of the probabilities.
        public var labels: [String]
        /// The labels that make sets.
        public var exercises: Set<String>
        public var bases: [String: CountingBasis]
        /// How the coach does each exercise, where that is known.
        public var references: [String: FormReference] = [:]
        public var rateHz: Double
        /// Share of the newest window in the smoothed probability.
        public var newest: Float = 0.35
        /// A set begins above the one and ends below the other.
        public var onset: Float = 0.7
        public var offset: Float = 0.4
        public var leastSeconds = 3.0
        public var leastRepetitions = 2

        public init(
            labels: [String], exercises: Set<String>, bases: [String: CountingBasis] = [:], rateHz: Double = 30
        ) {
            self.labels = labels
            self.exercises = exercises
            self.bases = bases
            self.rateHz = rateHz
        }

        /// What the sets of a model's labels are found with.
        public init(_ model: ModelDescription) {
            self.init(
                labels: model.labels, exercises: Set(model.countedLabels), bases: model.counting ?? [:],
                rateHz: model.framesPerSecond)
        }
    }

    /// Who was not seen for so long has ended their set.
    private static let graceSeconds = 1.0
    /// And who was not seen for so long will not come back under the same track.
    private static let forgetSeconds = 60.0

    private let settings: Settings
    private var people: [Int: PersonSetTracker] = [:]

    public init(_ settings: Settings) { self.settings = settings }

    /// Takes the windows of one moment with their predictions, in order of time.
    ///
    /// - Returns: sets that are new or have changed; each replaces the one of the same track and number.
    public func update(_ windows: [PoseWindow], _ predictions: [Prediction], at time: Double) -> [ExerciseSet] {
        var sets: [ExerciseSet] = []
        for (window, prediction) in zip(windows, predictions) {
            guard let track = window.track else { continue }
            if let set = people[track, default: PersonSetTracker(track: track, settings)].update(window, prediction) {
                sets.append(set)
            }
        }
        for (track, person) in people.sorted(by: { $0.key < $1.key })
        where time - person.lastSeen > Self.graceSeconds {
            if let set = people[track]?.finish() { sets.append(set) }
            // The number of sets is remembered as long as the track may come back.
            if time - person.lastSeen > Self.forgetSeconds { people[track] = nil }
        }
        return sets
    }

    /// Ends all sets, because the source or the node stops.
    public func close() -> [ExerciseSet] {
        people.keys.sorted().compactMap { people[$0]?.close() }
    }

    /// Ends all sets and forgets everybody, because the source's times begin again.
    func startOver() -> [ExerciseSet] {
        defer { people = [:] }
        return close()
    }
}
