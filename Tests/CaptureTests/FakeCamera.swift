import CV4L2
import Capture
import Glibc
import Synchronization

/// A scripted camera behind the table of system calls; it also fails on request.
final class FakeCamera: Sendable {
    /// The next buffer from the driver.
    struct Picture: Sendable {
        var bytes: [UInt8]
        /// The byte count the driver reports; `nil` for the true one.
        var bytesUsed: UInt32?
        var flags = UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
        /// Frames that the driver counted since the previous buffer.
        var step: UInt32 = 1
        var seconds: Double?
    }

    struct State {
        var modes: [CameraMode]
        var controls: [UInt32: (range: ClosedRange<Int32>, value: Int32)] = [:]
        /// The driver's name of the control.
        var controlNames: [UInt32: String] = [:]
        /// A control that cannot be set while another one is not 0, such as focus while autofocus is on.
        var inactive: (control: UInt32, while: UInt32)?
        /// The error number with which a request fails.
        var failures: [UInt: Int32] = [:]
        var openFailure: Int32 = 0
        var pictures: [Picture] = []
        /// What happens when no pictures are left.
        var after = V4L2Calls.Waiting.nothing
        /// The size that the driver chooses instead of the requested one.
        var answersSize: (width: UInt32, height: UInt32)?
        /// Padding bytes after each row.
        var padding: UInt32 = 0
        /// Whether the driver says that all values are 0…255.
        var isFullRange = false
        fileprivate(set) var agreed: CameraMode?
        fileprivate(set) var isStreaming = false
        fileprivate(set) var openCount = 0
        fileprivate(set) var mappedCount = 0
        fileprivate var queued: [UInt32] = []
        fileprivate var sequence: UInt32 = 0
        fileprivate var seconds = 100.0
        fileprivate var buffers: [UInt32: UInt] = [:]
    }

    private let state: Mutex<State>
    static let bufferLength = 8192

    init(modes: [CameraMode] = [FakeCamera.yuyv]) { state = Mutex(State(modes: modes)) }

    static let yuyv = CameraMode(format: PixelFormat("YUYV"), widthPixels: 64, heightPixels: 48, rateHz: 30)
    static let nv12 = CameraMode(format: PixelFormat("NV12"), widthPixels: 64, heightPixels: 48, rateHz: 30)

    var now: State { state.withLock { $0 } }
    func set(_ change: (inout sending State) -> Void) { state.withLock { change(&$0) } }

    /// A grey picture of 64×48 in YUYV.
    static func grey(_ level: UInt8) -> Picture {
        Picture(bytes: (0..<64 * 48 * 2).map { $0 % 2 == 0 ? level : 128 })
    }

    func camera(
        _ settings: V4L2Camera.Settings = V4L2Camera.Settings(), list: CameraList? = nil
    ) throws -> V4L2Camera {
        var settings = settings
        settings.patience = .milliseconds(50)
        return try V4L2Camera(
            "/dev/video9", settings: settings, calls: calls,
            list: list ?? CameraList(folder: "/nowhere", calls: calls))
    }

    var calls: V4L2Calls {
        V4L2Calls(
            open: { [self] _ in
                state.withLock { state in
                    guard state.openFailure == 0 else { return -state.openFailure }
                    state.openCount += 1
                    return 77
                }
            },
            close: { [self] _ in state.withLock { $0.openCount -= 1 } },
            control: { [self] _, request, argument in state.withLock { Self.answer(request, argument, &$0) } },
            map: { [self] _, offset, length in
                let start = UnsafeMutableRawPointer.allocate(byteCount: length, alignment: 16)
                state.withLock { state in
                    state.buffers[offset] = UInt(bitPattern: start)
                    state.mappedCount += 1
                }
                return start
            },
            unmap: { [self] start, _ in
                start.deallocate()
                state.withLock { $0.mappedCount -= 1 }
            },
            wait: { [self] _, _ in state.withLock { $0.pictures.isEmpty ? $0.after : .ready } })
    }

    private static func answer(_ request: UInt, _ argument: UnsafeMutableRawPointer, _ state: inout State) -> Int32 {
        if let failure = state.failures[request] { return -failure }
        switch request {
        case cv4l2_querycap:
            let capability = argument.assumingMemoryBound(to: v4l2_capability.self)
            capability.pointee.capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_STREAMING)
            write("fake cam", to: &capability.pointee.card)
            write("usb-1", to: &capability.pointee.bus_info)
        case cv4l2_enum_fmt:
            let format = argument.assumingMemoryBound(to: v4l2_fmtdesc.self)
            let formats = unique(state.modes.map(\.format))
            guard formats.indices.contains(Int(format.pointee.index)) else { return -EINVAL }
            format.pointee.pixelformat = formats[Int(format.pointee.index)].code
        case cv4l2_enum_framesizes:
            let size = argument.assumingMemoryBound(to: v4l2_frmsizeenum.self)
            let sizes = unique(
                state.modes.filter { $0.format.code == size.pointee.pixel_format }.map {
                    [$0.widthPixels, $0.heightPixels]
                })
            guard sizes.indices.contains(Int(size.pointee.index)) else { return -EINVAL }
            size.pointee.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
            size.pointee.discrete.width = UInt32(sizes[Int(size.pointee.index)][0])
            size.pointee.discrete.height = UInt32(sizes[Int(size.pointee.index)][1])
        case cv4l2_enum_frameintervals:
            let interval = argument.assumingMemoryBound(to: v4l2_frmivalenum.self)
            let rates = state.modes.filter {
                $0.format.code == interval.pointee.pixel_format && $0.widthPixels == interval.pointee.width
                    && $0.heightPixels == interval.pointee.height
            }.map(\.rateHz)
            guard rates.indices.contains(Int(interval.pointee.index)) else { return -EINVAL }
            interval.pointee.type = V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
            interval.pointee.discrete = v4l2_fract(
                numerator: 1000, denominator: UInt32(rates[Int(interval.pointee.index)] * 1000))
        case cv4l2_s_fmt:
            let format = argument.assumingMemoryBound(to: v4l2_format.self)
            if let size = state.answersSize {
                (format.pointee.fmt.pix.width, format.pointee.fmt.pix.height) = size
            }
            let pix = format.pointee.fmt.pix
            let isPlanar = pix.pixelformat == PixelFormat("NV12").code
            let pitch = pix.width * (isPlanar ? 1 : 2) + state.padding
            format.pointee.fmt.pix.bytesperline = pix.pixelformat == PixelFormat("MJPG").code ? 0 : pitch
            format.pointee.fmt.pix.sizeimage = pitch * pix.height * (isPlanar ? 3 : 2) / 2
            if state.isFullRange { format.pointee.fmt.pix.quantization = V4L2_QUANTIZATION_FULL_RANGE.rawValue }
            state.agreed = state.modes.first {
                $0.format.code == pix.pixelformat && $0.widthPixels == pix.width && $0.heightPixels == pix.height
            }
        case cv4l2_s_parm: return 0
        case cv4l2_queryctrl:
            let query = argument.assumingMemoryBound(to: v4l2_queryctrl.self)
            if query.pointee.id & UInt32(V4L2_CTRL_FLAG_NEXT_CTRL) != 0 {
                let last = query.pointee.id & ~UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
                guard let next = state.controls.keys.filter({ $0 > last }).min() else { return -EINVAL }
                query.pointee.id = next
                let name = Array((state.controlNames[next] ?? "Control \(next)").utf8.prefix(31)) + [0]
                withUnsafeMutableBytes(of: &query.pointee.name) { $0.copyBytes(from: name) }
            }
            guard let control = state.controls[query.pointee.id] else { return -EINVAL }
            (query.pointee.minimum, query.pointee.maximum) = (control.range.lowerBound, control.range.upperBound)
        case cv4l2_g_ctrl, cv4l2_s_ctrl:
            let setting = argument.assumingMemoryBound(to: v4l2_control.self)
            guard let control = state.controls[setting.pointee.id] else { return -EINVAL }
            if request == cv4l2_s_ctrl {
                guard control.range.contains(setting.pointee.value) else { return -ERANGE }
                if let inactive = state.inactive, inactive.control == setting.pointee.id,
                    state.controls[inactive.while]?.value != 0
                {
                    return -EACCES
                }
                state.controls[setting.pointee.id]?.value = setting.pointee.value
            }
            setting.pointee.value = state.controls[setting.pointee.id]?.value ?? 0
        case cv4l2_querybuf:
            let buffer = argument.assumingMemoryBound(to: v4l2_buffer.self)
            buffer.pointee.length = UInt32(bufferLength)
            buffer.pointee.m.offset = buffer.pointee.index * UInt32(bufferLength)
        case cv4l2_qbuf: state.queued.append(argument.assumingMemoryBound(to: v4l2_buffer.self).pointee.index)
        case cv4l2_dqbuf: return dequeue(argument.assumingMemoryBound(to: v4l2_buffer.self), &state)
        case cv4l2_reqbufs: return 0
        case cv4l2_streamon: state.isStreaming = true
        case cv4l2_streamoff: state.isStreaming = false
        default: return -ENOTTY
        }
        return 0
    }

    private static func dequeue(_ buffer: UnsafeMutablePointer<v4l2_buffer>, _ state: inout State) -> Int32 {
        guard !state.pictures.isEmpty, !state.queued.isEmpty else { return -EAGAIN }
        let picture = state.pictures.removeFirst(), index = state.queued.removeFirst()
        if let address = state.buffers[index * UInt32(bufferLength)] {
            let start = UnsafeMutableRawPointer(bitPattern: address)
            picture.bytes.withUnsafeBytes { bytes in
                if let from = bytes.baseAddress { start?.copyMemory(from: from, byteCount: bytes.count) }
            }
        }
        state.sequence += picture.step
        state.seconds = picture.seconds ?? state.seconds + Double(picture.step) / 30
        buffer.pointee.index = index
        buffer.pointee.bytesused = picture.bytesUsed ?? UInt32(picture.bytes.count)
        buffer.pointee.flags = picture.flags
        buffer.pointee.sequence = state.sequence
        buffer.pointee.timestamp.tv_sec = Int(state.seconds)
        buffer.pointee.timestamp.tv_usec = Int((state.seconds - state.seconds.rounded(.down)) * 1e6)
        return 0
    }

    private static func unique<Element: Hashable>(_ all: [Element]) -> [Element] {
        var seen: Set<Element> = []
        return all.filter { seen.insert($0).inserted }
    }

    private static func write(_ text: String, to field: inout some BitwiseCopyable) {
        withUnsafeMutableBytes(of: &field) { $0.copyBytes(from: text.utf8) }
    }
}
