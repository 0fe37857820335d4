import Foundation
import Glibc
import Messaging
import Synchronization
import TestSupport

/// Ends an MQTT 5 connection with "session taken over" as soon as something is published.
final class TakingOverBroker: Sendable {
    private let seen: Counter
    private let server: LoopbackServer

    init() throws {
        let seen = Counter()
        self.seen = seen
        server = try LoopbackServer { connection in
            seen.add(connection)
            while let (kind, body) = OldBroker.packet(connection) {
                switch kind >> 4 {
                case 1: OldBroker.answer(connection, [0x20, 3, 0, 0, 0])
                case 3: OldBroker.answer(connection, [0xE0, 2, 0x8E, 0])
                case 8: OldBroker.answer(connection, [0x90, 4, body[0], body[1], 0, 1])
                default: break
                }
            }
            close(connection)
        }
    }

    var port: Int { server.port }
    var connections: Int { seen.values.count }
}

/// A proxy to a broker that breaks the connection once, when the client sends a certain text, which does not arrive.
/// The next connection works.
final class FlakyConnection: Sendable {
    private let broken = Counter()
    private let server: LoopbackServer

    init(to port: Int, at text: String) throws {
        let broken = broken
        server = try LoopbackServer { connection in
            let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = Ports.loopback(port)
            let connected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(other, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            guard connected else {
                close(other)
                close(connection)
                return
            }
            Thread.detachNewThread { Self.pump(other, connection) { _ in false } }
            Self.pump(connection, other) { said in
                guard broken.values.isEmpty, said.contains(text) else { return false }
                broken.add(connection)
                return true
            }
            for end in [connection, other] { shutdown(end, Int32(SHUT_RDWR)) }
        }
    }

    var port: Int { server.port }
    var isBroken: Bool { !broken.values.isEmpty }

    private static func pump(_ from: Int32, _ to: Int32, _ breaks: (String) -> Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let got = recv(from, &buffer, buffer.count, 0)
            guard got > 0, !breaks(String(decoding: buffer.prefix(got), as: UTF8.self)),
                send(to, buffer, got, Int32(MSG_NOSIGNAL)) == got
            else { return }
        }
    }
}
