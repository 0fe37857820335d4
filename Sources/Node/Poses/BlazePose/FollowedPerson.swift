import Capture

/// A person whom the estimator follows from frame to frame.
struct FollowedPerson {
    /// Where a person was at a moment.
    private struct Moment {
        let time: Double
        let region: RegionOfInterest
    }

    /// A person where nothing has changed for this many seconds is a picture, or a thing that the region slid to. In 39
    /// videos of strangers the longest time without a change was 5.0 seconds.
    static let longestStillness = 6.0
    /// Seconds between two looks at whether something changes. Each costs over a thousand points.
    private static let watchSeconds = 0.2
    /// A lost person is searched for where they were this long before: the region of a person who is hidden slides away.
    private static let trailSeconds = 0.4

    private var follower = RegionFollower()
    private var trail: [Moment] = []
    private var watch = StillnessWatch()
    /// Where the person is expected in the next frame.
    private(set) var region: RegionOfInterest
    /// The joints in the last frame in which the person was looked at.
    private(set) var pose: Pose
    /// Where the person explains motion.
    private(set) var area: Motion.Area
    /// How the person moves, and when they were looked at.
    var pace = Pace()

    /// Until when the person may be a wrong pose of another person, in seconds on the source's clock; `nil` for a sure one.
    var doubtfulUntil: Double?
    /// Whether this may be a wrong pose of another person.
    var isDoubtful: Bool { doubtfulUntil != nil }

    /// A person who was detected in a region.
    init(_ region: RegionOfInterest) {
        self.region = region
        pose = .nobody
        area = Motion.Area(around: .nobody, aspect: 1)
    }

    /// Takes the landmarks that were found in the region.
    mutating func update(_ found: Landmarks, at time: Double, aspect: Float) {
        let new = Pose(found)
        pace.look(from: pose, to: new, at: time, aspect: aspect)
        pose = new
        area = Motion.Area(around: new, aspect: aspect)
        region = follower.next(after: found, time: time)
        trail.append(Moment(time: time, region: region))
        trail.removeAll { time - $0.time > Self.trailSeconds }
    }

    /// Goes on with what was found anew of the same person.
    mutating func take(_ other: FollowedPerson) {
        (follower, region, pose, area) = (other.follower, other.region, other.pose, other.area)
    }

    /// Looks whether anything changes where the person is.
    ///
    /// - Parameter passers: where other living people are.
    mutating func watchStillness(in image: Image, at time: Double, mayBeStill: Bool, passers: [Motion.Area]) {
        if let last = watch.lastLook, (last..<last + Self.watchSeconds - 0.001).contains(time) { return }
        watch.look(at: image, area: area, time: time, mayBeStill: mayBeStill, passers: passers)
    }

    /// Whether something has changed where the person is, so that this is no picture.
    var isAlive: Bool { watch.hasChanged }

    /// Whether this is a picture or a thing: nothing has changed there for too long.
    func isPicture(at time: Double) -> Bool { watch.hasBeenStill(for: Self.longestStillness, at: time) }

    /// The region a moment before the last frame, and its velocity in pixels a second.
    var before: (region: RegionOfInterest, velocity: SIMD2<Float>) {
        guard let first = trail.first, let last = trail.last, last.time > first.time else { return (region, .zero) }
        let step = SIMD2(last.region.centerX - first.region.centerX, last.region.centerY - first.region.centerY)
        return (first.region, step / Float(last.time - first.time))
    }
}
