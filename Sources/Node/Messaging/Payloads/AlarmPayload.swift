import Foundation
import History
import Records

/// `alarm`: the people who lie on the floor and do not move, until they are up or somebody has acknowledged it.
public struct AlarmPayload: Sendable, Codable, Equatable {
    /// The contract's version.
    public var v = 1
    /// The open alarms, the oldest first.
    package var open: [Alarm]
    /// When this was sent first.
    public var ts: Date

    /// These alarms at a moment.
    package init(_ open: [Alarm], ts: Date) { (self.open, self.ts) = (open, ts) }
}

extension AlarmPayload {
    /// The contract's schema of this payload.
    static let schema = Schema.object([
        ("v", .contractVersion), ("open", .required(.list(Alarm.schema), "The open alarms, the oldest first.")),
        ("ts", .required(.moment)),
    ])
}
