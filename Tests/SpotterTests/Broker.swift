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
        port = Ports.free()
        let settings = folder.appending(path: "mosquitto.conf")
        // By default it drops what exceeds 1000 messages for a client that a busy machine slows down.
        var text = "max_queued_messages 20000\nlistener \(port) 127.0.0.1\nallow_anonymous true\n"
        if let password {
            let users = folder.appending(path: "users").path
            try Program.tool("mosquitto_passwd", ["-c", "-b", users, "gym", password])
            let second = Ports.free()
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
}
