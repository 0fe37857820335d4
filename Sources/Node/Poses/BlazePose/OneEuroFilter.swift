/// Smooths a number over time: strongly while it is at rest, weakly while it moves.
///
/// Source: Casiez, Roussel and Vogel, "1€ Filter", CHI 2012, with the details of MediaPipe's OneEuroFilter: the rate is
/// 30 Hz until two times are known, and the speed is measured between raw values and multiplied by a scale.
struct OneEuroFilter {
    /// The cutoff frequency at rest, in Hz; lower is smoother.
    let minimumCutoff: Double
    /// The increase of the cutoff frequency with speed.
    let beta: Double
    /// The cutoff frequency for smoothing the speed, in Hz.
    let speedCutoff: Double

    private var rate = 30.0
    private var lastTime: Double?
    private var raw: Double?
    private var speed: Double?
    private var value: Double?

    init(minimumCutoff: Double, beta: Double, speedCutoff: Double = 1) {
        self.minimumCutoff = minimumCutoff
        self.beta = beta
        self.speedCutoff = speedCutoff
    }

    /// Adds a value and returns the smoothed one. `scale` converts its unit into the one the constants were chosen for.
    mutating func next(_ new: Double, time: Double, scale: Double) -> Double {
        if let lastTime, time > lastTime { rate = 1 / (time - lastTime) }
        lastTime = time
        let change = raw.map { (new - $0) * scale * rate } ?? 0
        let smoothedSpeed = blend(change, into: speed, cutoff: speedCutoff)
        let smoothed = blend(new, into: value, cutoff: minimumCutoff + beta * abs(smoothedSpeed))
        (raw, speed, value) = (new, smoothedSpeed, smoothed)
        return smoothed
    }

    /// A first-order low-pass filter. The first value passes unchanged.
    private func blend(_ new: Double, into old: Double?, cutoff: Double) -> Double {
        guard let old else { return new }
        let weight = 1 / (1 + rate / (2 * .pi * cutoff))
        return weight * new + (1 - weight) * old
    }
}
