import Capture
import Foundation
import Logging
import Messaging
import Synchronization

/// The node's log level, which a command may override for a limited time.
package final class LogLevelOverride: Sendable {
    private struct State {
        var temporary: (level: Logger.Level, until: ContinuousClock.Instant)?
        var listener: (@Sendable (LogPayload) -> Void)?
    }

    private let configured: Logger.Level
    private let state = Mutex(State())

    /// No override: the configured level is in force.
    package init(_ configured: Logger.Level) { self.configured = configured }

    /// The level in force now.
    package var level: Logger.Level { level(at: .now) }

    /// The level in force at a time.
    package func level(at now: ContinuousClock.Instant) -> Logger.Level {
        state.withLock { state in
            if let temporary = state.temporary, now < temporary.until { return temporary.level }
            state.temporary = nil
            return configured
        }
    }

    /// Overrides the level for a while. A second override replaces the first.
    package func set(_ level: Logger.Level, for duration: Duration, now: ContinuousClock.Instant = .now) {
        state.withLock { $0.temporary = (level, now + duration) }
    }

    /// Sets the listener that receives warnings and errors in addition to the log.
    package func onWarning(_ listener: @escaping @Sendable (LogPayload) -> Void) {
        state.withLock { $0.listener = listener }
    }

    fileprivate var listener: (@Sendable (LogPayload) -> Void)? { state.withLock { $0.listener } }
}

/// Logs at the node's current level, and forwards warnings and errors to the listener.
package struct NodeLog: LogHandler {
    private var base: Logger
    private let levelOverride: LogLevelOverride
    private let tail: LogTail

    /// A logger like `base` whose level follows `levelOverride`.
    package static func logger(_ base: Logger, levelOverride: LogLevelOverride, tail: LogTail = LogTail()) -> Logger {
        var verbose = base
        verbose.logLevel = .trace
        let handler = NodeLog(base: verbose, levelOverride: levelOverride, tail: tail)
        return Logger(label: base.label) { _ in handler }
    }

    private init(base: Logger, levelOverride: LogLevelOverride, tail: LogTail) {
        self.base = base
        self.levelOverride = levelOverride
        self.tail = tail
    }

    /// Set by the override for all copies of a logger at once, so assignments are ignored.
    package var logLevel: Logger.Level {
        get { levelOverride.level }
        set {}
    }

    /// The metadata of every line.
    package var metadata: Logger.Metadata {
        get { base.handler.metadata }
        set { base.handler.metadata = newValue }
    }

    /// One value of ``metadata``.
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { base[metadataKey: key] }
        set { base[metadataKey: key] = newValue }
    }

    /// Logs a line, and passes a warning or error to the listener.
    package func log(event: LogEvent) {
        base.log(
            level: event.level, event.message, metadata: event.metadata, source: event.source, file: event.file,
            function: event.function, line: event.line)
        let line = LogPayload(
            level: event.level.rawValue, message: Redaction.covered(in: "\(event.message)"), ts: Date())
        tail.add(line)
        if event.level >= .warning { levelOverride.listener?(line) }
    }
}
