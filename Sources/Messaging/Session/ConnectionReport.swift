import Foundation

/// How messaging is doing, for `health`, `spotter status` and the log.
public struct ConnectionReport: Sendable, Equatable {
    /// Whether `status: online` was sent and the connection stands.
    public var isOnline = false
    /// The connection's number; 0 before the first.
    public var sid: Int64 = 0
    /// Connections after the first.
    public var reconnects = 0
    public var droppedEphemeral = 0
    /// 5 or 3 (for 3.1.1).
    public var protocolVersion = 5
    /// Why there is no connection, or what the broker declines.
    public var problem: Problem?
    /// What went wrong with single messages, the newest under each code.
    public var notices: [Problem] = []
    /// Commands that were refused because the broker had kept them.
    public var refusedRetained = 0
    /// Wishes to switch a camera that a newer one replaced before they were carried out.
    public var replacedSwitches = 0
    /// Position up to which the broker acknowledged all records.
    public var ackedSeq: Int64 = 0
    /// Connections so far.
    var connections = 0

    public init() {}

    /// Everything an operator should know of.
    public var problems: [Problem] { [problem].compactMap { $0 } + notices }

    /// - Returns: whether it is news.
    mutating func notice(_ problem: Problem) -> Bool {
        if notices.contains(where: { $0.code == problem.code && $0.message == problem.message }) { return false }
        notices.removeAll { $0.code == problem.code }
        notices.append(problem)
        return true
    }
}

/// How much a log line matters.
public enum LogLevel: String, Sendable { case info, warning, error }

/// Where this room's log lines go. Called on the messaging thread; must not wait for anything.
public typealias MessagingLog = @Sendable (LogLevel, String) -> Void
