import Foundation
import TestSupport
import Testing

/// The page Moving.md, word for word: two folders stand for two machines, with a node on each.
@Suite struct MovingTests {
    private let folder: TemporaryFolder
    private let broker: Broker

    init() throws {
        folder = try TemporaryFolder()
        broker = try Broker(in: folder.url)
        for machine in ["old", "new"] { try prepare(machine) }
        try FileManager.default.createDirectory(at: folder.file("usb"), withIntermediateDirectories: true)
        let made = try Program.run(
            "synthesize", "--motion", "squat", "--clips", "1", "--seconds", "20", "-o", folder.file("made").path)
        try #require(made.status == 0, "\(made.messages)")
    }

    /// A machine with the package: settings, a service manager, and nothing seen yet.
    private func prepare(_ machine: String) throws {
        let root = folder.file(machine)
        for name in ["bin", "etc/spotter", "var/lib/spotter"] {
            try FileManager.default.createDirectory(
                at: root.appending(path: name), withIntermediateDirectories: true)
        }
        // Relative to the folder of the service, as every machine has its own.
        let text = """
            node.site = "\(machine == "old" ? "berlin" : "gym")"
            mqtt.port = \(broker.port)
            history.path = "spotter.db"
            [[camera]]
            id = "rack-1"
            source = "\(folder.file("made/squat/squat_0.poses.jsonl").path)"
            """
        try Data(text.utf8).write(to: root.appending(path: "etc/spotter/config.toml"))
        let service = """
            cd '\(root.path)/var/lib/spotter'
            case "$*" in
            stop*|disable*)
                [ ! -e '\(root.path)/pid' ] || kill "$(cat '\(root.path)/pid')"
                while [ -e spotter.db.lock ] && fuser -s spotter.db.lock; do sleep 0.1; done ;;
            enable*)
                spotter run --realtime --quiet >/dev/null 2>&1 &
                echo $! >'\(root.path)/pid'
                # As systemd does, it waits until the node is ready.
                for _ in $(seq 600); do spotter status >/dev/null 2>&1 && break; sleep 0.1; done ;;
            esac
            """
        try write(
            "spotter",
            "cd '\(root.path)/var/lib/spotter' && exec '\(Program.executable.path)' \"$@\" --config '\(root.path)/etc/spotter/config.toml'",
            on: machine)
        try write("systemctl", service, on: machine)
        try write("sudo", "exec \"$@\"", on: machine)
    }

    private func write(_ name: String, _ lines: String, on machine: String) throws {
        let file = folder.file("\(machine)/bin/\(name)")
        try Data("#!/bin/sh\n\(lines)\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    }

    /// Runs a line of the page on a machine.
    @discardableResult
    private func run(_ line: String, on machine: String, environment: [String: String] = [:]) throws -> String {
        let root = folder.file(machine).path
        let here = line.replacing("-C /", with: "-C \(root)").replacing("/mnt/usb", with: folder.file("usb").path)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let result = try Program.shell(
            here, in: folder.url, environment: environment.merging(["PATH": "\(root)/bin:\(path)"]) { $1 })
        #expect(result.status == 0, "\(line): \(result.output)\(result.messages)")
        return result.output
    }

    private func values(_ key: String, of topic: String) throws -> [String] {
        try broker.messages().filter { $0.topic == topic }.compactMap { $0.payload[key].map { "\($0)" } }
    }

    @Test func `a node that moves word for word to another machine is the same node for everybody`() throws {
        let page = "Sources/Node/spotter/Spotter.docc/Moving.md"
        let blocks = try DocumentBlock.all(of: page).filter {
            $0.note == .testedBy("Tests/SpotterTests/MovingTests.swift")
        }
        try #require(blocks.count == 2)
        // The id that the old machine made for itself.
        try run("systemctl enable --now spotter", on: "old", environment: ["SPOTTER_NODE_ID": "sp-theoldone0"])
        #expect(try broker.wait { $0.contains { $0.topic.hasPrefix("rec/session") } })
        for line in blocks[0].lines { try run(line, on: "old") }
        let (node, epoch) = try (values("node", of: "info").last, values("epoch", of: "info").last)
        let sent = try values("seq", of: "rec/session").compactMap { Int($0) }.max()
        let stored = try Program.sqlite(database("old"), "SELECT count(*) FROM session")
        #expect(node == "sp-theoldone0" && stored != ["0"])

        for line in blocks[1].lines { try run(line, on: "new") }
        defer { _ = try? run("systemctl stop spotter", on: "new") }
        #expect(
            try broker.wait { _ in (try values("seq", of: "rec/session").compactMap { Int($0) }.max() ?? 0) > sent ?? 0
            })
        #expect(try Set(values("epoch", of: "info")) == [epoch] && Set(values("node", of: "info")) == [node])
        #expect(try values("state", of: "status").last == "online")
        #expect(try Program.sqlite(database("new"), "SELECT count(*) FROM session") != stored)
    }

    private func database(_ machine: String) -> String { folder.file("\(machine)/var/lib/spotter/spotter.db").path }
}
