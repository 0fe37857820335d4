import Capture
import Foundation
import Synchronization
import Testing

/// A source that delivers a given number of frames on request.
private final class ScriptedSource: FrameSource {
    let format = SourceFormat(name: "script", widthPixels: 1, heightPixels: 1, rateHz: 30, durationSeconds: nil)
    let droppedFrames = 2
    private let frames: Int
    private let failure: CaptureError?
    private let sent = Mutex(0)
    let isDrained = DispatchSemaphore(value: 0)

    init(frames: Int, failure: CaptureError? = nil) {
        self.frames = frames
        self.failure = failure
    }

    func next() throws -> Frame? {
        let index = sent.withLock { sent -> Int in
            defer { sent += 1 }
            return sent
        }
        if index < frames {
            return Frame(
                index: index, time: Double(index) / 30, image: Image(widthPixels: 1, heightPixels: 1, rgb: [0, 0, 0]))
        }
        isDrained.signal()
        if let failure { throw failure }
        return nil
    }

    func stop() {}
}

@Suite struct NewestFrameSourceTests {
    @Test func `the newest frame wins, and every replaced one is counted`() throws {
        let source = ScriptedSource(frames: 10)
        let newest = NewestFrameSource(of: source, paced: false)
        source.isDrained.wait()
        #expect(try newest.next()?.index == 9)
        #expect(try newest.next() == nil)
        // Nine frames were replaced here, and two were lost before.
        #expect(newest.droppedFrames == 9 + 2)
    }

    @Test func `frames are skipped evenly when there is no time for all, and counted separately`() throws {
        var stride = FrameSkipping()
        // Sixty milliseconds a frame at 30 Hz: every third frame is used.
        for index in -300..<0 where stride.accepts(index: index, time: Double(index) / 30) {
            stride.add(.milliseconds(60))
        }
        var same = stride
        let taken = (0..<12).filter { same.accepts(index: $0, time: Double($0) / 30) }
        let source = ScriptedSource(frames: 12)
        let newest = NewestFrameSource(of: source, paced: false, skipping: stride)
        source.isDrained.wait()
        #expect(taken.count == 4)
        // The last of the four frames is still waiting.
        #expect(try newest.next()?.index == taken.last)
        #expect(newest.skipped.stride == 3 && newest.skipped.count == 8)
        #expect(newest.droppedFrames == 3 + 2)
    }

    @Test func `an error comes after the last frame`() throws {
        let failure = CaptureError.cameraLost(device: "/dev/video0", reason: "unplugged")
        let source = ScriptedSource(frames: 1, failure: failure)
        let newest = NewestFrameSource(of: source, paced: false)
        source.isDrained.wait()
        #expect(try newest.next()?.index == 0)
        #expect(throws: failure) { try newest.next() }
    }

    @Test func `paced frames come no earlier than their time`() throws {
        let began = ContinuousClock.now
        let newest = NewestFrameSource(of: ScriptedSource(frames: 4), paced: true)
        var last: Frame?
        while let frame = try newest.next() { last = frame }
        #expect(last?.index == 3)
        #expect(began.duration(to: .now) >= .milliseconds(99))
    }

    @Test func `stopping wakes whoever waits`() async throws {
        let newest = NewestFrameSource(of: ScriptedSource(frames: 1_000_000), paced: true)
        _ = try newest.next()
        newest.stop()
        #expect(try newest.next() == nil)
    }
}
