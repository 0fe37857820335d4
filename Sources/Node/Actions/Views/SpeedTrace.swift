import Poses

/// How fast the parts of one person's body go up and down: what every camera sees alike, from whatever side it looks.
struct SpeedTrace: Sendable {
    /// Moments a second of the grid on which traces are compared.
    static let rateHz = 10.0
    /// The parts whose heights are followed.
    private static let parts: [[Joint]] = [
        [.nose], [.leftShoulder, .rightShoulder], [.leftHip, .rightHip], [.leftWrist, .rightWrist],
        [.leftKnee, .rightKnee],
    ]
    /// Joints less sure than this do not count.
    private static let minimumConfidence: Float = 0.3
    /// Seconds over which the size is averaged.
    private static let sizeSeconds = 4.0
    /// Between poses farther apart than this, in seconds, the motion is unknown.
    private static let longestGap = 0.8

    private struct Sample {
        let time: Double
        /// The height of each part in body sizes; not a number where it was not seen.
        let heights: SIMD8<Float>
    }

    private var samples: [Sample] = []
    private var size: Float = 0
    /// When the person was seen last, in seconds on the wall clock.
    private(set) var lastSeen = -Double.infinity

    /// Adds what a camera saw. Calls must be in order of time.
    ///
    /// - Parameters:
    ///   - aspect: the picture's width divided by its height.
    ///   - time: in seconds on a clock that all cameras share.
    ///   - memory: seconds after which a pose is forgotten.
    mutating func add(_ pose: Pose, aspect: Float, at time: Double, memory: Double) {
        let newest = Body(pose, aspect: aspect).size
        guard newest > 0, time > lastSeen else { return }
        let weight = lastSeen.isFinite ? Float(min(1, (time - lastSeen) / Self.sizeSeconds)) : 1
        size += weight * (newest - size)
        lastSeen = time
        var heights = SIMD8<Float>(repeating: .nan)
        for (index, part) in Self.parts.enumerated() {
            let seen = part.map { pose[$0] }.filter { $0.confidence >= Self.minimumConfidence }
            guard seen.count == part.count else { continue }
            heights[index] = seen.reduce(0) { $0 + $1.y } / Float(seen.count) / size
        }
        samples.removeAll { time - $0.time > memory }
        samples.append(Sample(time: time, heights: heights))
    }

    /// The speeds of the parts at the moments of the grid, in body sizes a second; not a number where they are unknown.
    ///
    /// - Parameters:
    ///   - last: the number of the last moment: its time by ``rateHz``.
    ///   - count: how many moments.
    func speeds(until last: Int, count: Int) -> [SIMD8<Float>] {
        let heights = (last - count...last + 1).map { height(at: Double($0) / Self.rateHz) }
        return (1...count).map { (heights[$0 + 1] - heights[$0 - 1]) * Float(Self.rateHz / 2) }
    }

    /// The heights at a time, between the poses before and after it.
    private func height(at time: Double) -> SIMD8<Float> {
        let unknown = SIMD8<Float>(repeating: .nan)
        guard let next = samples.firstIndex(where: { $0.time >= time }) else { return unknown }
        let later = samples[next]
        if later.time == time { return later.heights }
        guard next > 0 else { return unknown }
        let earlier = samples[next - 1]
        guard later.time - earlier.time <= Self.longestGap else { return unknown }
        let share = Float((time - earlier.time) / (later.time - earlier.time))
        return earlier.heights + (later.heights - earlier.heights) * share
    }
}

/// How alike two motions are.
struct MotionLikeness: Sendable, Equatable {
    /// The correlation of the speeds, −1…1.
    let correlation: Float
    /// The root mean square of the slower one's speeds, in body sizes a second.
    let speed: Float

    /// - Parameters:
    ///   - minimumShare: the share of the moments at which both must be known.
    /// - Returns: `nil` where too little of one is known.
    init?(_ mine: ArraySlice<SIMD8<Float>>, _ theirs: ArraySlice<SIMD8<Float>>, minimumShare: Double) {
        var (both, own, other) = (Float(0), Float(0), Float(0))
        var (known, moments) = (0, 0)
        for (a, b) in zip(mine, theirs) {
            let isKnown = (a .== a) .& (b .== b)
            guard any(isKnown) else { continue }
            moments += 1
            let (a, b) = (a.replacing(with: 0, where: .!isKnown), b.replacing(with: 0, where: .!isKnown))
            for index in 0..<8 where isKnown[index] { known += 1 }
            both += (a * b).sum()
            own += (a * a).sum()
            other += (b * b).sum()
        }
        guard Double(moments) >= minimumShare * Double(mine.count), own > 0, other > 0 else { return nil }
        correlation = both / (own * other).squareRoot()
        speed = (min(own, other) / Float(known)).squareRoot()
    }
}
