import CV4L2
import Glibc

/// The calls through which a video device is used, as a table: libv4l's, or in tests those of a camera that fails on
/// command.
struct V4L2Calls: Sendable {
    /// The descriptor of a path, or the negative error number.
    var open: @Sendable (String) -> Int32
    var close: @Sendable (Int32) -> Void
    /// Carries out a request: 0, or the negative error number.
    var control: @Sendable (_ descriptor: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32
    var map: @Sendable (_ descriptor: Int32, _ offset: UInt32, _ length: Int) -> UnsafeMutableRawPointer?
    var unmap: @Sendable (UnsafeMutableRawPointer, Int) -> Void
    /// Waits for a picture.
    var wait: @Sendable (_ descriptor: Int32, _ milliseconds: Int32) -> Waiting

    enum Waiting: Sendable, Equatable {
        case ready
        case nothing
        /// The device went away.
        case gone
    }

    static let libv4l = V4L2Calls(
        open: { cv4l2_open($0) },
        close: { _ = v4l2_close($0) },
        control: { cv4l2_ioctl($0, $1, $2) },
        map: { descriptor, offset, length in
            let start = v4l2_mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, Int64(offset))
            return start == MAP_FAILED ? nil : start
        },
        unmap: { _ = v4l2_munmap($0, $1) },
        wait: { descriptor, milliseconds in
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, milliseconds) > 0 else { return .nothing }
            // A device that went away says so beside whatever else it has.
            return entry.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 ? .gone : .ready
        })
}
