import Logging

/// A log whose lines can be read by tests.
final class LogLines: Sendable {
    private let lines = Happenings<String>()

    /// Every line so far: level and text.
    var all: [String] { lines.all }

    /// How many lines contain a text.
    func count(_ text: String) -> Int { all.count { $0.contains(text) } }

    /// A logger that writes to this log.
    func logger(_ level: Logger.Level = .info) -> Logger {
        var logger = Logger(label: "test") { _ in Handler(lines: lines) }
        logger.logLevel = level
        return logger
    }

    private struct Handler: LogHandler {
        let lines: Happenings<String>
        var logLevel = Logger.Level.info
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { lines.add("\(event.level) \(event.message)") }
    }
}
