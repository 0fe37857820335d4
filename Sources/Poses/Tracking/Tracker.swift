import Foundation

/// Tracks people from frame to frame: the same person keeps the same number.
///
/// Each known person's position is predicted with a constant velocity of the body's centre. Poses are then matched to
/// the predictions, nearest pairs first. A hidden person is remembered for ``Settings/graceSeconds``.
public struct Tracker {
    /// How long and how far a person can be lost.
    public struct Settings: Sendable {
        /// Seconds for which a hidden person keeps their number.
        public var graceSeconds: Double
        /// The largest mean distance of the joints, in body sizes, at which two poses can be the same person.
        public var maximumDistance: Float

        /// Creates settings.
        public init(graceSeconds: Double = 1.0, maximumDistance: Float = 0.6) {
            self.graceSeconds = graceSeconds
            self.maximumDistance = maximumDistance
        }
    }

    private struct Known {
        let id: Int
        var body: Body
        var velocity = SIMD2<Float>(0, 0)
        var seen: Double
    }

    private let settings: Settings
    private var known: [Known] = []
    private var nextID = 1
    private var prominence = ProminentPerson()

    /// Starts without any person.
    public init(_ settings: Settings = Settings()) { self.settings = settings }

    /// Assigns the poses of the next frame to tracks. Frames must be in order of time.
    public mutating func follow(_ frame: PosedFrame) -> TrackedFrame {
        known.removeAll { frame.time - $0.seen > settings.graceSeconds }
        let aspect = Float(frame.widthPixels) / Float(max(frame.heightPixels, 1))
        let bodies = frame.poses.map { Body($0, aspect: aspect) }
        let owners = match(bodies, time: frame.time)
        var tracks: [Track] = []
        for (index, pose) in frame.poses.enumerated() {
            tracks.append(Track(id: update(owners[index], with: bodies[index], time: frame.time), pose: pose))
        }
        tracks.sort { $0.id < $1.id }
        return TrackedFrame(
            index: frame.index, time: frame.time, image: frame.image, widthPixels: frame.widthPixels,
            heightPixels: frame.heightPixels, tracks: tracks,
            prominent: prominence.choose(among: tracks, time: frame.time))
    }

    /// For each pose, the index in `known` of the person it belongs to.
    private func match(_ bodies: [Body], time: Double) -> [Int?] {
        var pairs: [(distance: Float, person: Int, body: Int)] = []
        for (person, someone) in known.enumerated() {
            let elapsed = Float(time - someone.seen)
            // The prediction is limited to a third of a second: hidden people rarely walk on in a gym.
            let expected = someone.body.moved(by: someone.velocity * min(elapsed, 0.33))
            // The longer a person was hidden, the further they may have moved.
            let limit = settings.maximumDistance * (1 + min(elapsed, 1))
            for (index, body) in bodies.enumerated() {
                let distance = expected.distance(to: body)
                if distance < limit { pairs.append((distance, person, index)) }
            }
        }
        var owners = [Int?](repeating: nil, count: bodies.count)
        var taken = Set<Int>()
        for pair in pairs.sorted(by: { $0.distance < $1.distance })
        where owners[pair.body] == nil && !taken.contains(pair.person) {
            owners[pair.body] = pair.person
            taken.insert(pair.person)
        }
        return owners
    }

    /// Updates a known person, or adds a new one. Returns the track's number.
    private mutating func update(_ owner: Int?, with body: Body, time: Double) -> Int {
        guard let owner else {
            known.append(Known(id: nextID, body: body, seen: time))
            nextID += 1
            return nextID - 1
        }
        let elapsed = Float(time - known[owner].seen)
        if elapsed > 0 {
            let velocity = (body.centre - known[owner].body.centre) / elapsed
            known[owner].velocity += 0.4 * (velocity - known[owner].velocity)
        }
        known[owner].body = body
        known[owner].seen = time
        return known[owner].id
    }
}
