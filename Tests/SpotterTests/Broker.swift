import Foundation
import TestSupport

/// A private mosquitto on a free loopback port, and a subscriber that records every message.
final class Broker {
    let port: Int
    /// A second port, where only the user `gym` gets in; `nil` without a password.
    private(set) var securedPort: Int?
    private let broker: Child
    private let subscriber: Child
    private let log: URL

    init(in folder: URL, password: String? = nil) throws {
        port = try Self.freePort()
        let settings = folder.appending(path: "mosquitto.conf")
        // By default it drops what exceeds 1000 messages for a client that a busy machine slows down.
        var text = "max_queued_messages 20000\nlistener \(port) 127.0.0.1\nallow_anonymous true\n"
        if let password {
            let users = folder.appending(path: "users").path
            try Program.tool("mosquitto_passwd", ["-c", "-b", users, "gym", password])
            let second = try Self.freePort()
            securedPort = second
            // As another user it could not read the file.
            text =
                "user root\nper_listener_settings true\n\(text)listener \(second) 127.0.0.1\npassword_file \(users)\n"
        }
        try Data(text.utf8).write(to: settings)
        broker = try Self.start("mosquitto", ["-c", settings.path])
        let deadline = Date() + 60
        while try Self.run("mosquitto_pub", ["-p", "\(port)", "-t", "ready", "-m", "1"]) != 0 {
            guard Date() < deadline else { throw CocoaError(.executableLoad) }
        }
        log = folder.appending(path: "messages")
        subscriber = try Self.start(
            "mosquitto_sub", ["-p", "\(port)", "-t", "spotter/#", "-v"], output: .file(log))
        // The subscription is active once our own message comes back.
        while !(try String(contentsOf: log, encoding: .utf8).contains("spotter/probe")) {
            _ = try Self.run("mosquitto_pub", ["-p", "\(port)", "-t", "spotter/probe", "-m", "1"])
            guard Date() < deadline else { throw CocoaError(.executableLoad) }
        }
    }

    /// Topic (without prefix, site and node) and payload of every message so far.
    func messages() throws -> [(topic: String, payload: [String: Any])] {
        String(decoding: try Data(contentsOf: log), as: UTF8.self).split(separator: "\n").compactMap { line in
            guard let space = line.firstIndex(of: " ") else { return nil }
            let topic = line[..<space].split(separator: "/").dropFirst(4).joined(separator: "/")
            let object = try? JSONSerialization.jsonObject(with: Data(line[line.index(after: space)...].utf8))
            return (object as? [String: Any]).map { (topic, $0) }
        }
    }

    /// Waits until a message fulfils a condition, and returns the last one seen in any case.
    func wait(
        within seconds: Double = 120, until isThere: ([(topic: String, payload: [String: Any])]) throws -> Bool
    ) throws -> Bool {
        // Count attempts, not seconds: on a busy machine this process itself may be delayed.
        for _ in 0..<Int(seconds * 20) {
            if try isThere(try messages()) { return true }
            Thread.sleep(forTimeInterval: 0.05)
        }
        return try isThere(try messages())
    }

    private static func start(_ name: String, _ arguments: [String], output: Child.Output = .nothing) throws -> Child {
        try Child(
            "/usr/bin/env", [name] + arguments, environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"], output: output,
            messages: .nothing)
    }

    private static func run(_ name: String, _ arguments: [String]) throws -> Int32 { try start(name, arguments).wait() }

    /// A port of the loopback address that nobody uses at present.
    static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            // sockaddr_in is laid out as a sockaddr, as every socket call expects.
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRINUSE) }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
