import Poses

/// How much a person has moved within the last seconds.
struct Stillness {
    /// What is looked back on, seconds.
    static let seconds = 6.0
    /// Poses nearer together add nothing.
    private static let step = 0.15
    private static let fewest = 5

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
        let recent = poses.filter { $0.time > since }
        guard recent.count >= Self.fewest else { return [] }
        let ways = Joint.allCases.compactMap { joint -> Float? in
            let places = recent.compactMap { $0.places[joint.rawValue] }
            guard 2 * places.count >= recent.count else { return nil }
            return SIMD2(Self.width(of: places.map(\.x)), Self.width(of: places.map(\.y))).length
        }
        return ways.count >= Self.fewest ? ways : []
    }

    private static func width(of values: [Float]) -> Float {
        (values.quantile(0.9) ?? 0) - (values.quantile(0.1) ?? 0)
    }
}
