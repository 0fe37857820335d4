import Agent
import Capture
import CommandLineProgram
import Configuration
import Foundation

/// What `spotter setup` does after the file is written.
enum SetupEnd {
    /// Makes a history of three generated people in a database of its own, so that the gym's own numbers stay true.
    ///
    /// - Throws: `FileProblem` with what the failing command said.
    static func makeDemonstration(beside database: String) throws {
        let path = URL(filePath: database).deletingLastPathComponent().appending(path: "demo.db").path
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.removeItem(atPath: path + suffix)
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "spotter-demo-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for motion in ["squat", "jumping_jack", "lunge"] {
            let clips = folder.appending(path: motion).path
            try run("synthesize", "--motion", motion, "--clips", "1", "--seconds", "40", "--seed", "3", "-o", clips)
            for clip in FileManager.default.enumerator(atPath: clips)?.compactMap({ $0 as? String }) ?? []
            where clip.hasSuffix(".poses.jsonl") {
                try run(
                    "run", "--source", "\(clips)/\(clip)", "--database", path, "--no-mqtt", "--quiet")
            }
        }
        Terminal.print("the demonstration is in \(path); look: spotter history sessions --database \(path)")
    }

    private static func run(_ arguments: String...) throws {
        let (status, complaint) = try ChildProcess(
            OwnCommand.program[0], OwnCommand.program.dropFirst() + arguments
        ).wait()
        guard status == 0 else { throw FileProblem(path: "spotter \(arguments[0])", reason: complaint) }
    }

    /// Restarts the service where systemd runs and has it; says how to start the node elsewhere.
    ///
    /// - Throws: `FileProblem` when the service does not start.
    static func start(_ isWanted: Bool, _ questions: Questions, _ path: String) throws {
        guard path == "/etc/spotter/config.toml", FileManager.default.fileExists(atPath: "/run/systemd/system") else {
            return Terminal.print("start the node: spotter run --config \(path)")
        }
        guard try isWanted && questions.yes("Start the service now", usual: true) else {
            return Terminal.print("start the node: sudo systemctl restart spotter")
        }
        for arguments in [["enable", "--quiet", "spotter"], ["restart", "spotter"]] {
            let (status, complaint) = try ChildProcess("systemctl", arguments).wait()
            guard status == 0 else {
                throw FileProblem(path: "spotter.service", reason: "\(complaint); see: journalctl -u spotter -n 20")
            }
        }
        Terminal.print("the service runs")
    }

    /// The last lines after a setup in which something did not answer.
    static func showSilent(_ silent: [String], _ path: String, isWritten: Bool) {
        Terminal.print("\nNot everything works yet. No answer came from \(silent.joined(separator: " and from ")).")
        Terminal.print(
            isWritten
                ? "\(path) names what did not answer. Connect it, or run spotter setup again; spotter doctor checks it."
                : "Nothing was written.")
    }

    /// The commands and addresses that show what the node does.
    static func showWhereToLook(_ configuration: Configuration, _ path: String) {
        let mqtt = configuration.mqtt
        let option = ConfigurationFile.places.contains(path) ? "" : " --config \(path)"
        var lines = ["spotter doctor\(option)", "spotter status\(option)", "spotter history sessions\(option)"]
        if mqtt.enabled {
            lines.append("spotter watch\(option)")
            lines.append(
                "mosquitto_sub -h \(mqtt.host) -p \(mqtt.port) -v -t '\(mqtt.prefix)/v1/\(configuration.node.site)/#'")
        }
        if configuration.web.enabled, SetupPage.reach(configuration.web) == .network {
            lines.append("spotter web password\(option)")
        }
        if configuration.web.enabled { lines.append("spotter web url\(option)") }
        Terminal.print("\nWhere to look:")
        for line in lines { Terminal.print("  " + line) }
    }
}
