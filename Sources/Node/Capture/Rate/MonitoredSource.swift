import Foundation
import Synchronization

/// Watches a live source for frozen or black pictures.
///
/// Black frames are withheld, and so are a camera's frozen ones, so nothing is recognised in them. After
/// ``Settings/patienceSeconds`` the source counts as stalled. Sensor noise makes every two pictures of a camera differ, so an identical picture means a
/// frozen camera. Frames are delivered only after the picture has changed once; a source that is still frozen after
/// reopening is thus not taken for a working one.
public final class MonitoredSource: FrameSource {
    /// When a source counts as stalled.
    public struct Settings: Sendable {
        /// Seconds of frozen or black pictures, on the source's clock, after which the source counts as stalled.
        public var patienceSeconds: Double
        /// Whether repeated pictures are withheld. `false` for streams, whose encoders repeat still pictures.
        public var leavesOutRepeated: Bool

        /// For cameras of this machine.
        public static let camera = Settings(patienceSeconds: 10, leavesOutRepeated: true)
        /// For network streams.
        public static let stream = Settings(patienceSeconds: 60, leavesOutRepeated: false)
    }

    /// The watched source's format.
    public var format: SourceFormat { source.format }
    private let source: any FrameSource
    private let settings: Settings
    private let state = Mutex(State())

    private struct State {
        var last: Image?
        /// The time of the last picture that was new and not black.
        var lastChange: Double?
        var withheld = 0
    }

    /// Watches `source`.
    public init(_ source: any FrameSource, settings: Settings) {
        self.source = source
        self.settings = settings
    }

    public func next() throws -> Frame? { try next { _, _ in true } }

    /// Waits for the next wanted frame that is neither frozen nor black.
    ///
    /// - Throws: ``CaptureError/cameraStalled(device:picture:)``, and the errors of the watched source.
    public func next(where isWanted: (_ index: Int, _ time: Double) -> Bool) throws -> Frame? {
        while let frame = try source.next(where: isWanted) {
            if try shouldDeliver(frame) { return frame }
        }
        return nil
    }

    /// Stops the watched source.
    public func stop() { source.stop() }

    /// The watched source's dropped frames and the withheld ones.
    public var droppedFrames: Int { source.droppedFrames + state.withLock { $0.withheld } }

    /// The watched source's decoding time.
    public var decodingSeconds: Double { source.decodingSeconds }

    /// Whether the picture is new and not black.
    ///
    /// - Throws: ``CaptureError/cameraStalled(device:picture:)`` after ``Settings/patienceSeconds`` without such a
    ///   picture.
    private func shouldDeliver(_ frame: Frame) throws -> Bool {
        let isBlack = frame.image.isBlack
        return try state.withLock { state in
            let before = state.last
            state.last = frame.image
            let isRepeated = before.map { $0 == frame.image }
            if !isBlack && isRepeated == false || state.lastChange == nil { state.lastChange = frame.time }
            if let since = state.lastChange, frame.time - since >= settings.patienceSeconds {
                throw CaptureError.cameraStalled(device: source.format.name, picture: isBlack ? .black : .frozen)
            }
            let isWanted = !isBlack && (isRepeated == false || !settings.leavesOutRepeated)
            if !isWanted { state.withheld += 1 }
            return isWanted
        }
    }
}

extension Image: Equatable {
    /// Whether size, layout and all pixels are equal.
    public static func == (a: Image, b: Image) -> Bool {
        a.widthPixels == b.widthPixels && a.heightPixels == b.heightPixels && a.layout == b.layout
            && a.bytes.withUnsafeBytes { a in
                b.bytes.withUnsafeBytes { b in
                    guard let first = a.baseAddress, let second = b.baseAddress else { return a.count == b.count }
                    return memcmp(first, second, a.count) == 0
                }
            }
    }

    /// Whether the picture is black: of some thousand sampled pixels, at most one in 500 is brighter than the noise of
    /// a covered lens.
    public var isBlack: Bool {
        // A prime step spreads the samples over the columns, and in RGB over the channels.
        let step = 211
        let limit: UInt8 = layout.isFullRange ? 28 : 16 + 24
        // In YUYV only every other byte is brightness, in NV12 the first two thirds.
        let unit = layout == .rgb ? 1 : brightness.step
        let count = layout == .rgb ? bytes.count : widthPixels * heightPixels
        var bright = 0, samples = 0
        bytes.withUnsafeBufferPointer { bytes in
            for index in stride(from: 0, to: count, by: step) {
                bright += bytes[index * unit] > limit ? 1 : 0
                samples += 1
            }
        }
        return bright * 500 <= samples
    }
}
