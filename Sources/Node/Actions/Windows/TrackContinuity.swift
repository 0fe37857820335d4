import Poses

/// Tells whether a track's next sighting continues the movement of the same, wholly visible person.
///
/// A tracker follows what overlaps. At a cut of a recording, or when the detector turns from a bench to a person, a track
/// jumps in place or size; a window across the jump would show a movement that nobody made. The same holds for a person
/// who comes in at the side of the picture: at first only half of the body is there, and the estimator invents the rest.
struct TrackContinuity {
    /// What to do with a sighting.
    enum Verdict: Equatable {
        /// It continues the movement.
        case goesOn
        /// It may be an error of one frame, or a body of which half is outside of the picture: leave it out.
        case isDoubtful
        /// Another person or place: what was before must be forgotten.
        case startsAnew
    }

    /// The farthest that a body's centre moves between two sightings, in body sizes: so much at once, and so much a
    /// second. On 130 videos one step of 30 Hz in a thousand is longer than 0.26; those are cuts and errors.
    private static let (farthestAtOnce, farthestPerSecond): (Float, Float) = (0.3, 3)
    /// The most that a body's size changes between two sightings, as a factor: so much at once, and so much a second.
    /// On the same videos one step in a thousand changes it by more than 1.65.
    private static let (maximumAtOnce, maximumPerSecond): (Float, Float) = (1.7, 4)
    /// A detector may alternate between two bodies for some frames; a new place must last this many seconds.
    private static let minimumSecondsOfNewPlace = 0.2
    /// A person who comes in is whole after this many seconds, or is filmed like that on purpose.
    private static let longestEntrySeconds = 2.0
    /// A body is cut by a side of the picture when at most this many joints are inside …
    private static let maximumJointsOfHalf = 9
    /// … and one of them is this near to the side, as a share of the picture's width.
    private static let sideShare: Float = 0.04

    private var last: (body: Body, time: Double)?
    private var candidate: (body: Body, time: Double, since: Double)?
    private var entrySince: Double?
    private var isIn = false

    /// - Parameters:
    ///   - time: in seconds on the source's clock. Calls must be in order of time.
    ///   - aspect: the picture's width divided by its height.
    mutating func judge(_ pose: Pose, at time: Double, aspect: Float) -> Verdict {
        if !isIn {
            let since = entrySince ?? time
            entrySince = since
            if Self.isCutBySide(pose), time - since < Self.longestEntrySeconds { return .isDoubtful }
            isIn = true
        }
        let body = Body(pose, aspect: aspect)
        guard let last, time - last.time <= KeypointFrame.longestGapSeconds,
            !Self.follows(body, last.body, after: time - last.time)
        else {
            (self.last, candidate) = ((body, time), nil)
            return .goesOn
        }
        guard let candidate, Self.follows(body, candidate.body, after: time - candidate.time) else {
            candidate = (body, time, time)
            return .isDoubtful
        }
        guard time - candidate.since >= Self.minimumSecondsOfNewPlace else {
            self.candidate = (body, time, candidate.since)
            return .isDoubtful
        }
        (self.last, self.candidate) = ((body, time), nil)
        return .startsAnew
    }

    private static func isCutBySide(_ pose: Pose) -> Bool {
        let inside = pose.keypoints.filter {
            $0.confidence > 0.3 && (0...1).contains($0.x) && (0...1).contains($0.y)
        }
        return !inside.isEmpty && inside.count <= maximumJointsOfHalf
            && inside.contains { min($0.x, 1 - $0.x) < sideShare }
    }

    /// Whether a person can have come from one sighting to the next in this time.
    private static func follows(_ body: Body, _ other: Body, after seconds: Double) -> Bool {
        guard body.size > 0, other.size > 0 else { return true }
        let step = body.centre - other.centre
        let distance = (step * step).sum().squareRoot() / max(body.size, other.size)
        let ratio = max(body.size / other.size, other.size / body.size)
        return distance <= farthestAtOnce + farthestPerSecond * Float(seconds)
            && ratio <= maximumAtOnce + maximumPerSecond * Float(seconds)
    }
}
