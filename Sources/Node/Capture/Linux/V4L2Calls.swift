import CV4L2
import Glibc

/// The system calls on a video device as a table: libv4l's, or in tests those of a simulated camera that fails on
/// command.
package struct V4L2Calls: Sendable {
    /// Opens a path. Returns the descriptor, or the negative errno.
    package var open: @Sendable (String) -> Int32
    /// Closes a descriptor.
    package var close: @Sendable (Int32) -> Void
    /// Calls ioctl. Returns 0, or the negative errno.
    package var control: @Sendable (_ descriptor: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32
    /// Maps a buffer of the driver into memory. Returns `nil` on failure, with errno set.
    package var map: @Sendable (_ descriptor: Int32, _ offset: UInt32, _ length: Int) -> UnsafeMutableRawPointer?
    /// Unmaps a mapping of the given length in bytes.
    package var unmap: @Sendable (UnsafeMutableRawPointer, Int) -> Void
    /// Waits for a filled buffer, at most the given time.
    package var wait: @Sendable (_ descriptor: Int32, _ milliseconds: Int32) -> Waiting

    /// How a wait ended.
    package enum Waiting: Sendable, Equatable {
        /// A buffer is filled.
        case ready
        /// The time is over.
        case nothing
        /// The device disappeared.
        case gone
    }

    /// Creates a table of calls.
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

    /// The calls of libv4l on a real device.
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
            // A device that disappeared may report POLLIN as well.
            return entry.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 ? .gone : .ready
        })
}
