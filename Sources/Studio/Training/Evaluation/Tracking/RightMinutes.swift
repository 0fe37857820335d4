/// How much of people's exercise stands in the right session.
///
/// A moment of an exercise is right when a set of the same exercise covers it, lies in the session that holds most of
/// this person's exercise, and has as many repetitions as the person did in its time, or one more or less. A moment of a
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
    }

    /// A set may begin so much after its first repetition, or end before its last, seconds.
    private static let edgeSeconds = 0.5

    /// Seconds of exercise, summed over the people; those of them that stand in the right session.
    public var exerciseSeconds = 0.0, rightSeconds = 0.0
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
    init(_ reported: [[ReportedSet]], truth: IdentityStream, owners: [Owners]) {
        let sets = reported.enumerated().flatMap { session, sets in
            sets.map { Claim($0, session: session, owners: owners) }
        }
        let interval = truth.intervalSeconds
        /// Seconds of each person in each session.
        var shares: [Int: [Int: Double]] = [:]
        for claim in sets {
            for picture in truth.pictures where claim.covers(picture.time, edge: 0) {
                guard let person = claim.owner(at: picture.time) else { continue }
                shares[claim.session, default: [:]][person, default: 0] += interval
            }
        }
        for share in shares.sorted(by: { $0.key < $1.key }).map(\.value) {
            let seconds = share.values.reduce(0, +)
            reportedSeconds += seconds
            foreignSeconds += seconds - (share.values.max() ?? 0)
        }
        for (person, own) in Dictionary(grouping: truth.exercises, by: \.identity).sorted(by: { $0.key < $1.key }) {
            let held = shares.compactMapValues { $0[person] }
            people += held.isEmpty ? 0 : 1
            sessions += held.count
            // The first of two equal ones, so that the figure is the same each time.
            let main = held.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
            let claims = sets.filter { $0.session == main && $0.isCounted(by: own, edge: Self.edgeSeconds) }
            for exercise in own {
                for picture in truth.pictures where picture.time >= exercise.start && picture.time < exercise.end {
                    exerciseSeconds += interval
                    let isRight = claims.contains {
                        $0.set.label == exercise.label && $0.covers(picture.time, edge: Self.edgeSeconds)
                            && $0.owner(at: picture.time) == person
                    }
                    rightSeconds += isRight ? interval : 0
                }
            }
        }
    }

    /// The share of the exercise that stands in the right session, 0…1; `nil` without any.
    public var right: Double? { exerciseSeconds > 0 ? rightSeconds / exerciseSeconds : nil }
    /// The share of what is reported that is another person's than its session, 0…1; `nil` without any.
    public var foreign: Double? { reportedSeconds > 0 ? foreignSeconds / reportedSeconds : nil }
    /// In how many sessions a person has a part; 1 is perfect. `nil` without any.
    public var sessionsPerPerson: Double? { people > 0 ? Double(sessions) / Double(people) : nil }

    /// The seconds of two recordings together.
    public static func + (one: Self, other: Self) -> Self {
        var sum = one
        sum.exerciseSeconds += other.exerciseSeconds
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
        case rightSeconds = "right_seconds"
        case reportedSeconds = "reported_seconds"
        case foreignSeconds = "foreign_seconds"
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
        guard let reps = set.reps else { return true }
        let done = exercises.filter { $0.label == set.label }.flatMap(\.repetitions).count {
            covers(($0.lowerBound + $0.upperBound) / 2, edge: edge)
        }
        return abs(done - reps) <= 1
    }
}
