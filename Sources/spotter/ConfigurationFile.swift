import Agent
import ArgumentParser
import Foundation

/// Where the configuration is: named, or `config.toml` in the current folder, or nothing but defaults.
struct ConfigurationFile: ParsableArguments {
    @Option(help: ArgumentHelp("The configuration file (default: ./config.toml if it is there).", valueName: "file"))
    var config: String?

    /// The file that is read; `nil` for the defaults alone.
    var path: String? { config ?? (FileManager.default.fileExists(atPath: "config.toml") ? "config.toml" : nil) }

    /// The file, and the environment over it.
    func read() throws -> Configuration {
        try Configuration(path: path, environment: ProcessInfo.processInfo.environment)
    }
}
