import Records
import ArgumentParser
import Broker
import CommandLineProgram
import Foundation
import Sink
import TOMLSettings

@main
enum Main {
    /// Parses the arguments, runs the command, and exits with the code of `ExitStatus`.
    static func main() async {
        Descriptor.prepareStandardStreams()
        do {
            var command = try SpotterSink.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            end(report(error))
        }
        end(ExitStatus.done.rawValue)
    }

    private static func end(_ status: Int32) -> Never {
        Output.flush()
        exit(status)
    }

    /// Prints the error on stderr (help goes to stdout) and returns the exit code.
    private static func report(_ error: any Error) -> Int32 {
        let parserCode = SpotterSink.exitCode(for: error)
        if parserCode == .validationFailure || parserCode == .success || error is CleanExit {
            let text = SpotterSink.fullMessage(for: error)
            if parserCode == .success {
                if !text.isEmpty { Output.line(text) }
                return 0
            }
            Terminal.print(text)
            return ExitStatus.usage.rawValue
        }
        if let code = error as? ExitCode { return code.rawValue }
        Terminal.print("spotter-sink: \(error)")
        return ExitStatus(of: error).rawValue
    }
}

extension ExitStatus {
    /// The code for an error.
    fileprivate init(of error: any Error) {
        self =
            switch error {
            case is ConfigurationError, is SchemaError: .configuration
            case let error as BrokerError:
                if case .library = error { .unavailable } else { .configuration }
            case is PostgresError, is HubError: .unavailable
            default: .failed
            }
    }
}

struct SpotterSink: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spotter-sink",
        abstract: "Gathers the records of many Spotter nodes in PostgreSQL, and tells each node what is stored.",
        discussion: """
            EXAMPLES
              spotter-sink migrate --connection "host=db dbname=spotter user=spotter_owner"
              spotter-sink run --config /etc/spotter-sink/sink.toml
              spotter-sink status
              spotter-sink doctor

            EXIT CODES
              0 done   1 failed   2 wrong usage   69 PostgreSQL or the hub is not there
              74 writing failed   78 wrong configuration or schema
            """,
        version: Version.text,
        subcommands: [Run.self, Status.self, DoctorCommand.self, Migrate.self, Config.self])
}
