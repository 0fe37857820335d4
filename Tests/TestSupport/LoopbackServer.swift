import Foundation
import Glibc
import Synchronization

/// A listening socket on a free port of this machine, and a thread that serves each connection with a closure.
package final class LoopbackServer: Sendable {
    /// A socket that is closed by the thread that accepts on it, and by nobody else: its number may belong to another
    /// test a moment later.
    private final class Listener: Sendable {
        let descriptor: Int32
        private let isOpen = Mutex(true)

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        /// Wakes the thread.
        func stop() { isOpen.withLock { if $0 { _ = shutdown(descriptor, Int32(SHUT_RDWR)) } } }

        func close() {
            isOpen.withLock { isOpen in
                isOpen = false
                _ = Glibc.close(descriptor)
            }
        }
    }

    /// The port that is listened on.
    package let port: Int
    private let listener: Listener

    /// Listens, and calls `serve` with each connection on a thread of its own. `serve` closes the connection.
    package init(serve: @escaping @Sendable (Int32) -> Void) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let listener = Listener(descriptor)
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, size) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, address, &size) == 0
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        guard isListening else {
            listener.close()
            throw POSIXError(.EADDRNOTAVAIL)
        }
        Thread.detachNewThread {
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { return listener.close() }
                Thread.detachNewThread { serve(connection) }
            }
        }
    }

    deinit { stop() }

    /// Accepts no further connection; existing ones stay.
    package func stop() { listener.stop() }
}
