import Actions

/// How much of people's exercise stands in the right session.
///
/// A moment of exercise counts where enough of the person can be seen, as for tracking: what happens behind a rack is nobody's
/// mistake. A person who does nothing for longer than a session waits begins a new one, also in the truth. A moment of an exercise is
/// right when a set of the same exercise covers it, lies in the session that holds most of this true session, and has as many repetitions as the person did in its time, or one more or less. A moment of a
/// set is foreign when it is another person's than most of its session.
public struct RightMinutes: Sendable, Equatable, Codable {
    /// A set as it was reported.
    public struct ReportedSet: Sendable, Equatable {
        /// The track on which it was seen.
        public var track: Int
        /// The exercise.
        public var label: String
        /// When it began, seconds since the beginning.
        public var start: Double
        /// When it ended, seconds since the beginning.
        public var end: Double
        /// Its repetitions; `nil` for an exercise that is held.
        public var reps: Int?

        /// Creates a set from its parts.
        public init(track: Int, label: String, start: Double, end: Double, reps: Int?) {
            (self.track, self.label, self.start, self.end, self.reps) = (track, label, start, end, reps)
        }
    }

    /// Who was on which track in a picture.
    struct Owners {
        let time: Double
        let people: [Int: Int]

        /// The same with the numbers that people have after they were known again.
        func numbered(by links: [PersonLink]) -> Owners {
            let numbered = people.map { track, person in
                (links.reduce(track) { $1.from == $0 ? $1.to : $0 }, person)
            }
            return Owners(time: time, people: Dictionary(numbered) { first, _ in first })
        }
    }

    /// A set may begin so much after its first repetition, or end before its last, seconds.
    private static let edgeSeconds = 0.5

    /// Seconds of exercise, summed over the people; those of them with a right set in any session; and in the right one.
    public var exerciseSeconds = 0.0, recognisedSeconds = 0.0, rightSeconds = 0.0
    /// Seconds of exercise in which too little of the person could be seen. They are in none of the others.
    public var hiddenSeconds = 0.0
    /// Seconds of sets whose person is known; those of them that are another person's than the session.
    public var reportedSeconds = 0.0, foreignSeconds = 0.0
    /// People who exercised and have a session, and how many sessions they have a part in.
    public var people = 0, sessions = 0

    /// Nothing counted.
    public init() {}

    /// Compares the sessions of a recording with what people did.
    ///
    /// - Parameters:
    ///   - reported: the sets of each session.
    ///   - truth: what people did, and the pictures in which time is counted.
    ///   - owners: who was on which track, picture by picture, in order of time.
    ///   - idleSeconds: how long a session waits.
    ///   - minimumVisible: the share of a body that must be visible for the moment to count, 0…1.
    init(
        _ reported: [[ReportedSet]], truth: IdentityStream, owners: [Owners], idleSeconds: Double,
        minimumVisible: Double
    ) {
        let sets = reported.enumerated().flatMap { session, sets in
            sets.map { Claim($0, session: session, owners: owners) }
        }
        let interval = truth.intervalSeconds
        let spans = TrueSession.all(truth.exercises, idleSeconds: idleSeconds)
        /// Seconds of each person, and of each true session, in each reported session.
        var ofPeople: [Int: [Int: Double]] = [:]
        var ofSpans: [Int: [Int: Double]] = [:]
        for claim in sets {
            for picture in truth.pictures where claim.covers(picture.time, edge: 0) {
                guard let person = claim.owner(at: picture.time) else { continue }
                ofPeople[claim.session, default: [:]][person, default: 0] += interval
                let span = spans.indices.filter { spans[$0].person == person }
                    .min { spans[$0].distance(to: picture.time) < spans[$1].distance(to: picture.time) }
                if let span { ofSpans[span, default: [:]][claim.session, default: 0] += interval }
            }
        }
        for share in ofPeople.sorted(by: { $0.key < $1.key }).map(\.value) {
            let seconds = share.values.reduce(0, +)
            reportedSeconds += seconds
            foreignSeconds += seconds - (share.values.max() ?? 0)
        }
        for (index, span) in spans.enumerated() {
            let held = ofSpans[index] ?? [:]
            people += held.isEmpty ? 0 : 1
            sessions += held.count
            // The first of two equal ones, so that the figure is the same each time.
            let main = held.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
            let claims = sets.filter { $0.isCounted(by: span.exercises, edge: Self.edgeSeconds) }
            for exercise in span.exercises {
                for picture in truth.pictures where picture.time >= exercise.start && picture.time < exercise.end {
                    let share = picture.people.first { $0.identity == span.person }?.visibleShare ?? 0
                    guard share >= minimumVisible else {
                        hiddenSeconds += interval
                        continue
                    }
                    exerciseSeconds += interval
                    let covering = claims.filter {
                        $0.set.label == exercise.label && $0.covers(picture.time, edge: Self.edgeSeconds)
                            && $0.owner(at: picture.time) == span.person
                    }
                    recognisedSeconds += covering.isEmpty ? 0 : interval
                    rightSeconds += covering.contains { $0.session == main } ? interval : 0
                }
            }
        }
    }

    /// The share of the exercise that stands in the right session, 0…1; `nil` without any.
    public var right: Double? { exerciseSeconds > 0 ? rightSeconds / exerciseSeconds : nil }
    /// The share of the exercise that has a right set of this person in any session, 0…1; `nil` without any exercise. What is
    /// missing from 1 is not a matter of sessions.
    public var recognised: Double? { exerciseSeconds > 0 ? recognisedSeconds / exerciseSeconds : nil }
    /// The share of what is reported that is another person's than its session, 0…1; `nil` without any.
    public var foreign: Double? { reportedSeconds > 0 ? foreignSeconds / reportedSeconds : nil }
    /// In how many sessions a person has a part; 1 is perfect. `nil` without any.
    public var sessionsPerPerson: Double? { people > 0 ? Double(sessions) / Double(people) : nil }

    /// The seconds of two recordings together.
    public static func + (one: Self, other: Self) -> Self {
        var sum = one
        sum.exerciseSeconds += other.exerciseSeconds
        sum.hiddenSeconds += other.hiddenSeconds
        sum.recognisedSeconds += other.recognisedSeconds
        sum.rightSeconds += other.rightSeconds
        sum.reportedSeconds += other.reportedSeconds
        sum.foreignSeconds += other.foreignSeconds
        sum.people += other.people
        sum.sessions += other.sessions
        return sum
    }

    enum CodingKeys: String, CodingKey {
        case people, sessions
        case exerciseSeconds = "exercise_seconds"
        case hiddenSeconds = "hidden_seconds"
        case recognisedSeconds = "recognised_seconds"
        case rightSeconds = "right_seconds"
        case reportedSeconds = "reported_seconds"
        case foreignSeconds = "foreign_seconds"
    }
}

/// What one person did without a pause in which a session would end.
private struct TrueSession {
    let person: Int
    private(set) var exercises: [IdentityStream.Exercise]

    /// All of them, in the order of people and time.
    static func all(_ exercises: [IdentityStream.Exercise], idleSeconds: Double) -> [TrueSession] {
        var all: [TrueSession] = []
        for exercise in exercises.sorted(by: { ($0.identity, $0.start) < ($1.identity, $1.start) }) {
            if let last = all.last, last.person == exercise.identity,
                exercise.start - (last.exercises.map(\.end).max() ?? 0) <= idleSeconds
            {
                all[all.count - 1].exercises.append(exercise)
            } else {
                all.append(TrueSession(person: exercise.identity, exercises: [exercise]))
            }
        }
        return all
    }

    /// Seconds from a moment to the span of the exercises; 0 within it.
    func distance(to time: Double) -> Double {
        max(0, (exercises.first?.start ?? time) - time, time - (exercises.map(\.end).max() ?? time))
    }
}

/// A reported set, and whose it was.
private struct Claim {
    let set: RightMinutes.ReportedSet
    let session: Int
    /// The person on the set's track, in order of time; only pictures with one.
    private let seen: [(time: Double, person: Int)]

    init(_ set: RightMinutes.ReportedSet, session: Int, owners: [RightMinutes.Owners]) {
        (self.set, self.session) = (set, session)
        seen = owners.compactMap { picture in
            guard picture.time >= set.start - 1, picture.time <= set.end + 1 else { return nil }
            return picture.people[set.track].map { (picture.time, $0) }
        }
    }

    func covers(_ time: Double, edge: Double) -> Bool { time >= set.start - edge && time <= set.end + edge }

    /// Whose set it is at a moment: the person on its track then, or at the nearest moment where there is one.
    func owner(at time: Double) -> Int? { seen.min { abs($0.time - time) < abs($1.time - time) }?.person }

    /// Whether its repetitions are those that a person did in its time, give or take one.
    ///
    /// - Parameter exercises: what this person did.
    func isCounted(by exercises: [IdentityStream.Exercise], edge: Double) -> Bool {
        // Labels by hand have no repetitions.
        guard let reps = set.reps, exercises.contains(where: { !$0.repetitions.isEmpty }) else { return true }
        let done = exercises.filter { $0.label == set.label }.flatMap(\.repetitions).count {
            covers(($0.lowerBound + $0.upperBound) / 2, edge: edge)
        }
        return abs(done - reps) <= 1
    }
}
