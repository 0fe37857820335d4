import Actions
import Foundation

/// Settings of the history.
public struct HistorySettings: Sendable {
    /// The time zone whose midnight ends a day.
    public var timeZone: TimeZone
    /// The longest time a change waits for its commit, and the shortest time between two commits. It limits what a
    /// power failure can lose, and how often the SD card is written.
    public var commitInterval: Duration
    /// The longest time that frames without people wait for a commit. Any earlier commit includes them.
    public var idleCommitInterval: Duration
    /// Age at which single predictions are deleted, days. Day totals are kept.
    public var predictionDays: Int
    /// Age at which records are deleted, days. Records that some receiver never got are replaced by a gap record.
    public var recordDays: Int
    /// Age at which sessions are deleted with all their rows, days; 0 keeps them.
    public var sessionDays: Int
    /// Age at which kept poses are deleted, days; 0 keeps none.
    public var keepPosesDays: Int
    /// Age at which the joints of questions are deleted, days.
    public var questionDays: Int
    /// How long after its last exercise a session ends. Predictions of the person in this time belong to the session.
    public var sessionIdle: Duration
    /// The maximum size of the database file, bytes. Writing beyond it fails as on a full disk.
    public var maximumBytes: Int64
    /// Who gets workouts when they have ended.
    package var shares: [ShareRule] = []
    /// The configured node id; `nil` for a generated one, which is stored.
    public var nodeId: String?
    /// Whether the database may be on a network file system.
    public var allowNetworkFilesystem: Bool

    /// Settings with these values.
    public init(
        timeZone: TimeZone = .current, commitInterval: Duration = .seconds(5),
        idleCommitInterval: Duration = .seconds(900), predictionDays: Int = 14, recordDays: Int = 90,
        sessionDays: Int = 0, keepPosesDays: Int = 0, questionDays: Int = 90,
        sessionIdle: Duration = .seconds(RecognitionRules.Sessions().idleSeconds),
        maximumBytes: Int64 = 512 << 20, nodeId: String? = nil, allowNetworkFilesystem: Bool = false
    ) {
        self.timeZone = timeZone
        self.commitInterval = commitInterval
        self.idleCommitInterval = idleCommitInterval
        self.predictionDays = predictionDays
        self.recordDays = recordDays
        self.sessionDays = sessionDays
        self.keepPosesDays = keepPosesDays
        self.questionDays = questionDays
        self.sessionIdle = sessionIdle
        self.maximumBytes = maximumBytes
        self.nodeId = nodeId
        self.allowNetworkFilesystem = allowNetworkFilesystem
    }
}
