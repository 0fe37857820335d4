/// Where pictures come from: one life, from open to close. Opening again is the caller's business.
///
/// `next()` blocks, so it is called from a thread that may wait (see ``Frames``); `stop()` may come from any thread.
public protocol FrameSource: AnyObject, Sendable {
    /// What is known of the source since it was opened.
    var format: SourceFormat { get }

    /// Waits for the next frame; `nil` when the source has ended or was stopped.
    ///
    /// - Throws: ``CaptureError`` when the source fails; every frame before that has been delivered.
    func next() throws -> Frame?

    /// The same for who leaves frames out: of those that are not wanted no picture need be made.
    func next(where isWanted: (_ index: Int, _ time: Double) -> Bool) throws -> Frame?

    /// Makes a waiting or later `next()` return `nil` soon, and frees the device or process.
    func stop()

    /// Frames that were taken and never delivered, because they came too late or a newer one was there.
    var droppedFrames: Int { get }

    /// The processor time that programs have used so far to decode it, in seconds; 0 where none helps.
    var decodingSeconds: Double { get }
}

extension FrameSource {
    public var decodingSeconds: Double { 0 }

    public func next(where isWanted: (_ index: Int, _ time: Double) -> Bool) throws -> Frame? {
        while let frame = try next() {
            if isWanted(frame.index, frame.time) { return frame }
        }
        return nil
    }
}

/// What a source delivers.
public struct SourceFormat: Sendable, Equatable {
    /// How the source is called in messages: a path, URL or device.
    public let name: String
    public let widthPixels: Int
    public let heightPixels: Int
    /// Frames per second that the source delivers.
    public let rateHz: Double
    /// Length of a recording in seconds; `nil` for cameras and streams.
    public let durationSeconds: Double?

    public init(name: String, widthPixels: Int, heightPixels: Int, rateHz: Double, durationSeconds: Double?) {
        self.name = name
        self.widthPixels = widthPixels
        self.heightPixels = heightPixels
        self.rateHz = rateHz
        self.durationSeconds = durationSeconds
    }
}

/// The frames of a source as an asynchronous sequence, in order, pulled one by one.
///
/// Waiting for a frame blocks the executor's thread, so iterate on an executor of your own, such as ``InferenceExecutor``.
public struct Frames: AsyncSequence {
    public typealias Element = Frame
    private let source: any FrameSource

    public init(of source: any FrameSource) { self.source = source }

    public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

    public struct Iterator: AsyncIteratorProtocol {
        let source: any FrameSource

        public mutating func next() async throws -> Frame? { try source.next() }

        public mutating func next(isolation: isolated (any Actor)?) async throws -> Frame? { try source.next() }
    }
}
