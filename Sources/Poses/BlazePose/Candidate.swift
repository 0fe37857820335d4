import Capture

/// Somebody who was found without having moved, or a picture: what is there becomes a person when it changes.
///
/// Somebody who is not known yet may pass in front of a picture. So where nothing has changed for a while, a change must
/// last: behind whoever passes the picture is as before.
struct Candidate {
    /// Seconds for which a picture must differ from what it was before it counts as a person.
    private static let lastingSeconds = 1.5
    /// Whoever is found at a picture is the picture when their areas have this share in common.
    private static let sameOverlap: Float = 0.4

    let region: RegionOfInterest
    private let area: Motion.Area
    /// Whether this is a picture: nothing has changed there for long.
    private(set) var isPicture: Bool
    private var watch = StillnessWatch()
    /// Since when the picture differs from what it was, in seconds on the source's clock.
    private var differsSince: Double?

    init(_ person: FollowedPerson, isPicture: Bool) {
        region = person.region
        area = person.area
        self.isPicture = isPicture
    }

    /// Looks at the next frame. Returns whether this is a person.
    ///
    /// - Parameter passers: where living people are. In front of a picture they change nothing.
    mutating func look(at image: Image, time: Double, mayBeStill: Bool, passers: [Motion.Area]) -> Bool {
        let before = watch
        watch.look(at: image, area: area, time: time, mayBeStill: mayBeStill, passers: passers)
        guard watch.hasChanged else {
            differsSince = nil
            isPicture = isPicture || watch.hasBeenStill(for: FollowedPerson.longestStillness, at: time)
            return false
        }
        guard isPicture, !mayBeStill else { return true }
        // The next frames are compared with the same one.
        watch = before
        let since = differsSince ?? time
        differsSince = since
        return time - since >= Self.lastingSeconds
    }

    /// Whether this is a picture, and a person who was found is what it shows.
    func isPicture(at person: FollowedPerson) -> Bool {
        isPicture && area.overlap(with: person.area) > Self.sameOverlap
    }
}
