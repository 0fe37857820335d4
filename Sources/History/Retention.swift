import Foundation
import GRDB

extension Store {
    /// Deletes what is too old: single predictions, and records every receiver has. To be called hourly.
    ///
    /// A clock that was never set deletes nothing: what looks old may be new. Works in small transactions, so that the
    /// writer never waits long.
    /// - Parameter consumers: the receivers whose cursors hold records back.
    /// - Returns: how many rows went.
    @discardableResult
    public func prune(
        wall: Date, clock: ClockState = .now(), consumers: [String] = [RecordLog.broker]
    ) throws -> Int {
        guard clock == .synced else { return 0 }
        let day: Int64 = 86_400_000
        let now = Timestamp.milliseconds(wall)
        let predictions = try deleteInSteps(
            """
            DELETE FROM prediction WHERE (end_ms, camera, track) IN
              (SELECT end_ms, camera, track FROM prediction WHERE end_ms < ? ORDER BY end_ms LIMIT ?)
            """, [now - Int64(settings.predictionDays) * day])
        let delivered = try consumers.map { try self.records.cursor(of: $0) }.min() ?? 0
        let records = try deleteInSteps(
            "DELETE FROM record WHERE seq IN (SELECT seq FROM record WHERE seq <= ? AND ts_ms < ? LIMIT ?)",
            [delivered, now - Int64(settings.recordDays) * day])
        return predictions + records
    }

    private func deleteInSteps(_ sql: String, _ arguments: [Int64], step: Int64 = 2000) throws -> Int {
        var total = 0
        while true {
            let deleted = try write { db in
                try db.execute(sql: sql, arguments: StatementArguments(arguments + [step]))
                return db.changesCount
            }
            total += deleted
            if deleted < step { return total }
        }
    }
}
