import Foundation
import Synchronization
import TestSupport

/// A real mosquitto on a free loopback port, with its own directory; ends with the value.
final class Broker: Sendable {
    static let binary = "/usr/sbin/mosquitto"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: binary) }

    let port: Int
    let directory: URL
    private let configuration: String
    private let process = Mutex<Child?>(nil)

    /// - Parameter lines: further lines of mosquitto.conf; `%DIR%` stands for the broker's directory.
    init(port: Int = Ports.free(), lines: String = "", listener: String = "") throws {
        self.port = port
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("spotter-broker-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        configuration = """
            listener \(port) 127.0.0.1
            \(listener.replacingOccurrences(of: "%DIR%", with: directory.path))
            \(lines.contains("persistence true") ? "" : "persistence false")
            user root
            \(lines.contains("allow_anonymous") ? "" : "allow_anonymous true")
            \(lines.replacingOccurrences(of: "%DIR%", with: directory.path))
            """
    }

    deinit {
        // Before its folder goes.
        kill()
        try? FileManager.default.removeItem(at: directory)
    }

    func write(_ text: String, to name: String) throws {
        try text.write(to: directory.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }

    /// Returns when the port answers.
    func start() async throws {
        let file = directory.appendingPathComponent("mosquitto.conf")
        try configuration.write(to: file, atomically: true, encoding: .utf8)
        let new = try Child(Self.binary, ["-c", file.path], output: .nothing, messages: .nothing)
        process.withLock { $0 = new }
        try await eventually("the broker answers") {
            guard new.isRunning else { throw NeverHappened(what: "mosquitto listens on port \(port)") }
            return Ports.answers(port)
        }
    }

    /// Ends the broker by SIGKILL: clients get no DISCONNECT, and nothing is saved.
    func kill() {
        process.withLock { process in
            process?.kill()
            process = nil
        }
    }
}

/// A real subscriber: `mosquitto_sub` with one line per message.
final class Subscriber: Sendable {
    struct ReceivedMessage: Sendable {
        var topic: String
        var retained: Bool
        var qos: Int
        /// Seconds; empty on 3.1.1.
        var expiry: String
        var contentType: String
        var userProperties: String
        var payload: String

        func json() throws -> [String: Any] {
            try JSONSerialization.jsonObject(with: Data(payload.utf8)) as? [String: Any] ?? [:]
        }
    }

    private let program: Child

    /// Returns when the subscription is active.
    ///
    /// - Parameter user: the user name for a broker with authentication; the password is `secret`.
    init(port: Int, topic: String = "#", user: String? = nil) async throws {
        let probe = "probe/\(UUID().uuidString)"
        let arguments = user.map { ["-u", $0, "-P", "secret"] } ?? []
        try run("/usr/bin/mosquitto_pub", ["-p", "\(port)", "-t", probe, "-r", "-m", "here"] + arguments)
        program = try Child(
            "/usr/bin/mosquitto_sub",
            ["-V", "5", "-p", "\(port)", "-q", "1", "-t", topic, "-t", probe, "-F", "%t\t%r\t%q\t%E\t%C\t%P\t%p"]
                + arguments, messages: .nothing)
        try await eventually("the subscription stands") { messages.contains { $0.topic == probe } }
    }

    /// Every message so far, in order.
    var messages: [ReceivedMessage] {
        program.output.lines.compactMap { line in
            let fields = line.split(separator: "\t", maxSplits: 6, omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 7 else { return nil }
            return ReceivedMessage(
                topic: fields[0], retained: fields[1] == "1", qos: Int(fields[2]) ?? -1, expiry: fields[3],
                contentType: fields[4], userProperties: fields[5], payload: fields[6])
        }
    }

    func messages(_ suffix: String) -> [ReceivedMessage] { messages.filter { $0.topic.hasSuffix(suffix) } }

    /// The `state` of every status message, in order.
    func states() -> [String] {
        messages.filter { $0.topic.hasSuffix("/status") && !$0.topic.contains("/cam/") }
            .compactMap { try? $0.json()["state"] as? String }
    }
}

@discardableResult
func run(_ path: String, _ arguments: [String]) throws -> Int32 {
    try Child(path, arguments, output: .nothing, messages: .nothing).wait()
}

struct NeverHappened: Error, CustomStringConvertible {
    let what: String
    /// What happened instead.
    var log: [String] = []
    var description: String { (["did not happen in time: \(what)"] + log).joined(separator: "\n") }
}

/// Polls until the condition holds.
///
/// - Parameters:
///   - seconds: the minimum time to wait. Attempts are counted, not seconds: on a busy machine this task itself may be
///     delayed.
///   - log: lines for the error's message.
func eventually(
    _ what: String, within seconds: Double = 60, log: @autoclosure () -> [String] = [], _ condition: () throws -> Bool
) async throws {
    for _ in 0..<Int(seconds * 50) {
        if try condition() { return }
        try await Task.sleep(for: .milliseconds(20))
    }
    guard try condition() else { throw NeverHappened(what: what, log: log().suffix(20)) }
}
