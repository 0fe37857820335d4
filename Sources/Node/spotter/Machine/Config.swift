import CommandLineProgram
import Agent
import ArgumentParser
import Capture
import Configuration
import TOMLSettings
import Foundation

struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks and shows the configuration.",
        subcommands: [Check.self, Show.self, Schema.self], defaultSubcommand: Check.self)

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Reads a configuration and says what is wrong, with line and column.",
            discussion: """
                The overrides in conf.d beside it are read, too.

                EXAMPLES
                  spotter config check
                  spotter config check /etc/spotter/config.toml && systemctl reload spotter
                """)

        @Argument(help: "The configuration file (default: ./config.toml, else /etc/spotter/config.toml).")
        var file: String?

        @Option(help: ArgumentHelp("The same, as other commands take it.", valueName: "file"))
        var config: String?

        @Flag(name: .shortAndLong, help: "Say nothing when all is well.")
        var quiet = false

        func run() throws {
            if let file, !file.contains(where: { "./".contains($0) }), !FileManager.default.fileExists(atPath: file) {
                let nearest = NearestName.of(file, among: ["check", "show", "schema"]).map { ": did you mean '\($0)'?" }
                throw ValidationError("'\(file)' is neither a subcommand nor a file\(nearest ?? ".")")
            }
            // If there is no file at all, report the first one as missing.
            let path = file ?? config ?? ConfigurationFile.found ?? ConfigurationFile.places[0]
            let errors = ConfigurationCheck(path: path, environment: ProcessInfo.processInfo.environment).errors
            guard errors.isEmpty else {
                for error in errors { Terminal.print("spotter: \(Redaction.covered(in: error.description))") }
                throw ExitCode(ExitStatus.configuration.rawValue)
            }
            if !quiet { Output.line("\(path): ok") }
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the effective value of every key, and where it comes from.",
            discussion: """
                Passwords in addresses are hidden.

                EXAMPLES
                  spotter config show
                  spotter config show --json | jq '.[] | select(.origin != "default")'
                """)
        @OptionGroup var configurationFile: ConfigurationFile

        @Flag(help: "Print a JSON list instead of lines.")
        var json = false

        func run() throws {
            let reading = try ConfigurationReading(
                path: configurationFile.path, environment: ProcessInfo.processInfo.environment)
            let entries = ConfigurationListing(reading).entries
            if json { return try JSON.print(entries) }
            var table = Table(["KEY", "VALUE", "FROM"])
            for entry in entries { table.add([entry.key, entry.value, entry.origin]) }
            table.print()
        }
    }

    struct Schema: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the JSON Schema of config.toml.")

        func run() throws { try JSON.print(Configuration.schema) }
    }
}
