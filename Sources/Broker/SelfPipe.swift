import Foundation

/// Wakes a waiting thread: any thread rings, and one thread waits for that or for a socket.
package final class SelfPipe: Sendable {
    private let reader: Int32
    private let writer: Int32

    /// - Throws: ``BrokerError/library(action:reason:)`` when the process has no file descriptor left.
    package init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw BrokerError.library(action: "making a pipe", reason: String(cString: strerror(errno)))
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        reader = ends[0]
        writer = ends[1]
    }

    deinit {
        close(reader)
        close(writer)
    }

    /// Ends the current wait, or the next one. Never blocks: a full pipe is already readable.
    package func ring() {
        var byte: UInt8 = 1
        _ = write(writer, &byte, 1)
    }

    /// Waits for a ring, for the socket or for the timeout.
    ///
    /// - Parameters:
    ///   - socket: the descriptor to wait for as well; -1 for none.
    ///   - writable: whether room for writing also ends the wait.
    package func wait(_ timeout: Duration, alsoFor socket: Int32 = -1, writable: Bool = false) {
        let events = Int16(POLLIN) | (writable ? Int16(POLLOUT) : 0)
        var waited = [
            pollfd(fd: reader, events: Int16(POLLIN), revents: 0), pollfd(fd: socket, events: events, revents: 0),
        ]
        let parts = timeout.components
        let milliseconds = parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000
        _ = poll(&waited, 2, Int32(clamping: max(0, milliseconds)))
        var drain = [UInt8](repeating: 0, count: 64)
        while read(reader, &drain, drain.count) == drain.count {}
    }
}
