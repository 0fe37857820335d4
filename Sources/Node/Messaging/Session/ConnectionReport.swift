import Foundation

/// The state of the connection, for `health`, `spotter status` and the log.
public struct ConnectionReport: Sendable, Equatable {
    /// Whether the connection stands and `status: online` was published.
    public var isOnline = false
    /// The number of the current or last connection; 0 before the first.
    public var sid: Int64 = 0
    /// How often the node has connected again after the first connection.
    public var reconnects = 0
    /// Events, predictions, previews, log lines and heartbeats that were dropped.
    public var droppedEphemeral = 0
    /// The MQTT version: 5, or 3 for 3.1.1.
    public var protocolVersion = 5
    /// Why there is no connection; `nil` while it stands.
    public var problem: Problem?
    /// Problems with single messages or topics: the newest under each code.
    public var notices: [Problem] = []
    /// Commands refused because they were retained messages.
    public var refusedRetained = 0
    /// Switch requests that a newer one replaced before they were carried out.
    public var replacedSwitches = 0
    /// The position up to which all records were acknowledged.
    public var ackedSeq: Int64 = 0
    /// The number of connections so far.
    var connections = 0

    /// The report before the first connection.
    public init() {}

    /// All current problems, for the operator.
    public var problems: [Problem] { [problem].compactMap { $0 } + notices }

    /// Adds a problem in place of an older one with the same code.
    ///
    /// - Returns: whether it is new.
    mutating func notice(_ problem: Problem) -> Bool {
        if notices.contains(where: { $0.code == problem.code && $0.message == problem.message }) { return false }
        notices.removeAll { $0.code == problem.code }
        notices.append(problem)
        return true
    }
}

/// The severity of a log line.
public enum LogLevel: String, Sendable { case info, warning, error }

/// Receives this module's log lines. Called on the messaging thread; must not block.
public typealias MessagingLog = @Sendable (LogLevel, String) -> Void
