import Agent
import Capture
import Foundation
import Logging
import Synchronization

/// The status line that `run` shows on a terminal: label, confidence, people, frames per second, drops.
final class LiveLine: Sendable {
    private let task: Task<Void, Never>

    init(_ reports: CameraStatusBoard, isShown: Bool) {
        task = Task {
            guard isShown && Terminal.isWatched else { return }
            while !Task.isCancelled {
                let cameras = reports.all.sorted { $0.key < $1.key }
                Terminal.showLine(cameras.map { Self.text($0.key, $0.value) }.joined(separator: "   "))
                try? await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    func end() {
        task.cancel()
        Terminal.clearLine()
    }

    private static func text(_ camera: String, _ report: CameraStatusBoard.Report) -> String {
        let confidence = report.confidence > 0 ? String(format: " %2.0f %%", report.confidence * 100) : ""
        let people = report.people == 1 ? "1 person" : "\(report.people) people"
        let rate = String(format: "%.0f fps", report.rateHz)
        let share = report.skipped.stride > 1 ? " of \(Int(report.arrivingHz.rounded()))" : ""
        return "\(camera): \(report.label)\(confidence)  \(people)  \(rate)\(share)  \(report.dropped) dropped"
    }
}

/// Logs to stderr: time, level and message, or in the journal's format. A log line replaces the live line, which
/// reappears below it.
struct LineLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .info

    init(label: String) {}

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        // The lifecycle library logs each of its steps, which are of no use to an operator.
        guard event.source != "ServiceLifecycle" || event.level >= .warning else { return }
        let message = Redaction.covered(in: "\(event.message)")
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
