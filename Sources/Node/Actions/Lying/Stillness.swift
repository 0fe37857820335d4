import Poses

/// How much a person has moved within the last seconds.
struct Stillness {
    /// What is looked back on, seconds.
    static let seconds = 6.0
    /// Poses nearer together add nothing.
    private static let step = 0.15
    private static let fewest = 5
    /// Places are averaged over this time, seconds.
    private static let smoothSeconds = 0.6

    private var poses: [(time: Double, places: [SIMD2<Float>?])] = []

    /// Notes where the joints are.
    mutating func add(_ places: [SIMD2<Float>?], at time: Double) {
        poses.removeAll { time - $0.time > Self.seconds || $0.time > time }
        guard poses.last.map({ time - $0.time >= Self.step }) != false else { return }
        poses.append((time, places))
    }

    /// How far each joint has moved to and fro since a time, in picture heights; empty while too little was seen.
    ///
    /// The outer tenths of a joint's places are left out: the detector errs for single pictures.
    func ways(since: Double) -> [Float] {
        ways(in: poses.filter { $0.time > since })
    }

    /// How far the joint that moves most has moved to and fro, in picture heights, as a mean over ``smoothSeconds``: the
    /// detector's errors change from picture to picture, a limb moves on. `nil` while too little was seen.
    var widestWay: Float? {
        let reach = Int((Self.smoothSeconds / Self.step).rounded())
        guard poses.count > reach else { return nil }
        let smooth = (0...poses.count - reach).map { first in
            let part = poses[first..<first + reach]
            let places = Joint.allCases.map { joint -> SIMD2<Float>? in
                let seen = part.compactMap { $0.places[joint.rawValue] }
                return 2 * seen.count > reach ? seen.reduce(.zero, +) / Float(seen.count) : nil
            }
            return (poses[first].time, places)
        }
        return ways(in: smooth).max()
    }

    private func ways(in poses: [(time: Double, places: [SIMD2<Float>?])]) -> [Float] {
        guard poses.count >= Self.fewest else { return [] }
        let ways = Joint.allCases.compactMap { joint -> Float? in
            let places = poses.compactMap { $0.places[joint.rawValue] }
            guard 2 * places.count >= poses.count else { return nil }
            return SIMD2(Self.width(of: places.map(\.x)), Self.width(of: places.map(\.y))).length
        }
        return ways.count >= Self.fewest ? ways : []
    }

    private static func width(of values: [Float]) -> Float {
        (values.quantile(0.9) ?? 0) - (values.quantile(0.1) ?? 0)
    }
}
