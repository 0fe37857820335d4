/// Postures at certain times of a repetition, with smooth interpolation between them.
///
/// Monotone cubic interpolation (Fritsch and Carlson, 1980) of every coordinate. It never overshoots, so a hand on the
/// floor stays there.
struct Keyframes {
    private let times: [Float]
    private let postures: [Posture]

    /// - Parameter frames: at least two, sorted by time.
    init(_ frames: [(time: Float, posture: Posture)]) {
        times = frames.map(\.time)
        postures = frames.map(\.posture)
    }

    /// The posture at a time. Before the first and after the last keyframe it is constant.
    func posture(at time: Float) -> Posture {
        let last = times.count - 1
        if time <= times[0] { return postures[0] }
        if time >= times[last] { return postures[last] }
        var index = 0
        while times[index + 1] <= time { index += 1 }
        let (before, after) = (max(index - 1, 0), min(index + 2, last))
        let width = times[index + 1] - times[index]
        let widthBefore = max(times[index] - times[before], 1e-3)
        let widthAfter = max(times[after] - times[index + 1], 1e-3)
        let x = (time - times[index]) / width
        return Posture.merging(postures[before], postures[index], postures[index + 1], postures[after]) { a, b, c, d in
            let slope = (c - b) / width
            let start = before == index ? Point() : Self.slope((b - a) / widthBefore, slope)
            let end = after == index + 1 ? Point() : Self.slope(slope, (d - c) / widthAfter)
            let rest = 1 - x
            let fromStart = b * ((1 + 2 * x) * rest * rest) + start * (width * x * rest * rest)
            return fromStart + c * (x * x * (3 - 2 * x)) - end * (width * x * x * rest)
        }
    }

    /// The harmonic mean where both slopes have the same sign, otherwise 0.
    private static func slope(_ a: Point, _ b: Point) -> Point {
        let product = a * b
        let sum = a + b
        let level = product .<= 0
        let mean = 2 * product / sum.replacing(with: 1, where: level)
        return mean.replacing(with: 0, where: level)
    }
}
