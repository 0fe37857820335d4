import Foundation
import History

extension HealthPayload.Connection {
    /// The connection as a report tells it.
    package init(_ report: ConnectionReport) {
        self.init(
            online: report.isOnline, sid: report.sid, reconnects: report.reconnects,
            droppedEphemeral: report.droppedEphemeral, refusedRetained: report.refusedRetained,
            replacedSwitches: report.replacedSwitches)
    }
}

extension HealthPayload.Outbox {
    /// The records that wait, by the positions of the receivers.
    ///
    /// - Throws: `HistoryError`.
    package init(_ log: RecordLog, acked: [String: Int64], wall: Date) throws {
        let (count, oldest) = try log.pending(after: acked.values.min() ?? 0)
        let age = oldest.map { max(0, wall.timeIntervalSince1970 - Double($0) / 1000) } ?? 0
        self.init(pending: count, oldestSeconds: Int(age), acked: acked)
    }
}
