import Capture

/// A person who was found without having moved, or a picture: what is there becomes a person when it changes.
///
/// Where nothing has changed from the beginning there is a picture, or a thing. Light and the codec change it slowly, and
/// a person who is not known yet may pass in front of it. So it becomes a person only when it differs from what it was and
/// moves, and when something moves around it as well, only if it goes on to differ: behind a person who passes, it is as before.
/// A person who was followed and rests becomes a person again by any change.
struct Candidate {
    /// How a picture differs from what it was.
    private struct Difference {
        /// Since when, in seconds on the source's clock.
        let since: Double
        /// Whether something moved in it, or around it.
        var moves = false, isPassed = false
    }

    /// Seconds for which a picture that is passed must differ before it counts as a person.
    private static let lastingSeconds = 1.5
    /// A pose that is found at a picture is what it shows when their areas overlap by more than this.
    private static let sameOverlap: Float = 0.4

    let region: RegionOfInterest
    private let area: Motion.Area
    /// Whether this was followed, until nothing changed for long.
    private let wasFollowed: Bool
    /// Whether nothing has changed for long.
    private(set) var isPicture: Bool
    private var watch = StillnessWatch()
    private var difference: Difference?

    init(_ person: FollowedPerson, wasFollowed: Bool) {
        region = person.region
        area = person.area
        self.wasFollowed = wasFollowed
        isPicture = wasFollowed
    }

    /// Looks at the next frame. Returns whether this is a person.
    ///
    /// - Parameters:
    ///   - motion: what moves that no passer explains.
    ///   - passers: where living people are. In front of a picture they change nothing.
    mutating func look(
        at image: Image, time: Double, mayBeStill: Bool, motion: Motion, passers: [Motion.Area]
    ) -> Bool {
        let before = watch
        watch.look(at: image, area: area, time: time, mayBeStill: mayBeStill, passers: passers)
        guard watch.hasChanged else {
            difference = nil
            isPicture = isPicture || watch.hasBeenStill(for: FollowedPerson.longestStillness, at: time)
            return false
        }
        guard isPicture, !wasFollowed, !mayBeStill else { return true }
        // The next frames are compared with the same one.
        watch = before
        var difference = difference ?? Difference(since: time)
        difference.moves = difference.moves || motion.isSomething(in: area)
        difference.isPassed = difference.isPassed || motion.isSomething(around: area)
        self.difference = difference
        return difference.moves && (!difference.isPassed || time - difference.since >= Self.lastingSeconds)
    }

    /// Whether a person who was found is what this picture shows.
    func shows(_ person: FollowedPerson) -> Bool { isPicture && area.overlap(with: person.area) > Self.sameOverlap }
}
