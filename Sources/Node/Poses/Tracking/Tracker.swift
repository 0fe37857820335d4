import Capture
import Foundation

/// Tracks people from frame to frame: the same person keeps the same number, also after they were hidden.
///
/// Each known person's position is predicted with the velocity of the body's centre. Poses are matched in three rounds,
/// nearest pairs first: poses that are sure with people who are expected there, then poses that are unsure, then what is
/// left with people who are hidden. Someone hidden may have moved, so the last round also compares size and the colours of
/// the clothes. A hidden person is remembered for ``Settings/graceSeconds``.
///
/// When one person passes another, the pose of the hidden one often slides to the other one. So a pose that wears what
/// another person wears is not matched with the person it was before. A new pose on top of a person becomes a person only when
/// it lasts. Then it may also be a person who was hidden: at first the clothes of two who overlap are hard to read.
///
/// Sources of the rounds and of comparing with the last observation: ByteTrack (Zhang et al. 2022), OC-SORT (Cao et al.
/// 2023). They match boxes; here the joints are matched.
public struct Tracker {
    /// How long and how far a person can be lost.
    public struct Settings: Sendable {
        /// Seconds for which a hidden person keeps their number.
        public var graceSeconds: Double
        /// The largest mean distance of the joints, in body sizes, at which two poses can be the same person.
        public var maximumDistance: Float
        /// Whether the colours of clothes are compared. They are never stored.
        public var comparesColours: Bool

        /// Creates settings.
        public init(graceSeconds: Double = 10, maximumDistance: Float = 0.6, comparesColours: Bool = true) {
            self.graceSeconds = graceSeconds
            self.maximumDistance = maximumDistance
            self.comparesColours = comparesColours
        }
    }

    /// A pose that may be a person whom the tracker knows.
    private struct Sighting {
        let pose: Pose
        let isMeasured: Bool
        let body: Body
        var colours: ClothingColours?
        let meanConfidence: Float
    }

    /// Seconds after which a person who is not seen counts as hidden.
    private static let hiddenSeconds = 0.5
    /// Poses whose joints are less sure than this on average are matched after the others.
    private static let minimumConfidence: Float = 0.5
    /// Seconds for which a pose of nobody known, on top of a person, must last before it counts as another person. The
    /// estimator withholds poses that it found anew; these are poses that slid.
    private static let doubtfulSeconds = 0.4
    /// A new pose is on top of a person when their centres are closer than this, in sizes of the larger body.
    private static let onTopDistance: Float = 0.3
    /// The clothes of poses that are less sure than this are not remembered.
    private static let wholeConfidence: Float = 0.65
    /// The clothes of a person who looks smaller than this share of their usual size tell little.
    private static let wholeShare: Float = 0.7
    /// A pose that is nearer than this to where a person is expected is theirs, in body sizes, whatever they seem to wear.
    private static let sureDistance: Float = 0.2
    /// How far a hidden person can have moved, in body sizes: so much at once, so much a second, and at most.
    private static let (reach, reachPerSecond, farthestReach): (Float, Float, Float) = (0.6, 0.8, 3)
    /// The largest ratio of the sizes of a person before and after they were hidden: people bend down …
    private static let maximumGrowth: Float = 1.9
    /// … and look smaller still when they lie with the head or the feet towards the camera, in the same clothes.
    private static let maximumGrowthAlike: Float = 2.5
    /// Clothes that differ by more than this belong to different people. Of one person's clothes 99 in 100 readings differ
    /// by less than 0.6, and half by less than 0.2.
    private static let maximumDifference: Float = 0.5
    /// Clothes that differ by less than this may be the same.
    private static let alikeDifference: Float = 0.3
    /// What a difference of the clothes weighs beside a distance in body sizes.
    private static let (differenceWeight, differenceWeightInView): (Float, Float) = (2, 0.5)

    private let settings: Settings
    private var known: [TrackedPerson] = []
    private var nextID = 1
    private var prominence = ProminentPerson()

    /// Starts without any person.
    public init(_ settings: Settings = Settings()) { self.settings = settings }

    /// Assigns the poses of the next frame to tracks. Frames must be in order of time.
    public mutating func follow(_ frame: PosedFrame) -> TrackedFrame {
        known.removeAll { person in
            frame.time - person.seen > (person.id == nil ? Self.hiddenSeconds : settings.graceSeconds)
        }
        let aspect = Float(frame.widthPixels) / Float(max(frame.heightPixels, 1))
        var sightings = zip(frame.poses, frame.isMeasured).map { pose, isMeasured in
            Sighting(
                pose: pose, isMeasured: isMeasured, body: Body(pose, aspect: aspect),
                meanConfidence: pose.meanConfidence)
        }
        let owners = match(&sightings, frame)
        var tracks = sightings.indices.compactMap { index in
            let sighting = sightings[index]
            return update(owners[index], with: sighting, frame).map { id, clothes in
                var track = Track(id: id, pose: sighting.pose, isMeasured: sighting.isMeasured)
                track.clothes = clothes
                return track
            }
        }
        tracks.sort { $0.id < $1.id }
        return TrackedFrame(
            index: frame.index, time: frame.time, image: frame.image, widthPixels: frame.widthPixels,
            heightPixels: frame.heightPixels, tracks: tracks,
            prominent: prominence.choose(among: tracks, time: frame.time))
    }

    /// For each sighting, the index in `known` of the person it belongs to.
    private mutating func match(_ sightings: inout [Sighting], _ frame: PosedFrame) -> [Int?] {
        let time = frame.time
        var owners = [Int?](repeating: nil, count: sightings.count)
        if !known.isEmpty {
            for index in sightings.indices where sightings[index].isMeasured { readColours(&sightings[index], frame) }
        }
        let seen = sightings
        let sure = seen.indices.filter { seen[$0].meanConfidence >= Self.minimumConfidence }
        let everyone = Array(known.indices)
        assign(sure, to: everyone, &owners) { near(known[$0], seen[$1], at: time) }
        assign(Array(seen.indices), to: everyone, &owners) { near(known[$0], seen[$1], at: time) }
        let missing = known.indices.filter { !owners.contains($0) }
        guard !missing.isEmpty else { return owners }
        // A pose that lasted long enough to be another person may be a hidden one as well.
        var returning = owners.map { isAccepted($0, at: time) ? nil : $0 }
        for index in sightings.indices where returning[index] == nil { readColours(&sightings[index], frame) }
        let read = sightings
        assign(Array(sightings.indices), to: missing, &returning) { returned(known[$0], read[$1], at: time) }
        for index in owners.indices {
            guard let person = returning[index], person != owners[index] else { continue }
            if let newcomer = owners[index] { known[newcomer].forget() }
            owners[index] = person
        }
        return owners
    }

    /// Whether a newcomer without a number gets one now.
    private func isAccepted(_ person: Int?, at time: Double) -> Bool {
        person.map { known[$0].id == nil && time >= known[$0].doubtfulUntil } ?? false
    }

    /// Gives free sightings to free people, nearest pairs first. `cost` is `nil` for pairs that cannot be one person.
    private func assign(
        _ sightings: [Int], to people: [Int], _ owners: inout [Int?], cost: (_ person: Int, _ sighting: Int) -> Float?
    ) {
        var taken = Set(owners.compactMap { $0 })
        var pairs: [(cost: Float, person: Int, sighting: Int)] = []
        for sighting in sightings where owners[sighting] == nil {
            for person in people where !taken.contains(person) {
                if let cost = cost(person, sighting) { pairs.append((cost, person, sighting)) }
            }
        }
        for pair in pairs.sorted(by: { $0.cost < $1.cost })
        where owners[pair.sighting] == nil && !taken.contains(pair.person) {
            owners[pair.sighting] = pair.person
            taken.insert(pair.person)
        }
    }

    /// How far a sighting is from where a person is expected, and how unlike; `nil` if it is too far away.
    ///
    /// A hidden person must wear the same and be nearer by ``sureDistance``: a person who passes their place is not them.
    private func near(_ person: TrackedPerson, _ sighting: Sighting, at time: Double) -> Float? {
        let isHidden = time - person.seen > Self.hiddenSeconds
        let distance = person.expected(at: time).distance(to: sighting.body)
        guard distance < settings.maximumDistance * (isHidden ? 1 : 1 + Float(time - person.seen)) else { return nil }
        guard let mine = person.colours, let theirs = sighting.colours, let difference = mine.distance(to: theirs)
        else {
            return isHidden ? nil : distance
        }
        if isHidden {
            guard difference < Self.alikeDifference else { return nil }
            return distance + Self.sureDistance + Self.differenceWeightInView * difference
        }
        // The clothes of a person who lies with the feet towards the camera are hardly seen.
        let isWhole = sighting.body.size > Self.wholeShare * person.usualSize
        let isFar = isWhole && distance > Self.sureDistance
        if difference > Self.maximumDifference, isFar || isWornByAnother(theirs, sighting, at: time) { return nil }
        return distance + Self.differenceWeightInView * difference
    }

    /// Whether a sighting's clothes are those of a known person who can be there.
    private func isWornByAnother(_ colours: ClothingColours, _ sighting: Sighting, at time: Double) -> Bool {
        guard sighting.meanConfidence >= Self.wholeConfidence else { return false }
        return known.contains { person in
            guard let difference = person.colours?.distance(to: colours) else { return false }
            return difference < Self.alikeDifference && returned(person, sighting, at: time) != nil
        }
    }

    /// How unlike a sighting is to a person who was hidden; `nil` if it cannot be that person.
    private func returned(_ person: TrackedPerson, _ sighting: Sighting, at time: Double) -> Float? {
        let elapsed = Float(time - person.seen), body = sighting.body
        let (large, small) = (max(person.usualSize, body.size), min(person.usualSize, body.size))
        let difference = person.colours.flatMap { mine in sighting.colours.flatMap(mine.distance) }
        let isAlike = difference.map { $0 < Self.alikeDifference } ?? false
        guard small > 0, large < (isAlike ? Self.maximumGrowthAlike : Self.maximumGrowth) * small else { return nil }
        let reach = min(Self.reach + Self.reachPerSecond * elapsed, Self.farthestReach)
        // They may have stayed, or walked on.
        let steps = [person.body, person.expected(at: time)].map { body.centre - $0.centre }
        let distance = steps.map { ($0 * $0).sum().squareRoot() / large }.min() ?? .infinity
        guard distance < reach else { return nil }
        guard let difference else {
            // Without colours only the place tells.
            return distance < settings.maximumDistance * (1 + min(elapsed, 1)) ? distance + Self.differenceWeight : nil
        }
        return difference < Self.maximumDifference ? distance / reach + Self.differenceWeight * difference : nil
    }

    private func readColours(_ sighting: inout Sighting, _ frame: PosedFrame) {
        guard settings.comparesColours, sighting.colours == nil, let image = frame.image else { return }
        sighting.colours = ClothingColours(sighting.pose, in: image)
    }

    /// Updates a known person, or adds a new one. Returns the track's number and the clothes; `nil` while it may be a wrong pose.
    private mutating func update(
        _ owner: Int?, with sighting: Sighting, _ frame: PosedFrame
    ) -> (id: Int, clothes: ClothingColours?)? {
        var sighting = sighting
        var person = owner.map { known[$0] } ?? newcomer(sighting, at: frame.time)
        if sighting.isMeasured {
            if owner != nil { person.update(sighting.body, at: frame.time) }
            // What is seen of a half-hidden person may be the rack in front of them.
            let isWhole =
                sighting.meanConfidence >= Self.wholeConfidence
                && sighting.body.size > Self.wholeShare * person.usualSize
            if isWhole, person.needsColours(at: frame.time) {
                readColours(&sighting, frame)
                if let colours = sighting.colours, person.isSomebodyElse(colours, at: frame.time) {
                    // Whom the track showed before counts as hidden from now on.
                    return update(nil, with: sighting, frame)
                }
            }
        }
        if person.id == nil, frame.time >= person.doubtfulUntil {
            person.id = nextID
            nextID += 1
        }
        if let owner { known[owner] = person } else { known.append(person) }
        return person.id.map { ($0, person.colours) }
    }

    /// A person who is seen for the first time.
    private func newcomer(_ sighting: Sighting, at time: Double) -> TrackedPerson {
        let body = sighting.body
        let isOnTop = known.contains { other in
            let step = other.body.centre - body.centre
            return time - other.seen <= Self.hiddenSeconds
                && (step * step).sum().squareRoot() < Self.onTopDistance * max(other.body.size, body.size)
        }
        return TrackedPerson(body: body, time: time, doubtfulUntil: isOnTop ? time + Self.doubtfulSeconds : time)
    }
}
