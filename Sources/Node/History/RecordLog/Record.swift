/// One entry of the record log. Every receiver must get all entries, in order.
public struct Record: Sendable, Equatable {
    /// The position in the log. It grows with every record and is never reused within an epoch.
    public let seq: Int64
    /// What the record is about.
    public let type: RecordType
    /// The UUIDv7 of the session, rollup or gap. A record with a higher ``rev`` replaces earlier ones with this id.
    public let id: String
    /// The revision, from 1.
    public let rev: Int
    /// Whether no further revision is expected.
    public let final: Bool
    /// When it was written, milliseconds since 1970.
    public let milliseconds: Int64
    /// Whether the clock was synchronised at the time.
    public let clock: ClockState
    /// The content: one JSON object.
    public let body: String
}

/// The kinds of records; the last level of the topic `rec/<type>`.
public enum RecordType: String, Sendable, CaseIterable {
    case session, rollup, workout, absence, gap
}
