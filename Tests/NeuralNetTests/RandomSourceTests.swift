import NeuralNet
import Testing

@Suite struct RandomSourceTests {
    @Test func `the stream is SplitMix64's`() {
        // The reference implementation's first numbers for seed 1234567 (Vigna, prng.di.unimi.it/splitmix64.c).
        var random = RandomSource(seed: 1_234_567)
        let expected: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ]
        #expect((0..<5).map { _ in random.next() } == expected)
    }

    @Test func `normal numbers have mean 0 and variance 1`() {
        var random = RandomSource(seed: 5)
        let values = (0..<100_000).map { _ in Double(random.normal()) }
        #expect(abs(values.reduce(0, +) / 100_000) < 0.01)
        #expect(abs(values.reduce(0) { $0 + $1 * $1 } / 100_000 - 1) < 0.01)
    }

    @Test func `paths below one seed give different numbers, and the same path the same`() {
        var numbers: Set<UInt64> = []
        for first in 0..<50 as Range<UInt64> {
            for second in 0..<50 as Range<UInt64> {
                var random = RandomSource(seed: 1, path: first, second)
                numbers.insert(random.next())
            }
        }
        #expect(numbers.count == 2_500)
        var once = RandomSource(seed: 1, path: 2, 3), again = RandomSource(seed: 1, path: 2, 3)
        #expect(once.next() == again.next())
    }

    @Test func `shuffling keeps every element`() {
        var random = RandomSource(seed: 6)
        var numbers = Array(0..<100)
        random.shuffle(&numbers)
        #expect(numbers != Array(0..<100))
        #expect(numbers.sorted() == Array(0..<100))
    }
}
