import CV4L2
import Glibc

/// The calls through which a video device is used, as a table: libv4l's, or in tests those of a camera that fails on
/// command.
package struct V4L2Calls: Sendable {
    /// The descriptor of a path, or the negative error number.
    package var open: @Sendable (String) -> Int32
    package var close: @Sendable (Int32) -> Void
    /// Carries out a request: 0, or the negative error number.
    package var control: @Sendable (_ descriptor: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32
    package var map: @Sendable (_ descriptor: Int32, _ offset: UInt32, _ length: Int) -> UnsafeMutableRawPointer?
    package var unmap: @Sendable (UnsafeMutableRawPointer, Int) -> Void
    /// Waits for a picture.
    package var wait: @Sendable (_ descriptor: Int32, _ milliseconds: Int32) -> Waiting

    package enum Waiting: Sendable, Equatable {
        case ready
        case nothing
        /// The device went away.
        case gone
    }

    package init(
        open: @escaping @Sendable (String) -> Int32, close: @escaping @Sendable (Int32) -> Void,
        control: @escaping @Sendable (Int32, UInt, UnsafeMutableRawPointer) -> Int32,
        map: @escaping @Sendable (Int32, UInt32, Int) -> UnsafeMutableRawPointer?,
        unmap: @escaping @Sendable (UnsafeMutableRawPointer, Int) -> Void,
        wait: @escaping @Sendable (Int32, Int32) -> Waiting
    ) {
        (self.open, self.close, self.control) = (open, close, control)
        (self.map, self.unmap, self.wait) = (map, unmap, wait)
    }

    package static let libv4l = V4L2Calls(
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
