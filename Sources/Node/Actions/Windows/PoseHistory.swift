import Poses

/// The latest poses of one person on the tick grid.
struct PoseHistory {
    /// The number of values in a pose: 18 joints × (x, y, confidence).
    static let width = 54

    private let capacity: Int
    /// A ring buffer: slot t % capacity holds the pose of tick t if `tickOf` has t there.
    private var poses: [Float]
    private var tickOf: [Int]
    private var last: (time: Double, pose: [Float])?
    /// The newest tick with a pose; -1 without one.
    private(set) var lastTick = -1

    init(capacity: Int) {
        self.capacity = capacity
        poses = [Float](repeating: 0, count: capacity * Self.width)
        tickOf = [Int](repeating: -1, count: capacity)
    }

    /// Adds a sighting at `time` (in ticks) and fills `ticks`, which it completes.
    ///
    /// Ticks before the sighting are interpolated if the last sighting is at most `longestGap` ticks earlier.
    mutating func add(_ pose: Pose, at time: Double, through ticks: Range<Int>, longestGap: Double) {
        let new = pose.keypoints.flatMap { [$0.x, $0.y, $0.confidence] }
        defer { last = (time, new) }
        for tick in ticks {
            let back = time - Double(tick)
            if back < 0.5 && (last == nil || back < 1e-3) {
                store(new, at: tick)
            } else if let last, time - last.time <= longestGap, last.time <= Double(tick) {
                store(Self.blend(last.pose, new, Float((Double(tick) - last.time) / (time - last.time))), at: tick)
            } else if back < 0.5 {
                store(new, at: tick)
            }
        }
    }

    /// The poses of a range of ticks as `[frames, 18, 3]`, zeros without a pose, and the number of poses in it.
    func poses(from first: Int, through last: Int) -> ([Float], Int) {
        var result = [Float](repeating: 0, count: (last - first + 1) * Self.width)
        var posed = 0
        for tick in max(first, 0)..<max(last + 1, 0) where tickOf[tick % capacity] == tick {
            let from = (tick % capacity) * Self.width
            let to = (tick - first) * Self.width
            result.replaceSubrange(to..<to + Self.width, with: poses[from..<from + Self.width])
            posed += 1
        }
        return (result, posed)
    }

    private mutating func store(_ pose: [Float], at tick: Int) {
        let slot = tick % capacity
        poses.replaceSubrange(slot * Self.width..<(slot + 1) * Self.width, with: pose)
        tickOf[slot] = tick
        lastTick = tick
    }

    /// Interpolates linearly between two poses. A joint that is missing in one of them is copied from the nearer pose.
    static func blend(_ a: [Float], _ b: [Float], _ weight: Float) -> [Float] {
        var result = weight < 0.5 ? a : b
        for joint in stride(from: 0, to: width, by: 3) where a[joint + 2] > 0 && b[joint + 2] > 0 {
            for k in joint..<joint + 3 { result[k] = a[k] + weight * (b[k] - a[k]) }
        }
        return result
    }
}
