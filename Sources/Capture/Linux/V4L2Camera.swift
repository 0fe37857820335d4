import CV4L2
import Foundation
import Glibc
import Synchronization

/// A camera of Video4Linux, read through libv4l, which converts whatever it delivers to RGB.
///
/// One life: open, agree on a format, stream from mapped buffers until stopped or unplugged.
public final class V4L2Camera: FrameSource {
    public struct Settings: Sendable {
        public var widthPixels: Int
        public var heightPixels: Int
        /// The model's rate; the camera's nearest one is taken.
        public var rateHz: Double

        public init(widthPixels: Int = 640, heightPixels: Int = 480, rateHz: Double = 30) {
            self.widthPixels = widthPixels
            self.heightPixels = heightPixels
            self.rateHz = rateHz
        }
    }

    public let format: SourceFormat
    private let device: String
    private let port: V4L2Port
    private let buffers: [MappedBuffer]
    private let state = Mutex(State())
    /// No picture for this long means the camera is gone.
    private static let patienceMilliseconds: Int32 = 5000

    private struct State {
        var stopped = false
        var firstTime: Double?
        var lastSequence: UInt32?
        var index = 0
        var dropped = 0
    }

    /// Opens `device` and starts streaming.
    ///
    /// - Throws: ``CaptureError``: no such camera, no permission, busy, not a camera, or it refuses a format.
    public init(_ device: String, settings: Settings = Settings()) throws {
        self.device = device
        port = try V4L2Port(opening: device)
        try port.requireStreamingCapture()
        let size = try port.agree(width: settings.widthPixels, height: settings.heightPixels)
        let rate = try port.agree(rateHz: settings.rateHz)
        buffers = try port.mapBuffers(count: 4)
        try port.startStreaming()
        format = SourceFormat(
            name: device, widthPixels: size.width, heightPixels: size.height, rateHz: rate, durationSeconds: nil)
    }

    public func next() throws -> Frame? {
        while !state.withLock({ $0.stopped }) {
            guard try waitForPicture() else { continue }
            var buffer = v4l2_buffer()
            buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
            buffer.memory = V4L2_MEMORY_MMAP.rawValue
            if cv4l2_ioctl(port.descriptor, cv4l2_dqbuf, &buffer) < 0 {
                if errno == EAGAIN || errno == EINTR { continue }
                throw lost()
            }
            let frame = frame(from: buffer)
            guard cv4l2_ioctl(port.descriptor, cv4l2_qbuf, &buffer) == 0 else { throw lost() }
            if let frame { return frame }
        }
        return nil
    }

    public func stop() {
        state.withLock { $0.stopped = true }
    }

    public var droppedFrames: Int { state.withLock { $0.dropped } }

    /// Waits in short steps, so that `stop()` is heard.
    private func waitForPicture() throws -> Bool {
        let step: Int32 = 250
        for _ in 0..<(Self.patienceMilliseconds / step) {
            var entry = pollfd(fd: port.descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&entry, 1, step)
            if state.withLock({ $0.stopped }) { return false }
            if ready > 0 {
                if entry.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { throw lost("the device went away") }
                return true
            }
            if ready < 0 && errno != EINTR { throw lost() }
        }
        throw lost("no picture for \(Self.patienceMilliseconds / 1000) s")
    }

    /// Copies the picture out; `nil` (and counted) when the driver marks it as broken or it is too short.
    private func frame(from buffer: v4l2_buffer) -> Frame? {
        let size = format.widthPixels * format.heightPixels * 3
        let whole = buffer.flags & UInt32(V4L2_BUF_FLAG_ERROR) == 0 && Int(buffer.bytesused) >= size
        let time = Double(buffer.timestamp.tv_sec) + Double(buffer.timestamp.tv_usec) * 1e-6
        let (index, since) = state.withLock { state -> (Int, Double) in
            let missed = state.lastSequence.map { max(0, Int(buffer.sequence) - Int($0) - 1) } ?? 0
            state.lastSequence = buffer.sequence
            state.dropped += missed + (whole ? 0 : 1)
            state.index += missed + 1
            let first = state.firstTime ?? time
            state.firstTime = first
            return (state.index - 1, time - first)
        }
        guard whole else { return nil }
        let rgb = Array(buffers[Int(buffer.index)].bytes(count: size))
        return Frame(
            index: index, time: since,
            image: Image(widthPixels: format.widthPixels, heightPixels: format.heightPixels, rgb: rgb))
    }

    private func lost(_ reason: String? = nil) -> CaptureError {
        .cameraLost(device: device, reason: reason ?? String(cString: strerror(errno)))
    }

    deinit {
        port.stopStreaming()
        buffers.forEach { $0.unmap() }
    }
}
