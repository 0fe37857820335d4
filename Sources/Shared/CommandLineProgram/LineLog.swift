import Foundation
import Logging
import Synchronization

/// Logs to stderr: time, level and message, or in the journal's format. A log line replaces the live line, which
/// reappears below it.
package struct LineLog: LogHandler {
    /// What every line would carry; nothing is printed of it.
    package var metadata: Logger.Metadata = [:]
    /// The least severe level that is printed.
    package var logLevel: Logger.Level = .info
    private let covered: @Sendable (String) -> String

    /// - Parameter covered: returns a message without its secrets.
    package init(covered: @escaping @Sendable (String) -> String = { $0 }) { self.covered = covered }

    /// A part of the metadata.
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Prints one line.
    package func log(event: LogEvent) {
        // The lifecycle library logs each of its steps, which are of no use to an operator.
        guard event.source != "ServiceLifecycle" || event.level >= .warning else { return }
        let message = covered("\(event.message)")
        if Self.isJournal { return Self.print("<\(Self.priority(of: event.level))>\(message.singleLine)") }
        Terminal.clearLine()
        let time = Date().formatted(.iso8601.time(includingFractionalSeconds: false))
        Self.print("\(time) \(event.level) \(message.singleLine)")
    }

    /// Lines lost since the last one that was written.
    private static let lost = Atomic(0)

    private static func print(_ line: String) {
        let count = lost.exchange(0, ordering: .relaxed)
        let note = count > 0 ? "(\(count) log lines were lost: standard error was blocked)\n" : ""
        if !Terminal.offer(note + line) { lost.add(count + 1, ordering: .relaxed) }
    }

    /// Whether stderr is the journal, which adds times and levels itself (sd-daemon(3)).
    private static let isJournal: Bool = {
        var facts = stat()
        return fstat(STDERR_FILENO, &facts) == 0
            && ProcessInfo.processInfo.environment["JOURNAL_STREAM"] == "\(facts.st_dev):\(facts.st_ino)"
    }()

    private static func priority(of level: Logger.Level) -> Int {
        switch level {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}
