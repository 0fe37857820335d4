import Agent
import ArgumentParser
import Foundation

struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks the configuration.", subcommands: [Check.self], defaultSubcommand: Check.self)

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Reads a configuration and says what is wrong, with line and column.",
            discussion: """
                EXAMPLES
                  spotter config check
                  spotter config check /etc/spotter/spotter.toml && systemctl reload spotter
                """)

        @Argument(help: "The configuration file.")
        var file = "config.toml"

        @Flag(name: .shortAndLong, help: "Say nothing when all is well.")
        var quiet = false

        func run() throws {
            _ = try Configuration(path: file, environment: ProcessInfo.processInfo.environment)
            if !quiet { print("\(file): ok") }
        }
    }
}
