import Foundation
import GRDB
import History
import Records
import Testing

/// Tests the migration of a history from an earlier version.
@Suite struct MigrationTests {
    @Test func `rows stored before clock states were recorded are trusted, except if their newest record is unsynced`()
        throws
    {
        let fixture = try Fixture()
        let noon = Timestamp.milliseconds(Fixture.noon)
        let old = try DatabaseQueue(path: fixture.path)
        try Migrations.migrator().migrate(old, upTo: "v3")
        try old.write { db in
            for id in ["right", "corrected", "doubtful", "waiting"] {
                try db.execute(
                    sql: "INSERT INTO session VALUES(?, 'rack1', 1, ?, ?, 'idle', 'm', 30, 1, ?)",
                    arguments: [id, noon, noon + 30_000, noon])
            }
            try db.execute(
                sql: """
                    INSERT INTO rollup VALUES(?, 'rack1', 'sums', 'm', 30, 1, 0);
                    INSERT INTO rollup_action VALUES('sums', 'squat', 300, 10);
                    INSERT INTO name VALUES(1, 'rack1'), (2, 'squat');
                    INSERT INTO prediction VALUES(?, 1, 1, 2, 900, 10);
                    """, arguments: [noon / 300_000 * 300_000, noon])
            let records = [
                ("session", "right", "synced"), ("session", "corrected", "unsynced"),
                ("session", "doubtful", "unsynced"),
                ("session", "corrected", "synced"), ("session", "waiting", "unsynced"), ("rollup", "sums", "unsynced"),
            ]
            for (number, (type, id, clock)) in records.enumerated() {
                try db.execute(
                    sql: "INSERT INTO record(type, id, rev, ts_ms, clock, body) VALUES(?, ?, ?, ?, ?, '{}')",
                    arguments: [type, id, number == 3 ? 2 : 1, noon, clock])
            }
            let note = #"{"base":\#(noon - 100_000),"boot":"7c1e0f5a","from_seq":5}"#
            try db.execute(sql: "INSERT INTO meta VALUES('unsynced', ?), ('clean_shutdown', '1')", arguments: [note])
        }
        try old.close()
        try check(fixture)
    }

    /// In between, the clock was set an hour forward.
    private func check(_ fixture: Fixture) throws {
        let clock = ClockReading(state: .synced, uptimeMs: 200_000, boot: "7c1e0f5a")
        let settings = HistorySettings(timeZone: .gmt, nodeId: "sp-one")
        let store = try Store(path: fixture.path, settings: settings, wall: Fixture.noon + 3700, clock: clock)
        #expect(store.openingEvents == [.correctedClock(2)])
        let starts = try store.query.sessions().reduce(into: [:]) { $0[$1.id] = $1.start }
        let (before, after) = ("2026-11-21T11:00:00.000Z", "2026-11-21T12:00:00.000Z")
        #expect(starts == ["right": before, "corrected": before, "doubtful": before, "waiting": after])
        #expect(
            try store.ask("SELECT start_ms FROM rollup") == String(Timestamp.milliseconds(Fixture.noon) + 3_600_000))
        #expect(try store.ask("SELECT frames FROM rollup_action") == "300", "the new table kept its parts")
        #expect(try store.ask("SELECT count(*) FROM prediction WHERE clock = 0") == "1")
        #expect(try store.query.check().problems.isEmpty)
        #expect(try sqlite3(fixture.path + ".before-v21", "SELECT count(*) FROM session") == "4")
        // Rows with a known date are deleted by age; the others stay.
        var old = Store.Pruning(wall: Fixture.noon + 400 * 86_400, clock: .synced)
        while !old.isFinished { try store.pruneSlice(&old) }
        #expect(old.pruned.predictions == 1 && old.pruned.undelivered == 4)
        #expect(try store.ask("SELECT count(*) FROM record WHERE clock = 'unsynced'") == "4")
    }
}
