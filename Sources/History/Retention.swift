import Foundation
import GRDB

extension Store {
    /// What went because it was too old or because there was no room.
    public struct Pruned: Sendable, Equatable {
        public var predictions = 0
        public var delivered = 0
        public var sessions = 0
        /// Records that some receiver never got; the log now declares them as a gap.
        public var undelivered = 0

        public var total: Int { predictions + delivered + sessions + undelivered }
    }

    /// Deletes what is too old, and more while the file is nearly full: single predictions first, then records every
    /// receiver has, then the oldest sessions, and only then records that some receiver still waits for. Day totals
    /// stay. To be called hourly.
    ///
    /// A clock that was never set makes nothing old: what looks old may be new. Works in small transactions, so that
    /// the writer never waits long.
    /// - Parameter consumers: the receivers whose cursors hold records back.
    @discardableResult
    public func prune(
        wall: Date, clock: ClockState = .now(), consumers: [String] = [RecordLog.broker]
    ) throws -> Pruned {
        var pruned = Pruned()
        let delivered = try consumers.map { try self.records.cursor(of: $0) }.min() ?? 0
        if clock == .synced {
            try pruneOld(Timestamp.milliseconds(wall), delivered: delivered, clock: clock, into: &pruned)
        }
        try pruneForRoom(Timestamp.milliseconds(wall), delivered: delivered, clock: clock, into: &pruned)
        return pruned
    }

    private func pruneOld(_ now: Int64, delivered: Int64, clock: ClockState, into pruned: inout Pruned) throws {
        let day: Int64 = 86_400_000
        let oldPredictions = now - Int64(settings.predictionDays) * day
        let oldRecords = now - Int64(settings.recordDays) * day
        try repeatedly {
            try deletePredictions(before: oldPredictions)
        } adding: {
            pruned.predictions += $0
        }
        try repeatedly {
            try deleteDelivered(delivered, before: oldRecords)
        } adding: {
            pruned.delivered += $0
        }
        if settings.sessionDays > 0 {
            let oldSessions = now - Int64(settings.sessionDays) * day
            try repeatedly {
                try deleteSessions(before: oldSessions, keeping: 0)
            } adding: {
                pruned.sessions += $0
            }
        }
        let lastOld = try pool.read {
            try Int64.fetchOne($0, sql: "SELECT max(seq) FROM record WHERE ts_ms < ?", arguments: [oldRecords])
        }
        if let lastOld {
            try repeatedly {
                try evict(through: lastOld, now: now, clock)
            } adding: {
                pruned.undelivered += $0
            }
        }
        _ = try write { try $0.execute(sql: "DELETE FROM rollup WHERE start_ms < ?", arguments: [oldRecords]) }
    }

    private func pruneForRoom(_ now: Int64, delivered: Int64, clock: ClockState, into pruned: inout Pruned) throws {
        guard try isNearlyFull(0.9) else { return }
        while try isNearlyFull(0.8) {
            var deleted = try deletePredictions(before: .max)
            pruned.predictions += deleted
            if deleted == 0 {
                deleted = try deleteDelivered(delivered, before: .max)
                pruned.delivered += deleted
            }
            if deleted == 0 {
                deleted = try deleteSessions(before: .max, keeping: Self.newestSessions)
                pruned.sessions += deleted
            }
            if deleted == 0 {
                let last = try records.lastSeq()
                // The newest stay: also the gaps that tell of the others.
                deleted = try evict(through: last - 100, now: now, clock)
                pruned.undelivered += deleted
            }
            if deleted == 0 { return }
        }
    }

    /// Whether more than so much of the largest allowed size is in use.
    private func isNearlyFull(_ share: Double) throws -> Bool {
        try pool.read { db in
            let pages = try Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            let free = try Int64.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
            return Double(pages - free) > share * Double(Self.pageLimit(settings))
        }
    }

    private func deletePredictions(before moment: Int64) throws -> Int {
        try delete(
            """
            DELETE FROM prediction WHERE (end_ms, camera, track) IN
              (SELECT end_ms, camera, track FROM prediction WHERE end_ms < ? ORDER BY end_ms LIMIT \(Self.step))
            """, [moment])
    }

    private func deleteDelivered(_ seq: Int64, before moment: Int64) throws -> Int {
        try delete(
            """
            DELETE FROM record WHERE seq IN
              (SELECT seq FROM record WHERE seq <= ? AND ts_ms < ? ORDER BY seq LIMIT \(Self.step))
            """, [seq, moment])
    }

    /// Sessions that have ended, oldest first; what their records still have to tell is in the log.
    private func deleteSessions(before moment: Int64, keeping newest: Int) throws -> Int {
        try delete(
            """
            DELETE FROM session WHERE id IN
              (SELECT id FROM session WHERE end_reason IS NOT NULL AND end_ms < ?
                 AND id NOT IN (SELECT id FROM session ORDER BY start_ms DESC LIMIT ?)
               ORDER BY start_ms LIMIT \(Self.step))
            """, [moment, newest])
    }

    private func evict(through seq: Int64, now: Int64, _ clock: ClockState) throws -> Int {
        try write {
            try RecordLog.evict(through: seq, limit: Self.step, wallMilliseconds: now, clock: clock, in: $0)
        }
    }

    private func delete(_ sql: String, _ arguments: StatementArguments) throws -> Int {
        try write { db in
            try db.execute(sql: sql, arguments: arguments)
            return db.changesCount
        }
    }

    private func repeatedly(_ work: () throws -> Int, adding: (Int) -> Void) throws {
        while true {
            let count = try work()
            adding(count)
            if count < Self.step { return }
        }
    }

    /// Sessions that stay however full the file is.
    private static let newestSessions = 1000
    /// Rows a transaction deletes at most.
    private static let step = 2000
}
