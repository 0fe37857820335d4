import Foundation
import Glibc
import Messaging
import Synchronization
import TestSupport

/// Accepts connections and never answers.
final class SilentHost: Sendable {
    private let count: Counter
    private let server: LoopbackServer

    init() throws {
        let count = Counter()
        self.count = count
        server = try LoopbackServer { connection in
            count.add(connection)
            var byte: UInt8 = 0
            while recv(connection, &byte, 1, 0) > 0 {}
            close(connection)
        }
    }

    var port: Int { server.port }
    var connections: Int { count.values.count }
}

/// A broker of 2014: refuses MQTT 5 with a 3.1.1 reply, or hangs up on it, and acknowledges everything in 3.1.1.
final class OldBroker: Sendable {
    private let seen: Counter
    private let subscribed: Counter
    private let server: LoopbackServer

    /// - Parameter refusals: how many subscriptions are refused before the first is granted.
    init(hangsUp: Bool = false, refusals: Int = 0) throws {
        let (seen, subscribed) = (Counter(), Counter())
        self.seen = seen
        self.subscribed = subscribed
        server = try LoopbackServer { connection in
            Self.serve(connection, seen, hangsUp, subscribed, refusals)
            close(connection)
        }
    }

    var port: Int { server.port }
    /// The protocol level of each CONNECT.
    var levels: [Int32] { seen.values }
    /// The answer to each SUBSCRIBE: 1, or 128 for a refusal.
    var subscriptions: [Int32] { subscribed.values }

    private static func serve(
        _ connection: Int32, _ seen: Counter, _ hangsUp: Bool, _ subscribed: Counter, _ refusals: Int
    ) {
        while let (kind, body) = packet(connection) {
            switch kind >> 4 {
            case 1:
                let level = body[6]
                seen.add(Int32(level))
                if level != 4, hangsUp { return }
                answer(connection, level == 4 ? [0x20, 2, 0, 0] : [0x20, 2, 0, 1])
                if level != 4 { return }
            case 3 where kind & 0x06 != 0:
                let topic = Int(body[0]) << 8 | Int(body[1])
                answer(connection, [0x40, 2, body[2 + topic], body[3 + topic]])
            case 8:
                let code: UInt8 = subscribed.values.count < refusals ? 128 : 1
                subscribed.add(Int32(code))
                answer(connection, [0x90, 3, body[0], body[1], code])
            case 12: answer(connection, [0xD0, 0])
            case 14: return
            default: break
            }
        }
    }

    static func answer(_ connection: Int32, _ bytes: [UInt8]) {
        _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    static func packet(_ connection: Int32) -> (kind: UInt8, body: [UInt8])? {
        var kind: UInt8 = 0
        guard recv(connection, &kind, 1, 0) == 1 else { return nil }
        var length = 0
        var shift = 0
        var byte: UInt8 = 0
        repeat {
            guard recv(connection, &byte, 1, 0) == 1 else { return nil }
            length |= Int(byte & 0x7F) << shift
            shift += 7
        } while byte & 0x80 != 0
        var body = [UInt8](repeating: 0, count: length)
        var have = 0
        while have < length {
            let got = body.withUnsafeMutableBytes {
                recv(connection, $0.baseAddress?.advanced(by: have), length - have, 0)
            }
            guard got > 0 else { return nil }
            have += got
        }
        return (kind, body)
    }
}

/// A TCP proxy to a broker whose connections can be frozen or cut.
final class Proxy: Sendable {
    private let ends = Counter()
    /// The number of sockets at each freeze.
    private let frozen = Counter()
    private let server: LoopbackServer

    init(to port: Int) throws {
        let (ends, frozen) = (ends, frozen)
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
            let number = Int32(ends.values.count)
            ends.add(connection)
            ends.add(other)
            let isFrozen: @Sendable () -> Bool = { number < frozen.values.last ?? 0 }
            Thread.detachNewThread { Self.pump(other, connection, isFrozen) }
            Self.pump(connection, other, isFrozen)
        }
    }

    var port: Int { server.port }

    /// Freezes the existing connections silently, as if a cable was pulled. New ones work.
    func freeze() { frozen.add(Int32(ends.values.count)) }

    /// Closes both ends at once: the broker sees the connection vanish without DISCONNECT. New connections are
    /// refused: a node that reconnects before the will's delay is over would cancel the will.
    func cut() {
        server.stop()
        for end in ends.values { shutdown(end, Int32(SHUT_RDWR)) }
    }

    private static func pump(_ from: Int32, _ to: Int32, _ isFrozen: () -> Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let got = recv(from, &buffer, buffer.count, 0)
            if got > 0, isFrozen() { continue }
            guard got > 0, send(to, buffer, got, Int32(MSG_NOSIGNAL)) == got else { return }
        }
    }
}

final class Counter: Sendable {
    private let list = Mutex<[Int32]>([])

    var values: [Int32] { list.withLock { $0 } }
    func add(_ value: Int32) { list.withLock { $0.append(value) } }
}

/// A CA and a server certificate for localhost, made by openssl.
enum Certificates {
    static func make(in directory: URL) throws {
        let path = { (name: String) in directory.appendingPathComponent(name).path }
        try "subjectAltName=DNS:localhost".write(toFile: path("san"), atomically: true, encoding: .utf8)
        let openssl = "/usr/bin/openssl"
        try run(
            openssl,
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=Test CA", "-keyout",
                path("ca.key"), "-out", path("ca.pem"),
            ])
        try run(
            openssl,
            [
                "req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout", path("server.key"), "-out",
                path("server.csr"),
            ])
        try run(
            openssl,
            [
                "x509", "-req", "-in", path("server.csr"), "-CA", path("ca.pem"), "-CAkey", path("ca.key"),
                "-CAcreateserial", "-days", "2", "-extfile", path("san"), "-out", path("server.pem"),
            ])
    }

    /// Signs the broker's certificate again with another validity, such as from `20010101000000Z`.
    static func sign(in directory: URL, from: String, until: String) throws {
        let path = { (name: String) in directory.appendingPathComponent(name).path }
        let configuration = """
            [ca]
            default_ca = authority
            [authority]
            database = \(path("index"))
            serial = \(path("serial"))
            new_certs_dir = \(directory.path)
            default_md = sha256
            policy = policy
            x509_extensions = extensions
            [policy]
            commonName = supplied
            [extensions]
            subjectAltName = DNS:localhost
            """
        try configuration.write(toFile: path("ca.cnf"), atomically: true, encoding: .utf8)
        try "".write(toFile: path("index"), atomically: true, encoding: .utf8)
        try "1000".write(toFile: path("serial"), atomically: true, encoding: .utf8)
        try run(
            "/usr/bin/openssl",
            [
                "ca", "-batch", "-notext", "-config", path("ca.cnf"), "-cert", path("ca.pem"),
                "-keyfile", path("ca.key"), "-in", path("server.csr"), "-out", path("server.pem"), "-startdate", from,
                "-enddate", until,
            ])
    }
}
