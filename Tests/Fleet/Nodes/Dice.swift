/// Random numbers from a seed (SplitMix64), so that a run can be repeated.
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func number(_ range: ClosedRange<Double>) -> Double {
        let share = Double(next() >> 11) / 9_007_199_254_740_992
        return range.lowerBound + share * (range.upperBound - range.lowerBound)
    }

    mutating func count(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    mutating func chance(_ share: Double) -> Bool { number(0...1) < share }
}
