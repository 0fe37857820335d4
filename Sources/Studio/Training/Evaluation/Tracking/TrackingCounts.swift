/// What was counted while tracks were compared with the truth. Counts of several clips can be added.
public struct TrackingCounts: Sendable, Equatable, Codable {
    /// Minutes of recording.
    public var minutes = 0.0
    /// Minutes of people that count, summed over the people.
    public var personMinutes = 0.0
    /// People in pictures that count: every person in each picture in which enough of them is visible.
    public var persons = 0
    /// Tracks in pictures, without those that are on a person who does not count at that moment.
    public var tracked = 0
    /// Persons with a track on them.
    public var matches = 0
    /// Persons without a track on them.
    public var misses = 0
    /// Tracks that are on nobody.
    public var falsePositives = 0
    /// Seconds with a track on nobody, summed over such tracks.
    public var falseSeconds = 0.0
    /// How often a person's track had another number than their track before.
    public var switches = 0
    /// Persons whose track has the number that fits best to them in the whole clip: true positives of identity.
    public var identityMatches = 0
    /// The sum of the matches' distances, in body sizes.
    public var distances = 0.0
    /// Tracks of a whole clip that are on nobody in most of their pictures.
    public var falseTracks = 0
    /// Every stay of a person.
    public var stays: [Stay] = []

    /// How much of people's exercise stands in the right session, after people were known again; `nil` where sessions or
    /// exercises are not known.
    public var minutesOfExercise: RightMinutes?
    /// The same as it was told when each set ended.
    public var liveMinutesOfExercise: RightMinutes?

    /// From when a person comes into view until they leave; hidden for a while in between is the same stay.
    public struct Stay: Sendable, Equatable, Codable {
        /// The person's number in the truth.
        public var person: Int
        /// Seconds when they count for the first time.
        public var start: Double
        /// Seconds when they count for the last time.
        public var end: Double
        /// Pictures in which they count.
        public var pictures = 0
        /// Of those, pictures with a track on them.
        public var matched = 0
        /// Pictures in which they count, two seconds after the start and later.
        public var laterPictures = 0
        /// Of those, pictures with a track on them.
        public var laterMatched = 0
        /// Seconds when a track was on them for the first time.
        public var found: Double?
        /// The numbers of the tracks that were on them.
        public var tracks: [Int] = []
        /// How often that number changed.
        public var switches = 0

        init(person: Int, start: Double) {
            self.person = person
            self.start = start
            end = start
        }
    }

    /// Nothing counted.
    public init() {}

    /// The counts of two recordings together.
    public static func + (one: Self, other: Self) -> Self {
        var sum = one
        sum.minutes += other.minutes
        sum.personMinutes += other.personMinutes
        sum.persons += other.persons
        sum.tracked += other.tracked
        sum.matches += other.matches
        sum.misses += other.misses
        sum.falsePositives += other.falsePositives
        sum.falseSeconds += other.falseSeconds
        sum.switches += other.switches
        sum.identityMatches += other.identityMatches
        sum.distances += other.distances
        sum.falseTracks += other.falseTracks
        sum.stays += other.stays
        if let minutes = other.minutesOfExercise {
            sum.minutesOfExercise = (sum.minutesOfExercise ?? RightMinutes()) + minutes
        }
        if let minutes = other.liveMinutesOfExercise {
            sum.liveMinutesOfExercise = (sum.liveMinutesOfExercise ?? RightMinutes()) + minutes
        }
        return sum
    }

    enum CodingKeys: String, CodingKey {
        case minutes, persons, tracked, matches, misses, switches, distances, stays
        case minutesOfExercise = "minutes_of_exercise"
        case liveMinutesOfExercise = "live_minutes_of_exercise"
        case personMinutes = "person_minutes"
        case falsePositives = "false_positives"
        case falseSeconds = "false_seconds"
        case identityMatches = "identity_matches"
        case falseTracks = "false_tracks"
    }
}

extension TrackingCounts.Stay {
    enum CodingKeys: String, CodingKey {
        case person, start, end, pictures, matched, found, tracks, switches
        case laterPictures = "later_pictures"
        case laterMatched = "later_matched"
    }
}
