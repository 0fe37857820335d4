import Foundation

/// Passes the newest frame of a live source to a consumer that may be busy.
///
/// There is one slot. A new frame replaces an unread one, which is counted as dropped. When the consumer is too slow
/// for all frames, ``FrameSkipping`` evenly skips some before they reach the slot, and they are counted as skipped.
/// Cameras are read this way, and recordings that are paced like a camera.
public final class NewestFrameSource: FrameSource {
    /// The source's format.
    public let format: SourceFormat
    private let source: any FrameSource
    private let slot: Slot

    /// Starts reading `source` on a new thread.
    ///
    /// - Parameters:
    ///   - paced: Whether to deliver frames no earlier than their own time, as a camera would.
    ///   - skipping: Decides which frames are skipped, from how long the consumer takes for a frame.
    public init(of source: any FrameSource, paced: Bool, skipping: FrameSkipping = FrameSkipping()) {
        self.source = source
        slot = Slot(skipping) { source.decodingSeconds }
        format = source.format
        let slot = slot
        let thread = Thread {
            do {
                // Pacing starts at the first frame: a stream is probed for seconds before it delivers one.
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

    /// Waits for the newest frame. Returns `nil` when the source has ended or was stopped.
    ///
    /// - Throws: the error that ended the source.
    public func next() throws -> Frame? { try slot.take() }

    /// Stops the source and ends the reading thread.
    public func stop() {
        slot.close()
        source.stop()
    }

    /// Frames replaced in the slot, and those the source dropped.
    public var droppedFrames: Int { slot.dropped + source.droppedFrames }

    /// The source's decoding time.
    public var decodingSeconds: Double { source.decodingSeconds }

    /// The frames that were skipped, and the current stride.
    public var skipped: SkippedFrames { slot.skipped }
}

/// How many frames of a source were skipped for lack of time.
public struct SkippedFrames: Sendable, Equatable {
    /// The current stride: 1 processes every frame, 2 every second one.
    public var stride = 1
    /// Frames skipped so far.
    public var count = 0

    /// No skipped frames, and a stride of 1.
    public init() {}
}

/// Holds the newest unread frame.
///
/// `@unchecked Sendable` is safe because all mutable fields are accessed with `condition` locked.
private final class Slot: @unchecked Sendable {
    private let condition = NSCondition()
    private var frame: Frame?
    private var ended = false
    private var closed = false
    private var failure: (any Error)?
    private var droppedCount = 0
    private var skippedCount = 0
    private var skipping: FrameSkipping
    /// When the consumer received the frame it is processing.
    private var taken: ContinuousClock.Instant?

    /// Reads the processor time that the decoder has used so far.
    private let decodingSeconds: @Sendable () -> Double

    init(_ skipping: FrameSkipping, decodingSeconds: @escaping @Sendable () -> Double) {
        self.skipping = skipping
        self.decodingSeconds = decodingSeconds
    }

    var dropped: Int {
        condition.lock()
        defer { condition.unlock() }
        return droppedCount
    }

    var skipped: SkippedFrames {
        condition.lock()
        defer { condition.unlock() }
        var skipped = SkippedFrames()
        skipped.stride = skipping.value
        skipped.count = skippedCount
        return skipped
    }

    /// Whether the frame should be processed. Skipped frames are counted.
    func accepts(index: Int, time: Double) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let isTaken = skipping.accepts(index: index, time: time)
        if !isTaken { skippedCount += 1 }
        return isTaken
    }

    /// Stores a frame. Returns `false` once the slot is closed.
    func put(_ new: Frame) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        if closed { return false }
        if frame != nil { droppedCount += 1 }
        frame = new
        condition.signal()
        return true
    }

    /// Waits for a frame and empties the slot.
    func take() throws -> Frame? {
        condition.lock()
        defer { condition.unlock() }
        if let taken { skipping.add(taken.duration(to: .now), decodingSeconds: decodingSeconds()) }
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
