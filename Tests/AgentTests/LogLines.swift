import Logging

/// A log that can be read again.
final class LogLines: Sendable {
    private let lines = Happenings<String>()

    /// Every line so far: level and text.
    var all: [String] { lines.all }

    /// How many lines contain a text.
    func count(_ text: String) -> Int { all.count { $0.contains(text) } }

    /// A logger whose lines come here.
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
