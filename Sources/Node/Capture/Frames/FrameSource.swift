import Foundation

/// A source of frames, such as a camera or a video file. It is open from `init` to ``stop()`` and cannot be reopened.
///
/// `next()` blocks, so call it from a thread that may wait (see ``Frames``). `stop()` may be called from any thread.
public protocol FrameSource: AnyObject, Sendable {
    /// The size, rate and length of the source, known once it is open.
    var format: SourceFormat { get }

    /// Waits for the next frame. Returns `nil` when the source has ended or was stopped.
    ///
    /// - Throws: ``CaptureError`` when the source fails, after all earlier frames have been delivered.
    func next() throws -> Frame?

    /// Waits for the next frame that `isWanted` accepts. The source need not decode the others.
    ///
    /// - Throws: ``CaptureError`` when the source fails.
    func next(where isWanted: (_ index: Int, _ time: Double) -> Bool) throws -> Frame?

    /// Makes a current or later `next()` return `nil` soon, and frees the device or process.
    func stop()

    /// Frames that were captured but not delivered, because they were late, damaged or replaced by a newer one.
    var droppedFrames: Int { get }

    /// The processor time that child processes have used so far to decode the source, in seconds; 0 without any.
    var decodingSeconds: Double { get }
}

extension FrameSource {
    /// 0: no child process decodes the source.
    public var decodingSeconds: Double { 0 }

    /// Reads frames until one is wanted. Sources that can skip decoding replace this.
    public func next(where isWanted: (_ index: Int, _ time: Double) -> Bool) throws -> Frame? {
        while let frame = try next() {
            if isWanted(frame.index, frame.time) { return frame }
        }
        return nil
    }
}

/// The name, picture size, rate and length of a source.
public struct SourceFormat: Sendable, Equatable {
    /// The name used in messages: a path, a URL without secrets, or a device.
    public let name: String
    /// Width of the pictures.
    public let widthPixels: Int
    /// Height of the pictures.
    public let heightPixels: Int
    /// Frames per second that the source delivers, or that are taken at most where only their arrival is known.
    public let rateHz: Double
    /// Length of a recording in seconds; `nil` for cameras and streams.
    public let durationSeconds: Double?
    /// Where the times of its frames come from.
    public let timing: Timing

    /// Where the times of frames come from.
    public enum Timing: Sendable {
        /// The source tells them.
        case stamps
        /// They are those of the arrival: the source is live and tells none.
        case arrival
        /// They are made up from the rate: a recording that tells none.
        case assumed
    }

    /// Size and rate in words, such as `640×480 at 30 Hz`.
    public var words: String {
        let size = "\(widthPixels)×\(heightPixels)"
        guard timing != .arrival else { return size + ", timed by arrival: the stream has no time stamps" }
        let rate = rateHz.formatted(.number.precision(.fractionLength(0...2)))
        return "\(size) at \(rate) Hz" + (timing == .assumed ? ", assumed: the recording has no time stamps" : "")
    }

    /// Creates a format from its parts.
    public init(
        name: String, widthPixels: Int, heightPixels: Int, rateHz: Double, durationSeconds: Double?,
        timing: Timing = .stamps
    ) {
        self.name = name
        self.widthPixels = widthPixels
        self.heightPixels = heightPixels
        self.rateHz = rateHz
        self.durationSeconds = durationSeconds
        self.timing = timing
    }
}

/// The frames of a source as an asynchronous sequence, in order, pulled one by one.
///
/// Waiting for a frame blocks the executor's thread, so iterate on a dedicated executor such as ``SerialTaskExecutor``.
public struct Frames: AsyncSequence {
    /// The sequence delivers frames.
    public typealias Element = Frame
    private let source: any FrameSource

    /// Creates the sequence. It does not read the source until it is iterated.
    public init(of source: any FrameSource) { self.source = source }

    public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

    /// Calls ``FrameSource/next()`` for every element.
    public struct Iterator: AsyncIteratorProtocol {
        let source: any FrameSource

        public mutating func next() async throws -> Frame? { try source.next() }

        public mutating func next(isolation: isolated (any Actor)?) async throws -> Frame? { try source.next() }
    }
}
