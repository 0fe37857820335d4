import CV4L2
import Foundation
import Synchronization

/// A Video4Linux camera. It streams into mapped buffers, which ``PixelConverter`` turns into images.
///
/// Opening sets the controls, negotiates a mode and starts streaming. The camera streams until it is stopped or
/// unplugged, and cannot be reopened.
public final class V4L2Camera: FrameSource {
    /// The wanted mode and controls.
    public struct Settings: Sendable {
        /// The wanted width; the nearest offered size is used.
        public var widthPixels: Int
        /// The wanted height.
        public var heightPixels: Int
        /// The wanted frames per second, usually the model's rate.
        public var rateHz: Double
        /// Exposure, gain, orientation and so on.
        public var controls = CameraControls()
        /// The only format to use; `nil` chooses the best one.
        public var pixelFormat: PixelFormat?
        /// The identity of the camera that was used before. It is looked for first, whatever its device number is now.
        public var identity: String?
        /// The camera counts as lost after this time without a complete picture.
        package var patience = Duration.seconds(5)

        /// Creates settings that keep the camera's controls.
        public init(widthPixels: Int = 640, heightPixels: Int = 480, rateHz: Double = 30) {
            self.widthPixels = widthPixels
            self.heightPixels = heightPixels
            self.rateHz = rateHz
        }
    }

    /// How many frames were not delivered, by cause.
    public struct Losses: Sendable, Equatable {
        /// Captured by the driver but not read in time, or replaced by a newer one.
        public var missed = 0
        /// Torn, too short or not decodable.
        public var broken = 0

        /// Creates counts.
        public init(missed: Int = 0, broken: Int = 0) {
            self.missed = missed
            self.broken = broken
        }
    }

    /// What the camera delivers, after turning.
    public let format: SourceFormat
    /// The mode that was negotiated with the camera.
    public let mode: CameraMode
    /// The stable identity; see ``CameraDevice/id``.
    public let identity: String
    /// The stable path of the device if there is one, else its device path.
    public let path: String
    /// The outcome for each requested control.
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
        var lastDefect: String?
    }

    /// Opens `device` and starts streaming.
    ///
    /// - Throws: ``CaptureError`` when there is no such camera, permission is missing, it is busy, it is not a camera,
    ///   or it refuses a format.
    public convenience init(_ device: String, settings: Settings = Settings()) throws {
        try Pipes.refuse(device)
        try self.init(device, settings: settings, calls: .libv4l)
    }

    /// Opens a device with other system calls, for tests.
    ///
    /// - Throws: ``CaptureError``
    package init(_ device: String, settings: Settings, calls: V4L2Calls, list: CameraList = CameraList()) throws {
        patience = settings.patience
        let device = settings.identity.flatMap { list.path(of: $0) } ?? device
        port = try V4L2Port(opening: device, calls: calls)
        let capability = try port.capability()
        identity = list.identity(of: device, capability)
        path = list.link(to: device) ?? device
        // Before the mode is chosen, since a camera that turns its pictures offers other sizes.
        (orientation, controlNotes) = settings.controls.apply(to: port)
        let wanted = try port.choose(settings).best
        let agreed = try port.agree(on: wanted)
        let rate = try port.agree(rateHz: wanted.rateHz > 0 ? wanted.rateHz : settings.rateHz)
        mode = CameraMode(
            format: PixelFormat(code: agreed.fmt.pix.pixelformat), widthPixels: Int(agreed.fmt.pix.width),
            heightPixels: Int(agreed.fmt.pix.height), rateHz: rate)
        guard let converter = PixelConverter(from: agreed, makesRGB: orientation != .upright) else {
            throw CaptureError.cameraFormat(
                device: device, step: "RGB",
                reason: "\(mode.format) of \(mode.widthPixels)x\(mode.heightPixels) pixels cannot be converted")
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

    /// Waits for the newest frame. Returns `nil` after ``stop()``.
    ///
    /// - Throws: ``CaptureError/cameraUnplugged(device:)`` or ``CaptureError/cameraLost(device:reason:)``
    public func next() throws -> Frame? { try next { _, _ in true } }

    /// Waits for the newest frame that is wanted; other frames are not converted. Returns `nil` after ``stop()``.
    ///
    /// - Throws: ``CaptureError/cameraUnplugged(device:)`` or ``CaptureError/cameraLost(device:reason:)``
    public func next(where isWanted: (_ index: Int, _ time: Double) -> Bool) throws -> Frame? {
        let deadline = ContinuousClock.now + patience
        while !state.withLock({ $0.stopped }) {
            // Short waits, so that `stop()` takes effect soon.
            switch port.wait(milliseconds: 250) {
            case .gone: throw CaptureError.cameraUnplugged(device: port.device)
            case .ready: if let frame = try newestFrame(isWanted) { return frame }
            case .nothing: break
            }
            guard ContinuousClock.now < deadline else { throw timeoutError() }
        }
        return nil
    }

    /// The newest frame; `nil` when there is none yet, it is not wanted, or it is damaged.
    private func newestFrame(_ isWanted: (_ index: Int, _ time: Double) -> Bool) throws -> Frame? {
        guard let buffer = try newest() else { return nil }
        let frame = try frame(from: buffer, isWanted)
        try port.queue(buffer)
        return frame
    }

    /// Makes a current or later `next()` return `nil`. Releasing the camera frees the device.
    public func stop() { state.withLock { $0.stopped = true } }

    /// Frames lost so far, by cause.
    public var losses: Losses { state.withLock { $0.losses } }

    /// All frames lost so far.
    public var droppedFrames: Int { state.withLock { $0.losses.missed + $0.losses.broken } }

    private func timeoutError() -> CaptureError {
        let defect = state.withLock { $0.lastDefect }
        let seconds = patience.formatted(.units(allowed: [.seconds]))
        return .cameraLost(
            device: port.device,
            reason: defect.map { "no whole picture for \(seconds) (\($0))" } ?? "no picture for \(seconds)")
    }

    /// The newest filled buffer; `nil` when there is none. Older ones go back to the driver.
    private func newest() throws -> v4l2_buffer? {
        guard var newest = try port.dequeue() else { return nil }
        while let newer = try port.dequeue() {
            try port.queue(newest)
            newest = newer
        }
        return newest
    }

    /// Converts the picture if it is wanted. Returns `nil` when it is not wanted or damaged; damaged ones are counted.
    private func frame(
        from buffer: v4l2_buffer, _ isWanted: (_ index: Int, _ time: Double) -> Bool
    ) throws -> Frame? {
        guard buffers.indices.contains(Int(buffer.index)) else {
            throw CaptureError.cameraLost(device: port.device, reason: "its driver returned an unknown buffer")
        }
        let (index, time) = place(of: buffer)
        guard isWanted(index, time) else { return nil }
        do throws(PixelConverter.UnreadablePicture) {
            let frame = Frame(index: index, time: time, image: try image(from: buffer))
            state.withLock { $0.lastDefect = nil }
            return frame
        } catch {
            state.withLock { state in
                state.losses.broken += 1
                state.lastDefect = error.reason
            }
            return nil
        }
    }

    /// The index of the frame, counting missed frames, and its time in seconds since the first frame.
    private func place(of buffer: v4l2_buffer) -> (index: Int, time: Double) {
        let time = Self.time(of: buffer)
        return state.withLock { state in
            // The sequence number wraps around after years. A driver that restarts its count has lost nothing.
            let step = state.lastSequence.map { Int(Int32(truncatingIfNeeded: buffer.sequence &- $0)) } ?? 1
            let missed = max(0, step - 1)
            state.lastSequence = buffer.sequence
            state.losses.missed += missed
            state.index += missed + 1
            let first = state.firstTime ?? time
            state.firstTime = first
            // Tracking requires strictly increasing times.
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

    /// When the picture was taken, in seconds of the monotonic clock. It is now if the driver uses another clock.
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
