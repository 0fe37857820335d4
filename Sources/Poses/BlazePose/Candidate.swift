import Capture

/// Somebody who was found without having moved, or a picture: what is there becomes a person when it changes.
struct Candidate {
    let region: RegionOfInterest
    private let area: Motion.Area
    /// Whether nothing else than a change makes this a person: it was followed and turned out to be a picture.
    let isPicture: Bool
    private var watch = StillnessWatch()

    init(_ person: FollowedPerson, isPicture: Bool) {
        region = person.region
        area = person.area
        self.isPicture = isPicture
    }

    /// Looks at the next frame. Returns whether something has changed.
    ///
    /// - Parameter passers: where living people are. In front of a picture they change nothing.
    mutating func look(at image: Image, time: Double, mayBeStill: Bool, passers: [Motion.Area]) -> Bool {
        watch.look(at: image, area: area, time: time, mayBeStill: mayBeStill, passers: passers)
        return watch.hasChanged
    }
}
