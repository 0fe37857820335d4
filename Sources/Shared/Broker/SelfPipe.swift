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

    /// Waits for a ring, for one of the sockets or for the timeout.
    ///
    /// - Parameter sockets: the descriptors to wait for as well, and whether room for writing also ends the wait; -1
    ///   for none.
    package func wait(_ timeout: Duration, alsoFor sockets: [(descriptor: Int32, writable: Bool)] = []) {
        var waited = [pollfd(fd: reader, events: Int16(POLLIN), revents: 0)]
        for socket in sockets {
            let events = Int16(POLLIN) | (socket.writable ? Int16(POLLOUT) : 0)
            waited.append(pollfd(fd: socket.descriptor, events: events, revents: 0))
        }
        _ = poll(&waited, nfds_t(waited.count), timeout.pollMilliseconds)
        var drain = [UInt8](repeating: 0, count: 64)
        while read(reader, &drain, drain.count) == drain.count {}
    }
}
