import NeuralNet

/// A slow, smooth drift around 0, like body sway.
struct Wander {
    private let frequencies: SIMD4<Float>
    private let phases: SIMD4<Float>
    private let amplitude: Float

    /// - Parameters:
    ///   - deviation: standard deviation of the value.
    ///   - seconds: time of a typical swing to one side and back.
    init(_ deviation: Float, every seconds: Float, random: inout RandomSource) {
        // A sum of waves that are never in phase looks random and needs no memory.
        let waves = SIMD4<Float>(0.45, 0.8, 1.3, 2.1)
        frequencies = waves * (2 * .pi / seconds * random.uniform(in: 0.8...1.25))
        phases = SIMD4(random.uniform(), random.uniform(), random.uniform(), random.uniform()) * (2 * .pi)
        amplitude = deviation * 0.9
    }

    func callAsFunction(_ time: Float) -> Float {
        let angles = frequencies * time + phases
        let weights = SIMD4<Float>(1, 0.8, 0.6, 0.3)
        var sum: Float = 0
        for wave in 0..<4 { sum += weights[wave] * Self.sine(angles[wave]) }
        return amplitude * sum
    }

    /// Parabolic approximation, within 0.06 of the sine, which is accurate enough for sway.
    private static func sine(_ angle: Float) -> Float {
        let turns = angle / (2 * .pi)
        let x = 2 * (turns - turns.rounded())
        return 4 * x * (1 - abs(x))
    }
}
