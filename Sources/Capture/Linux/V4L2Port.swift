import CV4L2
import Foundation
import Glibc

/// An open video device; every verb in the order a device wants them. Closed when nobody holds it.
final class V4L2Port: Sendable {
    private let device: String
    let descriptor: Int32

    init(opening device: String) throws {
        self.device = device
        descriptor = cv4l2_open(device, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT, ENODEV, ENXIO: throw CaptureError.cameraNotFound(device: device, present: Self.cameras())
            case EACCES, EPERM: throw CaptureError.permissionDenied(path: device)
            case ENOTTY, EINVAL, EISDIR: throw CaptureError.notACamera(device: device)
            case EBUSY: throw CaptureError.cameraBusy(device: device)
            default: throw CaptureError.cameraLost(device: device, reason: String(cString: strerror(errno)))
            }
        }
    }

    /// The video devices that are there now.
    static func cameras() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev")) ?? []
        return names.filter { $0.hasPrefix("video") }.sorted().map { "/dev/" + $0 }
    }

    func requireStreamingCapture() throws {
        var capability = v4l2_capability()
        guard cv4l2_ioctl(descriptor, cv4l2_querycap, &capability) == 0 else {
            throw CaptureError.notACamera(device: device)
        }
        let able =
            capability.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
            ? capability.device_caps : capability.capabilities
        let needed = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_STREAMING)
        guard able & needed == needed else { throw CaptureError.notACamera(device: device) }
    }

    /// Asks for RGB pictures of a size; the camera answers with the nearest it has.
    func agree(width: Int, height: Int) throws -> (width: Int, height: Int) {
        var format = v4l2_format()
        format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        format.fmt.pix.width = UInt32(width)
        format.fmt.pix.height = UInt32(height)
        format.fmt.pix.pixelformat = cv4l2_rgb24
        format.fmt.pix.field = V4L2_FIELD_ANY.rawValue
        guard cv4l2_ioctl(descriptor, cv4l2_s_fmt, &format) == 0 else {
            throw errno == EBUSY ? CaptureError.cameraBusy(device: device) : refused("a picture format")
        }
        guard format.fmt.pix.pixelformat == cv4l2_rgb24 else {
            throw CaptureError.cameraFormat(device: device, step: "RGB pictures", reason: "libv4l cannot convert them")
        }
        return (Int(format.fmt.pix.width), Int(format.fmt.pix.height))
    }

    /// Asks for a rate; the camera answers with the nearest it has. A camera that cannot say keeps its own.
    func agree(rateHz: Double) throws -> Double {
        var parameters = v4l2_streamparm()
        parameters.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        parameters.parm.capture.timeperframe = v4l2_fract(
            numerator: 1000, denominator: UInt32((rateHz * 1000).rounded()))
        guard cv4l2_ioctl(descriptor, cv4l2_s_parm, &parameters) == 0 else {
            if errno == EBUSY { throw CaptureError.cameraBusy(device: device) }
            return rateHz
        }
        let answer = parameters.parm.capture.timeperframe
        return answer.numerator > 0 && answer.denominator > 0
            ? Double(answer.denominator) / Double(answer.numerator) : rateHz
    }

    /// Lets the driver share `count` buffers with us, and queues them all.
    func mapBuffers(count: Int) throws -> [MappedBuffer] {
        var request = v4l2_requestbuffers()
        request.count = UInt32(count)
        request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        request.memory = V4L2_MEMORY_MMAP.rawValue
        guard cv4l2_ioctl(descriptor, cv4l2_reqbufs, &request) == 0, request.count > 0 else {
            throw errno == EBUSY ? CaptureError.cameraBusy(device: device) : refused("streaming buffers")
        }
        return try (0..<request.count).map { index in
            var buffer = v4l2_buffer()
            buffer.index = index
            buffer.type = request.type
            buffer.memory = request.memory
            guard cv4l2_ioctl(descriptor, cv4l2_querybuf, &buffer) == 0,
                let mapped = MappedBuffer(descriptor: descriptor, offset: buffer.m.offset, length: buffer.length),
                cv4l2_ioctl(descriptor, cv4l2_qbuf, &buffer) == 0
            else { throw refused("a mapped buffer") }
            return mapped
        }
    }

    func startStreaming() throws {
        var type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        guard cv4l2_ioctl(descriptor, cv4l2_streamon, &type) == 0 else {
            throw errno == EBUSY ? CaptureError.cameraBusy(device: device) : refused("to stream")
        }
    }

    func stopStreaming() {
        var type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        _ = cv4l2_ioctl(descriptor, cv4l2_streamoff, &type)
    }

    private func refused(_ step: String) -> CaptureError {
        .cameraFormat(device: device, step: step, reason: String(cString: strerror(errno)))
    }

    deinit { if descriptor >= 0 { v4l2_close(descriptor) } }
}

/// A buffer that the driver fills and we read.
///
/// Unchecked: the mapping is only read between dequeuing and queuing its buffer, which one thread does.
struct MappedBuffer: @unchecked Sendable {
    private let start: UnsafeMutableRawPointer
    private let length: Int

    init?(descriptor: Int32, offset: UInt32, length: UInt32) {
        guard let start = v4l2_mmap(nil, Int(length), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, Int64(offset)),
            start != MAP_FAILED
        else { return nil }
        self.start = start
        self.length = Int(length)
    }

    /// - Precondition: `count` is at most the length of the buffer.
    func bytes(count: Int) -> UnsafeRawBufferPointer {
        precondition(count <= length, "a picture larger than its buffer")
        return UnsafeRawBufferPointer(start: start, count: count)
    }

    func unmap() { _ = v4l2_munmap(start, length) }
}
