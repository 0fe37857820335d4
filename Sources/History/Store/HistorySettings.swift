import Foundation

/// How the history is kept.
public struct HistorySettings: Sendable {
    /// Whose midnight ends a day.
    public var timeZone: TimeZone
    /// Longest time a change waits in memory before it is committed, and shortest time between two commits: what a
    /// power cut may cost, and what a card may be charged.
    public var commitInterval: Duration
    /// Longest time that frames nobody was in wait in memory; they ride along with any earlier commit.
    public var idleCommitInterval: Duration
    /// Age at which single predictions are deleted, days; day totals are kept.
    public var predictionDays: Int
    /// Age at which records are deleted, days; of those that some receiver never got a gap record is left.
    public var recordDays: Int
    /// Age at which sessions with all that belongs to them are deleted, days; 0 keeps them.
    public var sessionDays: Int
    /// How long after its last exercise a session ends: what was seen of the person until then is part of it.
    public var sessionIdle: Duration
    /// Largest size of the database file, bytes; writing beyond it fails like a full disk.
    public var maximumBytes: Int64
    /// The node's id where the configuration names one; else one is made and remembered.
    public var nodeId: String?
    /// Opens the database on a network file system all the same.
    public var allowNetworkFilesystem: Bool

    public init(
        timeZone: TimeZone = .current, commitInterval: Duration = .seconds(5),
        idleCommitInterval: Duration = .seconds(900), predictionDays: Int = 14, recordDays: Int = 90,
        sessionDays: Int = 0, sessionIdle: Duration = .seconds(30),
        maximumBytes: Int64 = 512 << 20, nodeId: String? = nil, allowNetworkFilesystem: Bool = false
    ) {
        self.timeZone = timeZone
        self.commitInterval = commitInterval
        self.idleCommitInterval = idleCommitInterval
        self.predictionDays = predictionDays
        self.recordDays = recordDays
        self.sessionDays = sessionDays
        self.sessionIdle = sessionIdle
        self.maximumBytes = maximumBytes
        self.nodeId = nodeId
        self.allowNetworkFilesystem = allowNetworkFilesystem
    }
}
