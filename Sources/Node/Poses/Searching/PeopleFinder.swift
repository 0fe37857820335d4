import Capture

/// Decides where the detector searches for people in each frame.
///
/// - ``DetectorSchedule``: the whole picture at intervals, and things that move.
/// - ``LostPlaces``: where a person was lost, from the next frame on.
/// - ``PictureSweep``: everywhere, little by little.
struct PeopleFinder {
    /// One run of the detector.
    struct Search {
        /// The square to search; `nil` for the whole picture.
        let square: RegionOfInterest?
        /// Whether it belongs to a sweep. What is found there has not moved, so it may be a picture of a person.
        let isSweep: Bool
    }

    /// Lost people are searched for as long as they keep their numbers.
    private static let memorySeconds = Tracker.Settings().graceSeconds

    /// The side of a narrow close look, in sides of a wide one.
    private static let narrowLook: Float = 0.6

    private let settings: DetectorSchedule.Settings
    private var schedule: DetectorSchedule
    private var lostPlaces = LostPlaces(memorySeconds: memorySeconds)
    private var sweep: PictureSweep?
    private var isNextNarrow = false
    private var size = SIMD2(0, 0)
    private var lastTime = -Double.infinity

    /// Starts with a search in the first frame.
    init(_ settings: DetectorSchedule.Settings) {
        self.settings = settings
        schedule = DetectorSchedule(settings)
    }

    /// The searches of a frame that can be carried out while people are looked at, often none. The caller must carry them
    /// out. Frames must be in order of time.
    ///
    /// - Parameters:
    ///   - people: everyone who was followed in the frame before.
    ///   - most: the most squares that there is time for.
    mutating func searches(in image: Image, at time: Double, people: [FollowedPerson], most: Int) -> [Search] {
        let size = SIMD2(image.widthPixels, image.heightPixels)
        if size != self.size || time < lastTime {
            self.size = size
            sweep = PictureSweep(widthPixels: size.x, heightPixels: size.y)
            lostPlaces = LostPlaces(memorySeconds: Self.memorySeconds)
        }
        lastTime = time
        guard people.count < settings.maximumPeople else { return [] }
        let lost = lostPlaces.squares(at: time, most: most)
        let swept = sweep?.squares(at: time, most: most) { square in people.contains { $0.fills(square) } } ?? []
        return lost.map { Search(square: $0, isSweep: false) } + swept.map { Search(square: $0, isSweep: true) }
    }

    /// The searches for newcomers after people were looked at: one or none. The caller must carry it out.
    ///
    /// - Parameters:
    ///   - people: everyone who is followed in this frame.
    ///   - lostSomeone: whether a person who was followed until this frame was lost.
    ///   - motion: what moves that nobody of them explains.
    ///   - most: the most squares that there is time for, besides the whole picture.
    mutating func newcomerSearches(
        at time: Double, people: [FollowedPerson], lostSomeone: Bool, motion: Motion, most: Int
    ) -> [Search] {
        // Computed only when a search needs them.
        lazy var things = motion.squares(widthPixels: size.x, heightPixels: size.y)
        let planned = schedule.search(
            at: time, followed: people.count, lostSomeone: lostSomeone, hasUnexplainedMotion: motion.isSomething,
            movingThings: things.count)
        switch planned {
        case .wholePicture: return [Search(square: nil, isSweep: false)]
        case .closeLook(let number) where most > 0:
            return [Search(square: closeLook(at: things[number]), isSweep: false)]
        case .closeLook, nil: return []
        }
    }

    /// A square around something that moves: once for a limb that moves, once for a person who walks. In a larger square
    /// than needed the detector misses people who walk beside a more prominent one.
    private mutating func closeLook(at thing: RegionOfInterest) -> RegionOfInterest {
        var square = thing
        if isNextNarrow { square.size *= Self.narrowLook }
        isNextNarrow.toggle()
        return square
    }

    /// Remembers where a person was lost. People who left the picture are not searched for.
    mutating func lost(_ person: FollowedPerson, at time: Double) {
        let (region, velocity) = person.before
        guard (0...Float(size.x)).contains(region.centerX), (0...Float(size.y)).contains(region.centerY) else { return }
        lostPlaces.add(region, velocity: velocity, at: time)
    }

    /// A person was found for sure.
    mutating func found(_ person: FollowedPerson, at time: Double) { lostPlaces.found(person.region, at: time) }
}

extension FollowedPerson {
    /// Whether a square shows hardly anything but this person.
    fileprivate func fills(_ square: RegionOfInterest) -> Bool {
        let distance = max(abs(region.centerX - square.centerX), abs(region.centerY - square.centerY))
        return distance < 0.35 * square.size && region.size > 0.7 * square.size
    }
}
