import Foundation
import TOMLSettings

/// The file `config.toml` of a node that shows a made-up gym.
package struct DemonstrationFile: Sendable {
    /// The settings that the file holds besides cameras and zones.
    private static let names: Set = [
        "node.site", "node.name", "node.time_zone", "recognition.model", "recognition.pose_models",
        "recognition.subjects", "recognition.session_idle_seconds", "history.path", "mqtt.enabled", "web.enabled",
        "web.listen", "workouts.plans",
    ]
    private static let head = "# Written by `spotter setup --demo`: the configuration of a gym that does not exist."

    /// The file's path.
    package let path: String

    /// The file in a folder.
    package init(in folder: URL) { path = folder.appending(path: "config.toml").path }

    /// Refuses to replace what somebody else wrote.
    ///
    /// - Throws: ``OverrideFile/Failure``.
    package func check() throws {
        guard let data = FileManager.default.contents(atPath: path) else { return }
        guard !String(decoding: data, as: UTF8.self).hasPrefix(Self.head) else { return }
        throw OverrideFile.Failure(
            description: "\(path) is the configuration of another node: name another folder with --folder.")
    }

    /// Writes the settings, cameras and zones of a configuration. A file that says something else is kept beside it.
    ///
    /// - Returns: the path of what was kept; `nil` where there was nothing else.
    /// - Throws: what the file system says.
    @discardableResult
    package func write(_ wanted: Configuration) throws -> String? {
        let text = text(wanted)
        let before = FileManager.default.contents(atPath: path)
        let kept = before.flatMap { $0 == Data(text.utf8) ? nil : path + ".before" }
        if let kept { try before?.write(to: URL(filePath: kept), options: .atomic) }
        try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
        return kept
    }

    /// What ``write(_:)`` writes.
    package func text(_ wanted: Configuration) -> String {
        let keys = Configuration.keys.filter { Self.names.contains($0.name) }
        let zones = wanted.zones.map { zone in
            "\n[[zone]]\n"
                + Configuration.zoneKeys.map { "\($0.name.dropFirst("zone.".count)) = \($0.text(zone))\n" }.joined()
        }
        return "\(Self.head)\n" + SetupFile.text(wanted, keys) + zones.joined()
    }
}
