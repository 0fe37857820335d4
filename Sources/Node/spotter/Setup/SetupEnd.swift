import Agent
import Capture
import CommandLineProgram
import Configuration
import Foundation

/// What `spotter setup` does after the file is written.
enum SetupEnd {
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
        if configuration.web.enabled, configuration.web.reach == .network {
            lines.append("spotter web password\(option)")
        }
        if configuration.web.enabled { lines.append("spotter web url\(option)") }
        Terminal.print("\nWhere to look:")
        for line in lines { Terminal.print("  " + line) }
    }
}
