import Capture
import Testing

struct SharedLoadTests {
    private let whole = SharedLoad(total: 1.6, most: 0.8)

    @Test func `busy cameras share evenly`() {
        let shares = (0..<4).map { _ in whole.join() }
        for share in shares { share.report(0.4) }
        #expect(shares.allSatisfy { abs($0.permitted - 0.4) < 1e-9 })
        withExtendedLifetime(shares) {}
    }

    @Test func `an idle camera lends what it does not need, and gets it back at once`() {
        let shares = (0..<4).map { _ in whole.join() }
        for share in shares { share.report(0.4) }
        shares[0].report(0.1)
        shares[1].report(0.1)
        #expect(abs(shares[2].permitted - 0.8) < 1e-9)
        shares[2].report(0.8)
        #expect(abs(shares[3].permitted - 0.6) < 1e-9)
        // Its own even share never shrinks.
        #expect(abs(shares[0].permitted - 0.4) < 1e-9)
        shares[0].report(0.4)
        #expect(shares[3].permitted < 0.4 + 1e-9)
        withExtendedLifetime(shares) {}
    }

    @Test func `a camera that is not open lends everything`() {
        let first = whole.join()
        do {
            let others = (0..<3).map { _ in whole.join() }
            for share in others { share.report(0.4) }
            #expect(abs(first.permitted - 0.4) < 1e-9)
            withExtendedLifetime(others) {}
        }
        #expect(first.permitted == 0.8)
    }

    @Test func `a busy camera skips fewer frames when the other one is idle`() {
        let whole = SharedLoad(total: 0.8, most: 0.8)
        let busy = whole.join(), other = whole.join()
        /// The stride after 20 s of frames that take 20 ms each, at 30 Hz.
        func stride(otherLoad: Double) -> Int {
            var skipping = FrameSkipping(FrameSkipping.Settings(maximumLoad: 0.8), share: busy)
            for index in 0..<600 {
                other.report(otherLoad)
                if skipping.accepts(index: index, time: Double(index) / 30) { skipping.add(.milliseconds(20)) }
            }
            return skipping.value
        }
        #expect(stride(otherLoad: 0.4) == 2)
        #expect(stride(otherLoad: 0.05) == 1)
        withExtendedLifetime(other) {}
    }
}
