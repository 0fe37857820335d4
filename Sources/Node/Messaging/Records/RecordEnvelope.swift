import Broker
import Foundation
import History
import Records

/// The JSON object around every durable record, `rec/<type>`.
package enum RecordEnvelope {
    /// Age from which a record counts as history, milliseconds. A live display may skip such records.
    static let historyAgeMs: Int64 = 60_000

    /// The JSON text of a record. The body is already JSON and is copied unchanged.
    ///
    /// - Parameters:
    ///   - isReplay: whether the record was requested again. It then counts as history whatever its age.
    ///   - unsynced: the rows stored before the clock was set. Such a record carries the boot id and the time since the
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
