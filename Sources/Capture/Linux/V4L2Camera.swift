import CV4L2
import Foundation
import Synchronization

/// A camera of Video4Linux, read from mapped buffers and converted to RGB by libv4l.
///
/// One life: open, agree on a mode, set the controls, stream until stopped or unplugged.
public final class V4L2Camera: FrameSource {
    public struct Settings: Sendable {
        public var widthPixels: Int
        public var heightPixels: Int
        /// The model's rate; the camera's nearest one is taken.
        public var rateHz: Double
        public var controls = CameraControls()
        /// Nothing but this; `nil` for the best.
        public var pixelFormat: PixelFormat?
        /// The camera that was there before: it is looked for first, whatever its number is now.
        public var identity: String?
        /// No whole picture for so long means the camera is gone.
        package var patience = Duration.seconds(5)

        public init(widthPixels: Int = 640, heightPixels: Int = 480, rateHz: Double = 30) {
            self.widthPixels = widthPixels
            self.heightPixels = heightPixels
            self.rateHz = rateHz
        }
    }

    /// What became of the frames that were not delivered.
    public struct Losses: Sendable, Equatable {
        /// Taken by the driver, and never seen, because nobody was there in time or a newer one was.
        public var missed = 0
        /// Torn, too short, or not decodable.
        public var broken = 0

        public init(missed: Int = 0, broken: Int = 0) {
            self.missed = missed
            self.broken = broken
        }
    }

    public let format: SourceFormat
    /// What was agreed with the camera.
    public let mode: CameraMode
    /// The same after every replug and reboot; see ``CameraDevice/id``.
    public let identity: String
    /// Its path, one that stays the same where there is one.
    public let path: String
    /// What came of the wanted controls, one sentence each.
    public let controlNotes: [String]
    private let port: V4L2Port
    private let buffers: [MappedBuffer]
    private let converter: Mutex<PixelConverter>
    private let orientation: Orientation
    private let state = Mutex(State())
    private let patience: Duration

    private struct State {
        var stopped = false
        var firstTime: Double?
        var lastTime = 0.0
        var lastSequence: UInt32?
        var index = 0
        var losses = Losses()
        var lastFlaw: String?
    }

    /// Opens `device` and starts streaming.
    ///
    /// - Throws: ``CaptureError``: no such camera, no permission, busy, not a camera, or it refuses a format.
    public convenience init(_ device: String, settings: Settings = Settings()) throws {
        try self.init(device, settings: settings, calls: .libv4l)
    }

    package init(_ device: String, settings: Settings, calls: V4L2Calls, list: CameraList = CameraList()) throws {
        patience = settings.patience
        let device = settings.identity.flatMap { list.path(of: $0) } ?? device
        port = try V4L2Port(opening: device, calls: calls)
        let capability = try port.capability()
        identity = list.identity(of: device, capability)
        path = list.link(to: device) ?? device
        // First, since a camera that turns its pictures has other sizes.
        (orientation, controlNotes) = settings.controls.apply(to: port)
        let wanted = try port.choose(settings).best
        let agreed = try port.agree(on: wanted)
        let rate = try port.agree(rateHz: wanted.rateHz > 0 ? wanted.rateHz : settings.rateHz)
        mode = CameraMode(
            format: PixelFormat(code: agreed.fmt.pix.pixelformat), widthPixels: Int(agreed.fmt.pix.width),
            heightPixels: Int(agreed.fmt.pix.height), rateHz: rate)
        guard PixelConverter.canConvert(mode.format),
            let converter = PixelConverter(from: agreed, makesRGB: orientation != .upright)
        else {
            throw CaptureError.cameraFormat(device: device, step: "RGB", reason: "libv4l cannot convert \(mode.format)")
        }
        self.converter = Mutex(converter)
        buffers = try port.mapBuffers(count: 4)
        try port.startStreaming()
        let isSideways = orientation.isSideways
        format = SourceFormat(
            name: device, widthPixels: isSideways ? mode.heightPixels : mode.widthPixels,
            heightPixels: isSideways ? mode.widthPixels : mode.heightPixels, rateHz: rate, durationSeconds: nil)
    }

    deinit { port.stopStreaming() }

    public func next() throws -> Frame? { try next { _, _ in true } }

    public func next(where isWanted: (_ index: Int, _ time: Double) -> Bool) throws -> Frame? {
        let deadline = ContinuousClock.now + patience
        while !state.withLock({ $0.stopped }) {
            // In short steps, so that `stop()` is heard.
            switch port.wait(milliseconds: 250) {
            case .gone: throw CaptureError.cameraUnplugged(device: port.device)
            case .ready: if let frame = try newestFrame(isWanted) { return frame }
            case .nothing: break
            }
            guard ContinuousClock.now < deadline else { throw silent() }
        }
        return nil
    }

    /// `nil` when there is none yet, it is not wanted, or not whole.
    private func newestFrame(_ isWanted: (_ index: Int, _ time: Double) -> Bool) throws -> Frame? {
        guard let buffer = try newest() else { return nil }
        let frame = try frame(from: buffer, isWanted)
        try port.queue(buffer)
        return frame
    }

    public func stop() { state.withLock { $0.stopped = true } }

    public var losses: Losses { state.withLock { $0.losses } }

    public var droppedFrames: Int { state.withLock { $0.losses.missed + $0.losses.broken } }

    private func silent() -> CaptureError {
        let flaw = state.withLock { $0.lastFlaw }
        let seconds = patience.formatted(.units(allowed: [.seconds]))
        return .cameraLost(
            device: port.device,
            reason: flaw.map { "no whole picture for \(seconds) (\($0))" } ?? "no picture for \(seconds)")
    }

    /// The newest filled buffer; those before it go back unseen.
    private func newest() throws -> v4l2_buffer? {
        guard var newest = try port.dequeue() else { return nil }
        while let newer = try port.dequeue() {
            try port.queue(newest)
            newest = newer
        }
        return newest
    }

    /// Converts the picture if it is wanted; `nil` (and counted) when it is not whole.
    private func frame(
        from buffer: v4l2_buffer, _ isWanted: (_ index: Int, _ time: Double) -> Bool
    ) throws -> Frame? {
        guard buffers.indices.contains(Int(buffer.index)) else {
            throw CaptureError.cameraLost(device: port.device, reason: "its driver names a buffer that is not there")
        }
        let (index, time) = place(of: buffer)
        guard isWanted(index, time) else { return nil }
        do throws(PixelConverter.UnreadablePicture) {
            let frame = Frame(index: index, time: time, image: try image(from: buffer))
            state.withLock { $0.lastFlaw = nil }
            return frame
        } catch {
            state.withLock { state in
                state.losses.broken += 1
                state.lastFlaw = error.reason
            }
            return nil
        }
    }

    /// The how many-th of all frames it is, those counted that were missed, and its time since the first.
    private func place(of buffer: v4l2_buffer) -> (index: Int, time: Double) {
        let time = Self.time(of: buffer)
        return state.withLock { state in
            // Wraps around after years; a driver that begins anew counts as having lost nothing.
            let step = state.lastSequence.map { Int(Int32(truncatingIfNeeded: buffer.sequence &- $0)) } ?? 1
            let missed = max(0, step - 1)
            state.lastSequence = buffer.sequence
            state.losses.missed += missed
            state.index += missed + 1
            let first = state.firstTime ?? time
            state.firstTime = first
            // Whoever follows people relies on time that goes on.
            state.lastTime = max(time - first, state.index == missed + 1 ? 0 : state.lastTime + 0.001)
            return (state.index - 1, state.lastTime)
        }
    }

    private func image(from buffer: v4l2_buffer) throws(PixelConverter.UnreadablePicture) -> Image {
        let count = Int(buffer.bytesused), mapped = buffers[Int(buffer.index)]
        if buffer.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0 { throw .init(reason: "the driver says it is damaged") }
        guard count > 0 else { throw .init(reason: "it is empty") }
        guard count <= mapped.length else { throw .init(reason: "\(count) bytes in a buffer of \(mapped.length)") }
        let image = try converter.withLock { converter throws(PixelConverter.UnreadablePicture) in
            try converter.image(from: mapped.bytes(count: count))
        }
        return image.turned(orientation)
    }

    /// When the picture was taken, in seconds of the monotonic clock; where the driver uses another one, now.
    private static func time(of buffer: v4l2_buffer) -> Double {
        let stamp = buffer.timestamp
        let isMonotonic =
            buffer.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK) == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
        if isMonotonic && (stamp.tv_sec, stamp.tv_usec) != (0, 0) {
            return Double(stamp.tv_sec) + Double(stamp.tv_usec) * 1e-6
        }
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
    }
}
