import TOMLSettings
import Agent
import ArgumentParser
import Configuration
import Foundation

/// Finds the configuration file: the named one, `config.toml` in the current folder, or the installed one. Without any,
/// the defaults apply.
struct ConfigurationFile: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The configuration file (default: ./config.toml, else /etc/spotter/config.toml).", valueName: "file"))
    var config: String?

    static let places = ["config.toml", "/etc/spotter/config.toml"]

    /// The file to read; `nil` uses the defaults and the environment alone.
    var path: String? { config ?? Self.found }

    static var found: String? { places.first { FileManager.default.fileExists(atPath: $0) } }

    /// Reads the file and applies the environment.
    ///
    /// - Throws: `ConfigurationError`.
    func read() throws -> Configuration {
        try Configuration(path: path, environment: ProcessInfo.processInfo.environment)
    }
}
