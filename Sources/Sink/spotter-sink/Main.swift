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
        let status = await CommandRunner(name: "spotter-sink", status: { ExitStatus(of: $0) }).run(SpotterSink.self)
        Output.flush()
        exit(status)
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
