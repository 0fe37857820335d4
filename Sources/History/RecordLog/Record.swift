/// One entry of the record log: what receivers must get exactly once, in order.
public struct Record: Sendable, Equatable {
    /// Position in the log; grows by at least one, is never used twice within an epoch.
    public let seq: Int64
    public let type: RecordType
    /// UUIDv7 of what the record is about; with a higher ``rev`` it replaces an earlier record.
    public let id: String
    public let rev: Int
    /// Whether no further revision is to be expected.
    public let final: Bool
    /// Milliseconds since 1970 at which it was written.
    public let milliseconds: Int64
    public let clock: ClockState
    /// One JSON object.
    public let body: String
}

public enum RecordType: String, Sendable, CaseIterable {
    case session, rollup, gap
}
