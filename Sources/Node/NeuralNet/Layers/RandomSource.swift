/// A random number generator that gives the same numbers on every machine for the same seed.
///
/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
public struct RandomSource: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts the sequence of a seed.
    public init(seed: UInt64) { state = seed }

    /// An independent generator for each path of numbers under one seed, for example `(epoch, sample, augmentation)`.
    public init(seed: UInt64, path: UInt64...) {
        state = seed
        for step in path {
            state = next() ^ (step &* 0x9E37_79B9_7F4A_7C15)
            state = next()
        }
    }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Uniform in 0..<1, with 24 bits, so that it is exact in `Float` and in `Double`.
    public mutating func uniform() -> Float { Float(next() >> 40) * 0x1p-24 }

    /// Uniform in a range.
    public mutating func uniform(in range: ClosedRange<Float>) -> Float {
        range.lowerBound + (range.upperBound - range.lowerBound) * uniform()
    }

    /// `true` with this probability (0…1).
    public mutating func chance(_ probability: Float) -> Bool { uniform() < probability }

    /// Uniform in `0..<count`. The modulo bias (below 2⁻³² for our counts) does not matter here.
    public mutating func index(below count: Int) -> Int { Int(next() % UInt64(count)) }

    /// Approximately normal, with mean 0 and variance 1, within ±3.46.
    ///
    /// Uses the sum of four uniform numbers (Irwin–Hall) instead of Box–Muller. It needs one draw, and no logarithm
    /// whose last bit could differ between machines.
    public mutating func normal() -> Float {
        let bits = next()
        let sum = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48)
        return (Float(sum) - 131_070) * 2.642_88e-5  // √3 / 65,536: the sum's deviation is 65,536 · √(4/12)
    }

    /// Fisher–Yates shuffle. The standard library does not promise that its own shuffle never changes.
    public mutating func shuffle<Element>(_ array: inout [Element]) {
        for last in stride(from: array.count - 1, to: 0, by: -1) { array.swapAt(last, index(below: last + 1)) }
    }
}
