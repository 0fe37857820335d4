/// The figures that follow from ``TrackingCounts``. A figure is `nil` where there is nothing to divide by.
public struct TrackingFigures: Sendable, Equatable, Codable {
    /// The harmonic mean of identity precision and recall, 0…1 (IDF1 of Ristani et al. 2016).
    public var idf1: Double?
    /// The share of tracks in pictures that have the right person's number, 0…1 (IDP).
    public var identityPrecision: Double?
    /// The share of persons in pictures whose track has the right number, 0…1 (IDR).
    public var identityRecall: Double?
    /// One less the misses, false positives and switches per person in a picture; may be negative (MOTA of CLEAR MOT).
    public var mota: Double?
    /// The mean distance of a track's joints from the true ones, in body sizes.
    public var meanDistance: Double?
    /// The share of persons in pictures without a track, 0…1.
    public var missed: Double?
    /// How often a person's track changed its number.
    public var switches: Int
    /// The same in ten minutes of one person.
    public var switchesPerTenPersonMinutes: Double?
    /// Tracks a minute that are on nobody in most of their pictures.
    public var falsePeoplePerMinute: Double?
    /// Seconds a minute with a track on nobody, summed over such tracks.
    public var falseSecondsPerMinute: Double?
    /// The share of people who are followed within a second of coming into view, among those who stay that long.
    public var foundInOneSecond: Double?
    /// The share of people who are followed within two seconds, among those who stay that long.
    public var foundInTwoSeconds: Double?
    /// The share of pictures, two seconds after a person came into view and later, in which a track is on them.
    public var followedAfterTwoSeconds: Double?
    /// The mean number of different tracks on a person who was found at all.
    public var tracksPerPerson: Double?
    /// The share of people's exercise that stands in the right session, 0…1, after people were known again. See
    /// ``RightMinutes``.
    public var rightMinutes: Double?
    /// The same as it was told when each set ended.
    public var liveRightMinutes: Double?
    /// The share of people's exercise that has a right set in any session, 0…1.
    public var recognisedMinutes: Double?
    /// The share of what sessions report that is another person's, 0…1.
    public var foreignMinutes: Double?
    /// In how many sessions a person who exercised has a part.
    public var sessionsPerPerson: Double?

    /// Computes the figures.
    public init(_ counts: TrackingCounts) {
        func share(_ part: Double, _ whole: Double) -> Double? { whole > 0 ? part / whole : nil }
        let (persons, tracked) = (Double(counts.persons), Double(counts.tracked))
        let right = Double(counts.identityMatches)
        idf1 = share(2 * right, persons + tracked)
        identityPrecision = share(right, tracked)
        identityRecall = share(right, persons)
        mota = share(persons - Double(counts.misses + counts.falsePositives + counts.switches), persons)
        meanDistance = share(counts.distances, Double(counts.matches))
        missed = share(Double(counts.misses), persons)
        switches = counts.switches
        switchesPerTenPersonMinutes = share(10 * Double(counts.switches), counts.personMinutes)
        falsePeoplePerMinute = share(Double(counts.falseTracks), counts.minutes)
        falseSecondsPerMinute = share(counts.falseSeconds, counts.minutes)
        foundInOneSecond = counts.found(within: 1)
        foundInTwoSeconds = counts.found(within: 2)
        followedAfterTwoSeconds = share(
            Double(counts.stays.reduce(0) { $0 + $1.laterMatched }),
            Double(counts.stays.reduce(0) { $0 + $1.laterPictures }))
        let found = counts.stays.filter { !$0.tracks.isEmpty }
        rightMinutes = counts.minutesOfExercise?.right
        recognisedMinutes = counts.minutesOfExercise?.recognised
        liveRightMinutes = counts.liveMinutesOfExercise?.right
        foreignMinutes = counts.minutesOfExercise?.foreign
        sessionsPerPerson = counts.minutesOfExercise?.sessionsPerPerson
        tracksPerPerson = share(Double(found.reduce(0) { $0 + $1.tracks.count }), Double(found.count))
    }

    enum CodingKeys: String, CodingKey {
        case idf1, mota, missed, switches
        case identityPrecision = "identity_precision"
        case identityRecall = "identity_recall"
        case meanDistance = "mean_distance"
        case switchesPerTenPersonMinutes = "switches_per_ten_person_minutes"
        case falsePeoplePerMinute = "false_people_per_minute"
        case falseSecondsPerMinute = "false_seconds_per_minute"
        case foundInOneSecond = "found_in_one_second"
        case foundInTwoSeconds = "found_in_two_seconds"
        case followedAfterTwoSeconds = "followed_after_two_seconds"
        case tracksPerPerson = "tracks_per_person"
        case rightMinutes = "right_minutes"
        case recognisedMinutes = "recognised_minutes"
        case liveRightMinutes = "live_right_minutes"
        case foreignMinutes = "foreign_minutes"
        case sessionsPerPerson = "sessions_per_person"
    }
}

extension TrackingCounts {
    /// The share of people who were found within some seconds, among those who stayed that long; `nil` without any.
    fileprivate func found(within seconds: Double) -> Double? {
        let long = stays.filter { $0.end - $0.start >= seconds - 1e-6 }
        guard !long.isEmpty else { return nil }
        let found = long.filter { stay in stay.found.map { $0 - stay.start <= seconds + 1e-6 } ?? false }
        return Double(found.count) / Double(long.count)
    }
}
