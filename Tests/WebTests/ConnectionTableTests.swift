import Foundation
import Glibc
import HTTPServing
import TestSupport
import Testing

/// What the table knows of connections whose requests begin while it looks.
@Suite struct ConnectionTableTests {
    /// A connection that no server reads.
    private struct Pair {
        let client: TCPClient
        let server: Int32
        let port: UInt16

        init() throws {
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(listener) }
            // Without an address the kernel chooses a port.
            try #require(listen(listener, 1) == 0)
            let port = try #require(TCPClient.port(of: listener, getsockname))
            client = try TCPClient(port: port)
            server = accept(listener, nil, nil)
            self.port = UInt16(port)
        }
    }

    @Test func `a request that begins while the table looks at the connections is not forgotten`() async throws {
        try await apart {
            let pair = try Pair()
            defer { close(pair.server) }
            let peer = "127.0.0.1:\(pair.client.port)"
            let (looks, hasBegun) = (Shared(0), DispatchSemaphore(value: 0))
            let table = Shared<ConnectionTable?>(nil)
            let sockets: @Sendable () -> [ConnectedSocket] = {
                let look = looks.change { looks in
                    looks += 1
                    return looks
                }
                guard look == 1 else { return ConnectedSocket.all() }
                // The first look has found nothing yet, and the request begins before it is used.
                Thread.detachNewThread {
                    _ = table.value?.begin(peer)
                    hasBegun.signal()
                }
                _ = hasBegun.wait(timeout: .now() + 0.3)
                hasBegun.signal()
                return []
            }
            let made = ConnectionTable(limit: 8, refusal: "", patience: .seconds(10), sockets: sockets)
            table.change { $0 = made }
            made.check(port: pair.port)
            hasBegun.wait()
            while looks.value < 2 { usleep(1000) }
            // Its answer takes longer than anybody may be silent.
            made.answer(peer) {}
            made.check(port: pair.port, now: .now + .seconds(11))
            #expect(!pair.client.isClosed(within: 1))
            made.end(peer)
            made.check(port: pair.port, now: .now + .seconds(11))
            #expect(pair.client.isClosed(within: 10))
        }
    }
}
