import Agent
import ArgumentParser
import Foundation

/// Where the configuration is: named, or `config.toml` in the current folder, or the installed one, or nothing but
/// defaults.
struct ConfigurationFile: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The configuration file (default: ./config.toml, else /etc/spotter/config.toml).", valueName: "file"))
    var config: String?

    static let places = ["config.toml", "/etc/spotter/config.toml"]

    /// The file that is read; `nil` for the defaults alone.
    var path: String? { config ?? Self.found }

    static var found: String? { places.first { FileManager.default.fileExists(atPath: $0) } }

    /// The file, and the environment over it.
    func read() throws -> Configuration {
        try Configuration(path: path, environment: ProcessInfo.processInfo.environment)
    }
}
