import Agent
import Synchronization
import Testing

/// Tests the decision whether to feed the watchdog, with a test clock.
@Suite struct StallDetectorTests {
    private final class Frames: Sendable {
        let passedOver = Mutex(0)
    }

    private let start = ContinuousClock.now
    private let patience = Duration.seconds(10)

    private func step(mayBeSilent: Bool, _ frames: Frames = Frames()) -> StallDetector {
        StallDetector(mayBeSilent: mayBeSilent, now: start) { frames.passedOver.withLock { $0 } }
    }

    @Test func `a camera whose frames are processed is not stuck`() {
        var step = step(mayBeSilent: false)
        for second in 1...60 {
            step.advance(start + .seconds(second))
            #expect(!step.isStuck(start + .seconds(second + 9), patience: patience))
        }
    }

    @Test func `a camera without progress is stuck after the time limit`() {
        let step = step(mayBeSilent: false)
        #expect(!step.isStuck(start + .seconds(10), patience: patience))
        #expect(step.isStuck(start + .seconds(11), patience: patience))
    }

    @Test func `a silent stream is not stuck, but one whose frames are not processed is`() {
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
