import Capture
import Foundation
import TOMLSettings

/// The file `conf.d/setup.toml` beside a configuration file: what `spotter setup` asked for.
package struct SetupFile: Sendable {
    /// The settings that the file holds besides the cameras.
    private static let names: Set = [
        "node.site", "node.name", "mqtt.enabled", "mqtt.host", "mqtt.port", "mqtt.user", "mqtt.password_file",
        "mqtt.ca_file", "web.enabled", "web.listen",
    ]

    private static let keys = Configuration.keys.filter { names.contains($0.name) }

    private let file: OverrideFile

    /// The file's path.
    package var path: String { file.path }

    /// The file beside this configuration file.
    package init(beside configurationPath: String) {
        file = OverrideFile("setup.toml", beside: configurationPath)
    }

    /// Whether nobody has set the node up: there is no such file, and all that it would hold has its default. The page may
    /// be on, as the package has it.
    ///
    /// - Throws: the ``ConfigurationError`` of any file.
    package func isOpen(environment: [String: String]) throws -> Bool {
        guard !FileManager.default.fileExists(atPath: path) else { return false }
        let hasFile = FileManager.default.fileExists(atPath: file.configurationPath)
        let now = try Configuration(path: hasFile ? file.configurationPath : nil, environment: environment)
        let standard = Configuration()
        let isTouched = Self.keys.contains { key in
            !key.name.hasPrefix("web.") && key.text(now) != key.text(standard)
        }
        return !isTouched && now.cameras == standard.cameras
    }

    /// Writes the settings and cameras of a configuration.
    ///
    /// - Throws: ``OverrideFile/Failure`` when the file cannot be written or another file is read after it, or the
    ///   ``ConfigurationError`` of any file. The old contents are in force then.
    package func write(_ wanted: Configuration, environment: [String: String]) throws {
        try write(wanted, Self.keys, environment: environment)
    }

    /// Writes the cameras of a configuration. The other settings stay in the file where it has them.
    ///
    /// - Throws: as ``write(_:environment:)``.
    package func writeCameras(of wanted: Configuration, environment: [String: String]) throws {
        let exists = FileManager.default.fileExists(atPath: path)
        let known = Set(problems(environment).map(\.withoutPlace))
        try write(wanted, exists ? Self.keys : [], environment: environment) {
            // What was wrong before may stay; the page did not cause it.
            if let new = problems(environment).first(where: { !known.contains($0.withoutPlace) }) { throw new }
        }
    }

    /// What `spotter config check` says.
    private func problems(_ environment: [String: String]) -> [ConfigurationError] {
        ConfigurationCheck(path: file.configurationPath, environment: environment).errors
    }

    private func write(
        _ wanted: Configuration, _ keys: [ConfigurationKey<Configuration>], environment: [String: String],
        check: () throws -> Void = {}
    ) throws {
        let hasSecret = wanted.cameras.contains { Redaction.covered(in: $0.source) != $0.source }
        try file.replace(
            text(wanted, keys), environment: environment, permissions: hasSecret ? 0o640 : 0o644
        ) { reading in
            for key in keys where key.text(reading.configuration) != key.text(wanted) {
                throw Self.overridden(key.name, by: reading.origins[key.name])
            }
            guard reading.configuration.cameras == wanted.cameras else {
                let origin = reading.origins.first { $0.key.hasPrefix("camera[") }
                throw Self.overridden("[[camera]]", by: origin?.value)
            }
            try check()
        }
    }

    private static func overridden(_ name: String, by origin: ConfigurationReading.Origin?) -> OverrideFile.Failure {
        let place = origin.map { "\($0)" } ?? "another file"
        return OverrideFile.Failure(
            description: "\(name) is also in \(place), which is read after setup.toml: remove it there, and try again.")
    }

    /// What ``write(_:environment:)`` would write.
    package func text(_ wanted: Configuration) -> String { text(wanted, Self.keys) }

    private func text(_ wanted: Configuration, _ keys: [ConfigurationKey<Configuration>]) -> String {
        """
        # Written by `spotter setup` and by the node's page, which write it anew. Your own settings belong into
        # another file here, whose name comes later in the alphabet.

        """ + Self.text(wanted, keys)
    }

    /// These settings and the cameras of a configuration.
    static func text(_ wanted: Configuration, _ keys: [ConfigurationKey<Configuration>]) -> String {
        var (text, table) = ("", "")
        for key in keys {
            let parts = key.name.split(separator: ".", maxSplits: 1).map(String.init)
            if parts[0] != table { text += "\n[\(parts[0])]\n" }
            table = parts[0]
            text += "\(parts[1]) = \(key.text(wanted))\n"
        }
        let standard = Configuration.Camera()
        for camera in wanted.cameras {
            text += "\n[[camera]]\n"
            for key in Configuration.cameraKeys {
                let name = key.name.dropFirst("camera.".count)
                let isNeeded = ["id", "name", "source"].contains(name) || key.text(camera) != key.text(standard)
                if isNeeded { text += "\(name) = \(key.text(camera))\n" }
            }
        }
        return text
    }
}

extension ConfigurationError {
    /// The text without the file, the line and the column, which change when the file is written anew.
    fileprivate var withoutPlace: String { description.replacing(#/^\S+?:\d+:\d+: /#, with: "") }
}
