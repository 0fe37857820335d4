import Foundation
import TestSupport
import Testing

/// A folder in which a page's commands do what the page says: the files of a checkout, and a history of one session.
/// Where a page speaks of a running node, there is one at a private broker, with the camera `rack-1`, the page, and a
/// workout that `anna` has done.
final class DocumentWorld {
    /// The pages that speak of a running node.
    private static let pagesOfNodes: Set = [
        "Coaching.md", "DataProtection.md", "HomeAssistant.md", "MQTTContract.md", "OperatingANode.md", "Page.md",
        "Workouts.md",
    ]
    /// Whether a command goes on until somebody ends it.
    private static func isEndless(_ command: String) -> Bool {
        command.wholeMatch(of: #/spotter watch.*|curl -sN.*|mosquitto_sub (?:(?!-C).)*/#) != nil
    }

    let folder: TemporaryFolder
    /// The session of the history.
    private(set) var session = ""
    private var environment: [String: String]
    /// What stands on the pages, and what it is here.
    private var names: [(written: String, here: String)] = []
    private var broker: Broker?
    private var node: Child?

    init(for page: String) throws {
        folder = try TemporaryFolder()
        let programs = Program.executable.deletingLastPathComponent().path
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        environment = [
            "PATH": "\(folder.file("bin").path):\(programs):\(path)", "HOME": folder.url.path,
            "SPOTTER_MQTT_ENABLED": "false",
        ]
        for name in ["Models", "deploy", "Tests"] {
            try FileManager.default.createSymbolicLink(
                at: folder.file(name), withDestinationURL: Program.root.appending(path: name))
        }
        try FileManager.default.copyItem(
            at: Program.root.appending(path: "config.toml"), to: folder.file("config.toml"))
        // As root the tests need no sudo, and as somebody else they have none.
        try writeProgram(
            "sudo", "while [ \"${1#-}\" != \"$1\" ]; do [ \"$1\" != -u ] || shift; shift; done; exec \"$@\"")
        try prepareHistory()
        if let name = page.split(separator: "/").last, Self.pagesOfNodes.contains(String(name)) { try configureNode() }
    }

    deinit { stopNode() }

    private func writeProgram(_ name: String, _ line: String) throws {
        let file = folder.file("bin/\(name)")
        try FileManager.default.createDirectory(at: folder.file("bin"), withIntermediateDirectories: true)
        try Data("#!/bin/sh\n\(line)\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    }

    private func must(_ command: String) throws {
        let result = try run(command)
        try #require(result.status == 0, "\(command): \(result.messages)")
    }

    private func prepareHistory() throws {
        try must("spotter synthesize --motion squat --clips 1 --seconds 20 -o made")
        try must("spotter run --source made/squat/squat_0.poses.jsonl --no-mqtt --quiet")
        let sessions = try run("spotter history sessions --json").output
        let list = try JSONSerialization.jsonObject(with: Data(sessions.utf8)) as? [[String: Any]]
        session = try #require(list?.first?["id"] as? String)
    }

    private func configureNode() throws {
        let broker = try Broker(in: folder.url)
        let port = Ports.free()
        self.broker = broker
        environment["SPOTTER_MQTT_ENABLED"] = nil
        names = [
            ("127.0.0.1:8080", "127.0.0.1:\(port)"), ("gym-hub", "127.0.0.1"),
            ("019aa0d1-22b0-7f3e-8d51-0c1f6e2b7a90", session),
        ]
        // Into a pipe they would write when they end.
        for client in ["mosquitto_sub", "mosquitto_pub"] {
            try writeProgram(client, "exec stdbuf -oL /usr/bin/\(client) -h 127.0.0.1 -p \(broker.port) \"$@\"")
        }
        try writeProgram("curl", "exec /usr/bin/curl --fail-with-body \"$@\"")
        try must("spotter synthesize --motion squat --clips 1 --seconds 120 --seed 2 -o played")
        let text = """
            node.site = "berlin"
            node.id = "sp-k3v9q2m1xa"
            mqtt.host = "127.0.0.1"
            mqtt.port = \(broker.port)
            web.enabled = true
            web.listen = "127.0.0.1:\(port)"
            commands.allow = ["default", "camera_set"]
            [[camera]]
            id = "rack-1"
            source = "\(folder.file("played/squat/squat_0.poses.jsonl").path)"
            """
        try FileManager.default.createDirectory(at: folder.file("conf.d"), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.file("conf.d/gym.toml"))
    }

    private func startNode() throws {
        guard node == nil, let broker else { return }
        node = try Child(
            Program.executable.path, ["run", "--realtime", "--quiet"], in: folder.url,
            environment: ProcessInfo.processInfo.environment.merging(environment) { $1 })
        let isThere = try broker.wait { $0.contains { $0.topic == "cam/rack-1/state" } }
        try #require(isThere, "the node does not run: \(node?.messages.text ?? "")")
        try must("spotter workout start legs --camera rack-1 --name anna")
        try must("spotter workout stop")
    }

    private func stopNode() {
        node?.terminate()
        node?.wait()
        node = nil
    }

    /// Makes what a block takes for granted.
    func prepare(for block: DocumentBlock) throws {
        let isWithoutNode = ["mqtt purge", "spotter run"].contains { block.text.contains($0) }
        try isWithoutNode ? stopNode() : startNode()
        // The commands of the API are those of a node without passwords.
        if block.text.contains("curl "), unlink(folder.file("state/web-passwords.json").path) == 0 {
            let isOpen = try Program.wait { try run("curl -s http://127.0.0.1:8080/api/v1/state").status == 0 }
            #expect(isOpen)
        }
    }

    /// Runs a command as a reader would. One that goes on for ever is ended once it has said something. Assignments
    /// hold for what follows.
    func run(_ command: String) throws -> Program.Result {
        let command = names.reduce(command) { $0.replacing($1.written, with: $1.here) }
        if let variable = command.wholeMatch(of: #/([A-Za-z]+)=(?:"[^"]*"|\$\(.*\)|\S*)/#) {
            let result = try Program.shell(
                "\(command); printf %s \"$\(variable.1)\"", in: folder.url, environment: environment)
            environment[String(variable.1)] = result.output
            return result
        }
        guard Self.isEndless(command) else {
            return try Program.shell("set -o pipefail; \(command)", in: folder.url, environment: environment)
        }
        let child = try Child(
            "/bin/bash", ["-c", "exec \(command)"], in: folder.url,
            environment: ProcessInfo.processInfo.environment.merging(environment) { $1 })
        let hasSpoken = Program.wait { !child.output.bytes.isEmpty || !child.isRunning }
        child.send(SIGINT)
        let status = child.wait()
        let isGood = hasSpoken && !child.output.bytes.isEmpty
        return Program.Result(
            status: isGood ? 0 : max(status, 1), output: child.output.text, messages: child.messages.text)
    }
}
