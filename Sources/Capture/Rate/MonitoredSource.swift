import Foundation
import Synchronization

/// A live source that is watched for pictures that show nothing any more: frozen, or black.
///
/// Such frames are not delivered, so nothing is recognised in them, and after ``Settings/patienceSeconds`` the source
/// counts as stalled. No camera takes the same picture twice: there is always noise. Nothing is delivered either until
/// the picture has changed once, so that a source that stays frozen when it is opened again is not taken for alive.
public final class MonitoredSource: FrameSource {
    public struct Settings: Sendable {
        /// Frozen or black for so long is stalled, on the source's own clock.
        public var patienceSeconds: Double
        /// Whether the same picture again is left out; encoders of streams do repeat a still picture for a while.
        public var leavesOutRepeated: Bool

        public static let camera = Settings(patienceSeconds: 10, leavesOutRepeated: true)
        public static let stream = Settings(patienceSeconds: 60, leavesOutRepeated: false)
    }

    public var format: SourceFormat { source.format }
    private let source: any FrameSource
    private let settings: Settings
    private let state = Mutex(State())

    private struct State {
        var last: Image?
        /// When the picture last was a new one, and no black one.
        var lastChange: Double?
        var withheld = 0
    }

    public init(_ source: any FrameSource, settings: Settings) {
        self.source = source
        self.settings = settings
    }

    public func next() throws -> Frame? { try next { _, _ in true } }

    public func next(where isWanted: (_ index: Int, _ time: Double) -> Bool) throws -> Frame? {
        while let frame = try source.next(where: isWanted) {
            if try isWorthSeeing(frame) { return frame }
        }
        return nil
    }

    public func stop() { source.stop() }

    public var droppedFrames: Int { source.droppedFrames + state.withLock { $0.withheld } }

    public var decodingSeconds: Double { source.decodingSeconds }

    /// - Throws: ``CaptureError/cameraStalled(device:picture:)``
    private func isWorthSeeing(_ frame: Frame) throws -> Bool {
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
    /// The same pixels, every one.
    public static func == (a: Image, b: Image) -> Bool {
        a.widthPixels == b.widthPixels && a.heightPixels == b.heightPixels && a.layout == b.layout
            && a.bytes.withUnsafeBytes { a in
                b.bytes.withUnsafeBytes { b in
                    guard let first = a.baseAddress, let second = b.baseAddress else { return a.count == b.count }
                    return memcmp(first, second, a.count) == 0
                }
            }
    }

    /// Whether there is nothing to be seen: of some thousand samples no more than one in 500 is brighter than a covered
    /// lens's noise.
    public var isBlack: Bool {
        // Prime, so that the samples wander across the columns, and in RGB take turns between the channels.
        let step = 211
        let limit: UInt8 = layout == .yuyv(isFullRange: false) ? 16 + 24 : 28
        // Of what is not RGB only the brightness says anything about black.
        let unit = layout == .rgb ? 1 : 2
        var bright = 0, samples = 0
        bytes.withUnsafeBufferPointer { bytes in
            for index in stride(from: 0, to: bytes.count / unit, by: step) {
                bright += bytes[index * unit] > limit ? 1 : 0
                samples += 1
            }
        }
        return bright * 500 <= samples
    }
}
