import Foundation
import History

/// The one wrapper of all durable records, `rec/<type>`.
package enum RecordEnvelope {
    /// Age from which a record counts as history, milliseconds: a live display may skip it.
    static let historyAgeMs: Int64 = 60_000

    /// The record as it is sent. The body is already JSON and stays what it is, byte for byte.
    ///
    /// - Parameters:
    ///   - isReplay: it was asked for again, so it is history whatever its age.
    ///   - unsynced: what was stored before the clock was set: such a record says when it was made by the time since the
    ///     machine's start.
    package static func text(
        _ record: Record, identity: NodeIdentity, site: String, wall: Date, isReplay: Bool = false,
        unsynced: UnsyncedClockStretch? = nil
    ) -> String {
        var since = ""
        if record.clock == .unsynced, let unsynced, record.seq >= unsynced.fromSeq {
            since = "\"boot\":\"\(unsynced.boot)\",\"mono_ms\":\(max(0, record.milliseconds - unsynced.base)),"
        }
        let hist = isReplay || Timestamp.milliseconds(wall) - record.milliseconds > historyAgeMs
        return """
            {"v":1,"node":"\(identity.node)","site":"\(site)","epoch":"\(identity.epoch)","seq":\(record.seq),\
            "type":"\(record.type.rawValue)","id":"\(record.id)","rev":\(record.rev),"final":\(record.final),\
            "ts":"\(Timestamp.text(milliseconds: record.milliseconds))","clock":"\(record.clock.rawValue)",\
            \(since)"hist":\(hist),"body":\(record.body)}
            """
    }

    static func message(
        _ outbound: RecordSender.Outbound, identity: NodeIdentity, topics: Topics, wall: Date,
        unsynced: UnsyncedClockStretch?
    ) -> MQTTMessage {
        let record = outbound.record
        return MQTTMessage(
            topic: topics.record(record.type.rawValue),
            payload: text(
                record, identity: identity, site: topics.site, wall: wall, isReplay: outbound.isReplay,
                unsynced: unsynced),
            userProperties: [("v", "1"), ("type", record.type.rawValue), ("seq", String(record.seq))])
    }
}
