import Capture
import Foundation
import Logging
import Messaging
import Synchronization

/// How much the node logs; a command may change it for a while.
final class LogLevelOverride: Sendable {
    private struct State {
        var temporary: (level: Logger.Level, until: ContinuousClock.Instant)?
        var listener: (@Sendable (LogPayload) -> Void)?
    }

    private let configured: Logger.Level
    private let state = Mutex(State())

    init(_ configured: Logger.Level) { self.configured = configured }

    /// The level now.
    var level: Logger.Level {
        state.withLock { state in
            if let temporary = state.temporary, .now < temporary.until { return temporary.level }
            state.temporary = nil
            return configured
        }
    }

    func set(_ level: Logger.Level, for duration: Duration) {
        state.withLock { $0.temporary = (level, .now + duration) }
    }

    /// Who hears warnings and errors besides the log.
    func onWarning(_ listener: @escaping @Sendable (LogPayload) -> Void) { state.withLock { $0.listener = listener } }

    fileprivate var listener: (@Sendable (LogPayload) -> Void)? { state.withLock { $0.listener } }
}

/// A logger's lines at the node's own volume, warnings and errors also to who listens.
struct NodeLog: LogHandler {
    private var base: Logger
    private let volume: LogLevelOverride

    /// A logger that says what `base` would, at the volume of the moment.
    static func logger(_ base: Logger, volume: LogLevelOverride) -> Logger {
        var talkative = base
        talkative.logLevel = .trace
        let handler = NodeLog(base: talkative, volume: volume)
        return Logger(label: base.label) { _ in handler }
    }

    private init(base: Logger, volume: LogLevelOverride) {
        self.base = base
        self.volume = volume
    }

    /// The volume decides, for all copies of a logger at once.
    var logLevel: Logger.Level {
        get { volume.level }
        set {}
    }

    var metadata: Logger.Metadata {
        get { base.handler.metadata }
        set { base.handler.metadata = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { base[metadataKey: key] }
        set { base[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        base.log(
            level: event.level, event.message, metadata: event.metadata, source: event.source, file: event.file,
            function: event.function, line: event.line)
        guard event.level >= .warning, let listener = volume.listener else { return }
        listener(
            LogPayload(level: event.level.rawValue, message: Redaction.covered(in: "\(event.message)"), ts: Date()))
    }
}
