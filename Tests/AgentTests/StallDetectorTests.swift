import Agent
import Synchronization
import Testing

/// What decides whether the watchdog is fed, on a clock of its own.
@Suite struct StallDetectorTests {
    private final class Frames: Sendable {
        let passedOver = Mutex(0)
    }

    private let start = ContinuousClock.now
    private let patience = Duration.seconds(10)

    private func step(mayBeSilent: Bool, _ frames: Frames = Frames()) -> StallDetector {
        StallDetector(mayBeSilent: mayBeSilent, now: start) { frames.passedOver.withLock { $0 } }
    }

    @Test func `a camera whose frames are looked at is not stuck`() {
        var step = step(mayBeSilent: false)
        for second in 1...60 {
            step.advance(start + .seconds(second))
            #expect(!step.isStuck(start + .seconds(second + 9), patience: patience))
        }
    }

    @Test func `a camera without a step is stuck after the patience`() {
        let step = step(mayBeSilent: false)
        #expect(!step.isStuck(start + .seconds(10), patience: patience))
        #expect(step.isStuck(start + .seconds(11), patience: patience))
    }

    @Test func `a stream that falls silent is not stuck, one whose frames nobody takes is`() {
        let frames = Frames()
        var step = step(mayBeSilent: true, frames)
        frames.passedOver.withLock { $0 = 5 }
        step.advance(start + .seconds(1))
        #expect(!step.isStuck(start + .seconds(3600), patience: patience))
        frames.passedOver.withLock { $0 = 6 }
        #expect(step.isStuck(start + .seconds(3600), patience: patience))
        #expect(!step.isStuck(start + .seconds(5), patience: patience))
    }
}
