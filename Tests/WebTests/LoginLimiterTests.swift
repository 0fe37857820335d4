import Testing
import Web

@Suite struct LoginLimiterTests {
    private let limiter = LoginLimiter()
    private let start = ContinuousClock.now

    private func begin(_ address: String, at second: Double = 0) -> Int? {
        limiter.begin(from: address, now: start + .seconds(second))
    }

    @Test func `three may fail from an address, the fourth waits`() {
        for second in 0..<3 { #expect(begin("a", at: Double(second)) == nil) }
        #expect(begin("a", at: 3) == 57)
        #expect(begin("a", at: 59.2) == 1)
        #expect(begin("b", at: 3) == nil)
        #expect(begin("a", at: 60) == nil)
        #expect(begin("a", at: 60) == 1)
    }

    @Test func `five may fail in all, whatever the address`() {
        for index in 0..<5 { #expect(begin("address \(index)", at: Double(index)) == nil) }
        #expect(begin("another", at: 5) == 55)
        #expect(begin("another", at: 60) == nil)
    }

    @Test func `a refused log-in does not prolong the wait`() {
        for _ in 0..<3 { #expect(begin("a") == nil) }
        for second in 0..<60 { #expect(begin("a", at: Double(second)) == 60 - second) }
        #expect(begin("a", at: 60) == nil)
    }

    @Test func `many at once cannot slip through before the first has failed`() {
        #expect((0..<100).count { _ in begin("a") == nil } == LoginLimiter.maximumPerAddress)
        #expect((0..<100).count { begin("address \($0)") == nil } == 2)
    }

    @Test func `a success resets the address and is no failure`() {
        #expect(begin("a") == nil && begin("a") == nil && begin("a") == nil)
        limiter.succeeded(from: "a")
        // Two failures remain among all.
        #expect(begin("a") == nil && begin("a") == nil && begin("a") == nil)
        #expect(begin("a") == 60 && begin("b") == 60)
    }

    @Test func `successes alone never fill the limit`() {
        for index in 0..<100 {
            #expect(begin("address \(index % 7)") == nil)
            limiter.succeeded(from: "address \(index % 7)")
        }
    }

    @Test func `one valid password does not open guesses without end`() {
        var guesses = 0
        for _ in 0..<50 {
            guard begin("a") == nil else { break }
            limiter.succeeded(from: "a")
            if begin("a") == nil { guesses += 1 }
        }
        #expect(guesses == LoginLimiter.maximumInAll)
    }

    @Test func `a success that nobody began changes nothing`() {
        limiter.succeeded(from: "a")
        for _ in 0..<3 { #expect(begin("a") == nil) }
        limiter.succeeded(from: "b")
        #expect(begin("a") == 60)
    }
}
