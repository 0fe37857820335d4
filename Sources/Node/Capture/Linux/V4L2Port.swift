import CV4L2
import Foundation
import Glibc

/// An open video device. The methods are in the order in which a device requires the calls.
///
/// The device is closed when the last reference is released.
final class V4L2Port: Sendable {
    let device: String
    private let descriptor: Int32
    private let calls: V4L2Calls

    /// Opens a device.
    ///
    /// - Throws: ``CaptureError`` when it is missing, busy, forbidden or not a camera.
    init(opening device: String, calls: V4L2Calls = .libv4l) throws {
        self.device = device
        self.calls = calls
        descriptor = calls.open(device)
        guard descriptor >= 0 else {
            switch -descriptor {
            case ENOENT, ENODEV, ENXIO:
                throw CaptureError.cameraNotFound(device: device, present: CameraList.paths())
            case EACCES, EPERM: throw CaptureError.permissionDenied(path: device, group: FileGroup.name(of: device))
            case ENOTTY, EINVAL, EISDIR: throw CaptureError.notACamera(device: device)
            case EBUSY: throw busy()
            default: throw CaptureError.cameraLost(device: device, reason: Self.text(-descriptor))
            }
        }
    }

    deinit { if descriptor >= 0 { calls.close(descriptor) } }

    /// Calls ioctl. Returns 0, or the errno.
    func control<Argument>(_ request: UInt, _ argument: inout Argument) -> Int32 {
        withUnsafeMutablePointer(to: &argument) { -calls.control(descriptor, request, UnsafeMutableRawPointer($0)) }
    }

    /// The device's capabilities and names.
    ///
    /// - Throws: ``CaptureError/notACamera(device:)`` when it cannot stream pictures.
    func capability() throws -> v4l2_capability {
        var capability = v4l2_capability()
        guard control(cv4l2_querycap, &capability) == 0 else { throw CaptureError.notACamera(device: device) }
        let able =
            capability.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
            ? capability.device_caps : capability.capabilities
        let needed = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_STREAMING)
        guard able & needed == needed else { throw CaptureError.notACamera(device: device) }
        return capability
    }

    /// Sets a mode. Returns the format that the camera will deliver, which may differ.
    func agree(on mode: CameraMode) throws -> v4l2_format {
        var format = v4l2_format()
        format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        format.fmt.pix.width = UInt32(mode.widthPixels)
        format.fmt.pix.height = UInt32(mode.heightPixels)
        format.fmt.pix.pixelformat = mode.format.code
        format.fmt.pix.field = V4L2_FIELD_ANY.rawValue
        try check(control(cv4l2_s_fmt, &format), "the format \(mode)")
        let size = (width: format.fmt.pix.width, height: format.fmt.pix.height)
        guard (1...16_384).contains(size.width), (1...16_384).contains(size.height) else {
            throw CaptureError.cameraFormat(
                device: device, step: "the format \(mode)", reason: "it answers with \(size.width)×\(size.height)")
        }
        return format
    }

    /// Sets the nearest rate to `rateHz` and returns it. Returns `rateHz` when the camera does not report its rate.
    func agree(rateHz: Double) throws -> Double {
        var parameters = v4l2_streamparm()
        parameters.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        parameters.parm.capture.timeperframe = v4l2_fract(
            numerator: 1000, denominator: UInt32((rateHz * 1000).rounded()))
        let failure = control(cv4l2_s_parm, &parameters)
        if failure == EBUSY { throw busy() }
        let answer = parameters.parm.capture.timeperframe
        return failure == 0 && answer.numerator > 0 && answer.denominator > 0
            ? Double(answer.denominator) / Double(answer.numerator) : rateHz
    }

    /// Maps `count` buffers of the driver, and queues them all.
    func mapBuffers(count: Int) throws -> [MappedBuffer] {
        var request = v4l2_requestbuffers()
        request.count = UInt32(count)
        request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        request.memory = V4L2_MEMORY_MMAP.rawValue
        try check(control(cv4l2_reqbufs, &request), "streaming buffers")
        return try (0..<request.count).map { index in
            var buffer = v4l2_buffer()
            buffer.index = index
            buffer.type = request.type
            buffer.memory = request.memory
            try check(control(cv4l2_querybuf, &buffer), "a mapped buffer")
            guard let start = calls.map(descriptor, buffer.m.offset, Int(buffer.length)) else {
                throw CaptureError.cameraFormat(device: device, step: "a mapped buffer", reason: Self.text(errno))
            }
            let mapped = MappedBuffer(start: start, length: Int(buffer.length), unmap: calls.unmap)
            try check(control(cv4l2_qbuf, &buffer), "a mapped buffer")
            return mapped
        }
    }

    func startStreaming() throws {
        var type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        try check(control(cv4l2_streamon, &type), "to stream")
    }

    func stopStreaming() {
        var type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        _ = control(cv4l2_streamoff, &type)
    }

    func wait(milliseconds: Int32) -> V4L2Calls.Waiting { calls.wait(descriptor, milliseconds) }

    /// The next filled buffer; `nil` when there is none yet.
    ///
    /// - Throws: ``CaptureError/cameraUnplugged(device:)`` or ``CaptureError/cameraLost(device:reason:)``
    func dequeue() throws -> v4l2_buffer? {
        var buffer = v4l2_buffer()
        buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        buffer.memory = V4L2_MEMORY_MMAP.rawValue
        switch control(cv4l2_dqbuf, &buffer) {
        case 0: return buffer
        case EAGAIN, EINTR: return nil
        case let failure: throw lost(failure)
        }
    }

    /// Gives a buffer back to the driver.
    func queue(_ buffer: v4l2_buffer) throws {
        var buffer = buffer
        let failure = control(cv4l2_qbuf, &buffer)
        if failure != 0 { throw lost(failure) }
    }

    private func lost(_ failure: Int32) -> CaptureError {
        switch failure {
        case ENODEV, ENXIO: .cameraUnplugged(device: device)
        default: .cameraLost(device: device, reason: Self.text(failure))
        }
    }

    private func busy() -> CaptureError { .cameraBusy(device: device, holder: DeviceHolder.find(device)) }

    private func check(_ failure: Int32, _ step: String) throws {
        switch failure {
        case 0: return
        case EBUSY: throw busy()
        case ENODEV, ENXIO: throw CaptureError.cameraUnplugged(device: device)
        default: throw CaptureError.cameraFormat(device: device, step: step, reason: Self.text(failure))
        }
    }

    private static func text(_ failure: Int32) -> String { String(cString: strerror(failure)) }
}

/// A mapped buffer that the driver fills. It is unmapped when the last reference is released.
///
/// `@unchecked Sendable` is safe because only one thread reads the mapping, between dequeuing and queuing its buffer.
final class MappedBuffer: @unchecked Sendable {
    private let start: UnsafeMutableRawPointer
    let length: Int
    private let unmap: @Sendable (UnsafeMutableRawPointer, Int) -> Void

    init(start: UnsafeMutableRawPointer, length: Int, unmap: @escaping @Sendable (UnsafeMutableRawPointer, Int) -> Void)
    {
        self.start = start
        self.length = length
        self.unmap = unmap
    }

    /// The first `count` bytes of the buffer.
    ///
    /// - Precondition: `count` is at most ``length``.
    func bytes(count: Int) -> UnsafeMutableRawBufferPointer {
        precondition(count <= length, "the picture is larger than its buffer")
        return UnsafeMutableRawBufferPointer(start: start, count: count)
    }

    deinit { unmap(start, length) }
}
