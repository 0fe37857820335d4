import Foundation

/// Hands frames from a source that will not wait to a chain that may be busy: the newest frame wins.
///
/// One slot. A frame that comes while the slot is full replaces what is there, and the replaced frame is counted as
/// dropped. Where that would happen all the time, frames are left out evenly before (``FrameSkipping``), and counted as
/// skipped. A camera is read this way, and a recording that is paced like a camera.
public final class NewestFrameSource: FrameSource {
    public let format: SourceFormat
    private let source: any FrameSource
    private let slot: Slot

    /// Starts reading `source` on a thread of its own.
    ///
    /// - Parameters:
    ///   - paced: Deliver frames no earlier than their own time, as a camera would.
    ///   - stride: Says which frames are left out; it learns from how long a frame keeps whoever takes it.
    public init(of source: any FrameSource, paced: Bool, stride: FrameSkipping = FrameSkipping()) {
        self.source = source
        slot = Slot(stride) { source.decodingSeconds }
        format = source.format
        let slot = slot
        let thread = Thread {
            do {
                // From the first frame on: a stream is looked into for seconds before it gives any.
                var began: ContinuousClock.Instant?
                while let frame = try source.next(where: slot.accepts) {
                    let start = began ?? .now
                    began = start
                    if paced { slot.wait(until: start + .seconds(frame.time)) }
                    if !slot.put(frame) { return }
                }
                slot.end(with: nil)
            } catch {
                slot.end(with: error)
            }
        }
        thread.name = "capture"
        thread.start()
    }

    public func next() throws -> Frame? { try slot.take() }

    public func stop() {
        slot.close()
        source.stop()
    }

    public var droppedFrames: Int { slot.dropped + source.droppedFrames }

    public var decodingSeconds: Double { source.decodingSeconds }

    /// What was left out on purpose, and how much of what comes is taken now.
    public var thinning: SkippedFrames { slot.thinning }
}

/// The frames of a source that were left out evenly, for lack of time.
public struct SkippedFrames: Sendable, Equatable {
    /// Every so many-th frame is taken; 1 is all of them.
    public var stride = 1
    /// Frames left out so far.
    public var skippedFrames = 0

    public init() {}
}

/// The one place a frame waits in.
///
/// Unchecked: every access to the fields below happens with `condition` locked.
private final class Slot: @unchecked Sendable {
    private let condition = NSCondition()
    private var frame: Frame?
    private var ended = false
    private var closed = false
    private var failure: (any Error)?
    private var droppedCount = 0
    private var skippedCount = 0
    private var stride: FrameSkipping
    /// Since when whoever took the last frame is busy with it.
    private var taken: ContinuousClock.Instant?

    /// The processor time its decoder has used so far.
    private let decodingSeconds: @Sendable () -> Double

    init(_ stride: FrameSkipping, decodingSeconds: @escaping @Sendable () -> Double) {
        self.stride = stride
        self.decodingSeconds = decodingSeconds
    }

    var dropped: Int {
        condition.lock()
        defer { condition.unlock() }
        return droppedCount
    }

    var thinning: SkippedFrames {
        condition.lock()
        defer { condition.unlock() }
        var thinning = SkippedFrames()
        thinning.stride = stride.value
        thinning.skippedFrames = skippedCount
        return thinning
    }

    /// Whether a frame is not one of those that are left out, which are counted.
    func accepts(index: Int, time: Double) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let isTaken = stride.accepts(index: index, time: time)
        if !isTaken { skippedCount += 1 }
        return isTaken
    }

    /// Returns false when nobody wants frames any more.
    func put(_ new: Frame) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        if closed { return false }
        if frame != nil { droppedCount += 1 }
        frame = new
        condition.signal()
        return true
    }

    func take() throws -> Frame? {
        condition.lock()
        defer { condition.unlock() }
        if let taken { stride.add(taken.duration(to: .now), decodingSeconds: decodingSeconds()) }
        taken = nil
        while frame == nil && !ended && !closed { condition.wait() }
        if closed { return nil }
        if let next = frame {
            frame = nil
            taken = .now
            return next
        }
        if let failure { throw failure }
        return nil
    }

    func wait(until deadline: ContinuousClock.Instant) {
        condition.lock()
        defer { condition.unlock() }
        while !closed {
            let left = ContinuousClock.now.duration(to: deadline)
            if left <= .zero { return }
            _ = condition.wait(until: Date(timeIntervalSinceNow: left.seconds))
        }
    }

    func end(with error: (any Error)?) {
        condition.lock()
        defer { condition.unlock() }
        ended = true
        failure = error
        condition.broadcast()
    }

    func close() {
        condition.lock()
        defer { condition.unlock() }
        closed = true
        condition.broadcast()
    }
}
