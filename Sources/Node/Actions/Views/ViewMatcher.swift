import Poses

/// A person as one camera follows them.
public struct ViewedPerson: Hashable, Sendable {
    /// The camera's id.
    public let camera: String
    /// The person's number there.
    public let track: Int

    /// Creates it from its parts.
    public init(camera: String, track: Int) { (self.camera, self.track) = (camera, track) }
}

/// Finds out which people of one camera are people of another: those who move alike at the same time.
///
/// Looks and places are not compared. Of two people who do the same in time with each other neither is matched, unless their
/// motions differ clearly.
struct ViewMatcher: Sendable {
    /// Seconds of motion that are compared.
    private static let seconds = 8.0
    /// The share of this time in which both cameras must have seen the person.
    private static let minimumShare = 0.7
    /// A slower motion, in body sizes a second, may be the estimator's noise.
    private static let minimumSpeed: Float = 0.1
    /// One person's motions correlate by more than this …
    private static let minimumCorrelation: Float = 0.6
    /// … and by so much more than those of anybody else with either of them.
    private static let margin: Float = 0.15
    /// Cameras may tell the same moment so many moments of the grid apart.
    private static let farthestLag = 4
    /// A camera may be so late behind another, seconds.
    private static let longestDelay = 5.0
    /// Decisions on end, one a second, that must agree.
    private static let agreements = 3

    private struct Pair: Hashable {
        let first, second: ViewedPerson
    }

    private var traces: [ViewedPerson: SpeedTrace] = [:]
    private var agreed: [Pair: Int] = [:]
    private var decided = -Double.infinity
    /// The newest frame of each camera.
    private var newest: [String: Double] = [:]

    /// Takes a frame of a camera.
    ///
    /// - Parameter time: when it was seen, in seconds on a clock that all cameras share.
    mutating func see(_ frame: TrackedFrame, by camera: String, at time: Double) {
        newest[camera] = time
        for track in frame.measured {
            traces[ViewedPerson(camera: camera, track: track.id), default: SpeedTrace()].add(
                track.pose, aspect: frame.aspect, at: time, memory: Self.seconds + Self.longestDelay)
        }
    }

    /// A person has another number.
    mutating func rename(_ person: ViewedPerson, to track: Int) {
        guard let trace = traces.removeValue(forKey: person) else { return }
        traces[ViewedPerson(camera: person.camera, track: track)] = trace
    }

    /// Forgets everybody whom a camera has seen.
    mutating func forget(camera: String) {
        newest[camera] = nil
        traces = traces.filter { $0.key.camera != camera }
        agreed = agreed.filter { $0.key.first.camera != camera && $0.key.second.camera != camera }
    }

    /// The pairs of one person each, once a second.
    ///
    /// - Parameter overlap: whether two cameras see the same part of the floor.
    /// - Returns: none where the last decision is less than a second ago.
    mutating func decide(overlap: (String, String) -> Bool) -> [(first: ViewedPerson, second: ViewedPerson)] {
        // A camera that has stopped without a word delays nobody for long.
        let latest = newest.values.max() ?? 0
        let time = newest.values.filter { latest - $0 <= Self.longestDelay }.min() ?? 0
        guard !(0..<1).contains(time - decided) else { return [] }
        decided = time
        traces = traces.filter { abs(time - $0.value.lastSeen) <= Self.seconds }
        let best = alike(at: time, overlap: overlap)
        agreed = Dictionary(uniqueKeysWithValues: best.map { ($0, agreed[$0, default: 0] + 1) })
        return best.filter { agreed[$0, default: 0] >= Self.agreements }.map { ($0.first, $0.second) }
    }

    /// The pairs that move alike, and more so than each of them with anybody else of the other one's camera.
    private func alike(at time: Double, overlap: (String, String) -> Bool) -> [Pair] {
        // The newest moments wait for the pose after them, and for cameras that are late.
        let last = Int((time - 0.5) * SpeedTrace.rateHz)
        let count = Int(Self.seconds * SpeedTrace.rateHz)
        let people = traces.keys.sorted { ($0.camera, $0.track) < ($1.camera, $1.track) }
        let speeds = people.map { traces[$0]?.speeds(until: last, count: count) ?? [] }
        var found: [(pair: Pair, correlation: Float)] = []
        for (i, first) in people.enumerated() {
            for (j, second) in people.enumerated()
            where first.camera < second.camera && overlap(first.camera, second.camera) {
                guard let likeness = Self.likeness(speeds[i], speeds[j]), likeness.speed > Self.minimumSpeed else {
                    continue
                }
                found.append((Pair(first: first, second: second), likeness.correlation))
            }
        }
        return found.filter { one in
            one.correlation > Self.minimumCorrelation
                && !found.contains { other in
                    other.pair != one.pair && other.correlation > one.correlation - Self.margin
                        && (other.pair.first == one.pair.first && other.pair.second.camera == one.pair.second.camera
                            || other.pair.second == one.pair.second && other.pair.first.camera == one.pair.first.camera)
                }
        }.map(\.pair)
    }

    /// The likeness at the lag at which the motions are most alike.
    private static func likeness(_ mine: [SIMD8<Float>], _ theirs: [SIMD8<Float>]) -> MotionLikeness? {
        (-farthestLag...farthestLag).compactMap { lag in
            MotionLikeness(
                lag < 0 ? mine.dropFirst(-lag) : mine.dropLast(lag),
                lag < 0 ? theirs.dropLast(-lag) : theirs.dropFirst(lag),
                minimumShare: minimumShare)
        }.max { $0.correlation < $1.correlation }
    }
}
