import Records
import ArgumentParser
import Broker
import CommandLineProgram
import Foundation
import Logging
import Sink

struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Stores records until it is stopped.",
        discussion: """
            Two sinks with the same settings may run: one works, the other waits until the
            first is gone. Nothing is lost when a sink, the hub or PostgreSQL is killed:
            what was not acknowledged comes again.

            EXAMPLES
              spotter-sink run --config /etc/spotter-sink/sink.toml
              spotter-sink run --once       store what waits, then end
              spotter-sink run --replay     ask every node for all its records again
            """)
    @OptionGroup var file: SinkFile

    @Flag(help: "End when everything that waits is stored: after five seconds without a message.")
    var once = false

    @Flag(help: "Ask every known node for all the records that it still has, as when rows were deleted by mistake.")
    var replay = false

    func run() async throws {
        let configuration = try file.read()
        LoggingSystem.bootstrap { _ in LineLog() }
        var log = Logger(label: "spotter-sink")
        log.logLevel = Logger.Level(rawValue: configuration.log.level) ?? .info
        let (metrics, stop) = (SinkMetrics(), try StopSignal())
        let interrupt = Interrupt { stop.set() }
        defer { interrupt.cancel() }
        let server = Self.serve(metrics, configuration, log)
        defer { server?.cancel() }
        let mode = SinkWorker.Mode(endsWhenQuietFor: once ? .seconds(5) : nil, asksForAll: replay)
        log.info("spotter-sink \(Version.text)")
        try await Self.work(configuration, mode, metrics, log, stop)
        let counts = metrics.now
        log.info(
            "stored \(counts.stored.counted("record")), \(counts.known) had come before, \(counts.rejected) were rejected"
        )
    }

    private static func serve(_ metrics: SinkMetrics, _ configuration: SinkConfiguration, _ log: Logger) -> Task<
        Void, Never
    >? {
        guard configuration.metrics.enabled else { return nil }
        let address = configuration.metrics.listen
        return Task {
            while !Task.isCancelled {
                do {
                    try await MetricsServer(metrics, address: address).run { reason in
                        log.warning("the metrics are interrupted (\(reason)) and start again")
                    }
                } catch {
                    if Task.isCancelled { return }
                    log.warning("no metrics on \(address) (\(error)): choose another metrics.listen; trying again")
                }
                try? await Task.sleep(for: .seconds(30))
            }
        }
    }

    /// Runs the worker on a thread of its own, since its calls block.
    private static func work(
        _ configuration: SinkConfiguration, _ mode: SinkWorker.Mode, _ metrics: SinkMetrics, _ log: Logger,
        _ stop: StopSignal
    ) async throws {
        let result: Result<Void, any Error> = await withCheckedContinuation { continuation in
            let thread = Thread {
                continuation.resume(
                    returning: Result {
                        try SinkWorker(configuration, mode: mode, metrics: metrics, log: log, stop: stop).run()
                    })
            }
            thread.name = "spotter-sink"
            thread.start()
        }
        try result.get()
    }
}

/// Finds the settings: the named file, `sink.toml` in the current folder, or the installed one. Without any, the defaults
/// and the environment apply.
struct SinkFile: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The settings (default: ./sink.toml, else /etc/spotter-sink/sink.toml).", valueName: "file"))
    var config: String?

    static let places = ["sink.toml", "/etc/spotter-sink/sink.toml"]

    var path: String? { config ?? Self.places.first { FileManager.default.fileExists(atPath: $0) } }

    /// - Throws: `ConfigurationError`, `BrokerError`.
    func read() throws -> SinkConfiguration {
        let configuration = try SinkConfiguration(path: path, environment: ProcessInfo.processInfo.environment)
        try configuration.broker.validate()
        return configuration
    }
}

struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks and shows the settings.", subcommands: [Check.self, Show.self],
        defaultSubcommand: Check.self)

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Reads the settings and says what is wrong, with line and column.",
            discussion: """
                EXAMPLES
                  spotter-sink config check
                  spotter-sink config check && systemctl restart spotter-sink
                """)

        @Argument(help: "The settings (default: ./sink.toml, else /etc/spotter-sink/sink.toml).")
        var file: String?

        @Flag(name: .shortAndLong, help: "Say nothing when all is well.")
        var quiet = false

        func run() throws {
            var source = SinkFile()
            source.config = file
            _ = try source.read()
            if !quiet { Output.line("\(source.path ?? "the defaults"): ok") }
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the value of every key.",
            discussion: """
                EXAMPLES
                  spotter-sink config show
                """)
        @OptionGroup var file: SinkFile

        func run() throws {
            let configuration = try file.read()
            var table = Table(["KEY", "VALUE"])
            for key in SinkConfiguration.keys { table.add([key.name, key.text(configuration)]) }
            table.print()
        }
    }
}
