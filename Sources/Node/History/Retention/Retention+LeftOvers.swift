import Foundation
import GRDB
import Records

/// The small tables: what nobody refers to any more, and what is cut when the file is nearly full.
extension Store {
    /// Up to this many rows, unused ones stay: looking for them takes a look at every prediction.
    static let fewNames = 256
    /// The same for stretches of an unsynchronised clock.
    static let fewStretches = 100
    /// The newest responses to commands that are kept even when the file is full.
    static let newestCommands = 1000
    /// The same for absences of cameras.
    static let newestAbsences = 1000

    /// Deletes what other rows left: responses and requests, cursors of receivers that are not configured any more, names
    /// and stretches of the clock that no row refers to.
    ///
    /// - Returns: how many rows there were.
    func deleteLeftOvers(_ pruning: Pruning, before moment: Int64) throws -> Int {
        try write { db in
            var count = try Self.forgetCommands(wall: pruning.wall, in: db)
            if pruning.clock == .synced {
                count += try Self.deleteCursors(besides: pruning.consumers, before: moment, in: db)
                count += try Self.deleteDeliveries(before: moment, in: db)
            }
            return try count + Self.deleteNames(in: db) + Self.deleteStretches(in: db)
        }
    }

    private static func deleteCursors(besides consumers: [String], before moment: Int64, in db: Database) throws -> Int
    {
        let kept = consumers + [RecordLog.broker]
        let marks = kept.map { _ in "?" }.joined(separator: ", ")
        try db.execute(
            sql: "DELETE FROM cursor WHERE at_ms < ? AND consumer NOT IN (\(marks))",
            arguments: [moment] + StatementArguments(kept))
        return db.changesCount
    }

    private static func deleteNames(in db: Database) throws -> Int {
        guard try Int.fetchOne(db, sql: "SELECT count(*) FROM name") ?? 0 > fewNames else { return 0 }
        try db.execute(
            sql: "DELETE FROM name WHERE id NOT IN (SELECT camera FROM prediction UNION SELECT label FROM prediction)")
        return db.changesCount
    }

    /// Rows of a trusted stretch that is missing count as trusted, so such a stretch of an earlier boot may go. The newest
    /// one stays, so that no number is given twice.
    private static func deleteStretches(in db: Database) throws -> Int {
        let newest = try Row.fetchOne(db, sql: "SELECT id, boot FROM clock_stretch ORDER BY id DESC LIMIT 1")
        guard let newest else { return 0 }
        let isOld = "boot <> ? AND id < ?"
        let arguments: StatementArguments = [newest.text("boot"), newest.position("id")]
        try db.execute(sql: "DELETE FROM clock_stretch WHERE state = 'synced' AND \(isOld)", arguments: arguments)
        let count = db.changesCount
        guard try Int.fetchOne(db, sql: "SELECT count(*) FROM clock_stretch") ?? 0 > fewStretches else { return count }
        try db.execute(
            sql: """
                DELETE FROM clock_stretch WHERE \(isOld) AND id NOT IN (
                  SELECT clock FROM session UNION SELECT clock FROM prediction UNION SELECT clock FROM rollup
                  UNION SELECT clock FROM workout UNION SELECT clock FROM camera_absence
                  UNION SELECT clock FROM occupancy UNION SELECT clock FROM occupancy_zone
                  UNION SELECT clock FROM question UNION SELECT clock FROM alarm)
                """, arguments: arguments)
        return count + db.changesCount
    }

    /// Deletes gaps: the positions that they stand for, and their own, are declared again when a receiver asks for them.
    func deleteGaps(_ condition: String, _ limit: Int64) throws -> Int {
        try delete(
            """
            DELETE FROM record WHERE seq IN
              (SELECT seq FROM record WHERE type = 'gap' AND \(condition) ORDER BY seq LIMIT ?)
            """, [limit, Self.slice])
    }

    func deleteOldestCommands() throws -> Int {
        try delete(
            """
            DELETE FROM cmd_seen WHERE id IN (SELECT id FROM cmd_seen ORDER BY at_ms DESC LIMIT ? OFFSET ?)
            """, [Self.slice, Self.newestCommands])
    }

    /// Deletes absences that ended before a moment, or while the file is nearly full all but the newest.
    ///
    /// - Parameter moment: milliseconds since 1970; `nil` to make room.
    func deleteAbsences(before moment: Int64?) throws -> Int {
        let old =
            moment == nil
            ? "end_ms IS NOT NULL ORDER BY start_ms DESC LIMIT ? OFFSET \(Self.newestAbsences)"
            : "end_ms < \(moment ?? 0) AND \(ClockStretch.isTrusted) ORDER BY start_ms LIMIT ?"
        return try delete(
            "DELETE FROM camera_absence WHERE id IN (SELECT id FROM camera_absence WHERE \(old))", [Self.slice])
    }

    /// Five-minute sums that were recorded; the others wait for the end of their time.
    func deleteOldestRollups() throws -> Int {
        try delete(
            """
            DELETE FROM rollup WHERE id IN (SELECT id FROM rollup WHERE dirty = 0 ORDER BY start_ms LIMIT ?)
            """, [Self.slice])
    }

    /// Deletes the totals of the oldest day, as long as there are more than ``newestDays``.
    func deleteOldestDay() throws -> Int {
        try write { db in
            let days = try String.fetchAll(
                db, sql: "SELECT DISTINCT day FROM day_camera ORDER BY day LIMIT ?", arguments: [Self.newestDays + 1])
            guard days.count > Self.newestDays, let oldest = days.first else { return 0 }
            for table in DayRows.tables {
                try db.execute(sql: "DELETE FROM \(table) WHERE day <= ?", arguments: [oldest])
            }
            for table in ["occupancy", "occupancy_zone"] {
                try db.execute(
                    sql: "DELETE FROM \(table) WHERE start_ms < (strftime('%s', ?) + 86400) * 1000", arguments: [oldest]
                )
            }
            return 1
        }
    }
}
