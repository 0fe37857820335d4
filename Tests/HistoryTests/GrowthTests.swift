import Foundation
import GRDB
import History
import Records
import Testing

/// Every table has somebody who keeps it small: an age, what is cut when the file is nearly full, and a filler here.
@Suite struct GrowthTests {
    /// More than what is kept of any table when the file is full.
    private static let count = 1500
    private static let noon = Timestamp.milliseconds(Fixture.noon)

    /// Fills the tables; each name stands for the tables that its statements fill. `?1` is the number of the row, `?2` its
    /// time, which grows with the number.
    private static let fillers: [(tables: [String], sql: [String])] = [
        (
            ["session", "session_action", "session_excluded", "session_set", "set_correction", "kept_pose"],
            [
                """
                INSERT INTO session(id, camera, track, start_ms, end_ms, end_reason, model, fps)
                  VALUES('s' || ?1, 'rack1', 1, ?2, ?2 + 9, 'idle', 'm', 30)
                """, "INSERT INTO session_action VALUES('s' || ?1, 'squat', 0, 9, 9, 9, 1)",
                "INSERT INTO session_excluded VALUES('s' || ?1, 'no_person', 9)",
                """
                INSERT INTO session_set(session, number, label, start_ms, end_ms, reps)
                  VALUES('s' || ?1, 1, 'squat', ?2, ?2 + 9, 9)
                """, "INSERT INTO set_correction VALUES('s' || ?1, 1, 'lunge', 9, ?2, 60.5, 8)",
                "INSERT INTO kept_pose VALUES('s' || ?1, ?2, ?2 + 9, x'00')",
            ]
        ),
        (
            ["day_camera", "day_action", "day_excluded", "day_zone", "occupancy", "occupancy_zone"],
            [
                "INSERT INTO day_camera(day, camera) VALUES(date('2020-01-01', ?1 || ' days'), 'rack1')",
                "INSERT INTO day_action(day, camera, label) VALUES(date('2020-01-01', ?1 || ' days'), 'rack1', 'squat')",
                "INSERT INTO day_excluded(day, camera, reason) VALUES(date('2020-01-01', ?1 || ' days'), 'rack1', 'x')",
                "INSERT INTO day_zone(day, camera, zone) VALUES(date('2020-01-01', ?1 || ' days'), 'rack1', 'mat')",
                """
                INSERT INTO occupancy
                  VALUES((strftime('%s', '2020-01-01') + ?1 * 86400) * 1000, 'rack1', 0, 900, 900, 1, 1)
                """,
                """
                INSERT INTO occupancy_zone
                  VALUES((strftime('%s', '2020-01-01') + ?1 * 86400) * 1000, 'rack1', 'mat', 0, 900, 0, 1)
                """,
            ]
        ),
        (
            ["camera_absence"],
            [
                """
                INSERT INTO camera_absence(id, camera, start_ms, end_ms, reason, clock)
                  VALUES('a' || ?1, 'rack1', ?2, ?2, 'unplugged', 0)
                """
            ]
        ),
        (
            ["alarm"],
            [
                """
                INSERT INTO alarm VALUES('a' || ?1, 'rack1', NULL, 'fall', ?2, ?2, ?2, NULL, 0)
                """
            ]
        ),
        (
            ["rollup", "rollup_action"],
            [
                """
                INSERT INTO rollup(start_ms, camera, id, model, fps, dirty)
                  VALUES(?2 / 300000 * 300000 + 300000 * ?1, 'rack1', 'r' || ?1, 'm', 30, 0)
                """, "INSERT INTO rollup_action VALUES('r' || ?1, 'squat', 9, 9)",
            ]
        ),
        (
            ["name", "prediction"],
            [
                "INSERT INTO name VALUES(?1 + 10, 'label ' || ?1)",
                """
                INSERT INTO prediction(end_ms, camera, track, label, confidence, frames)
                  VALUES(?2, ?1 + 10, 1, ?1 + 10, 900, 9)
                """,
            ]
        ),
        (
            ["record"],
            [
                // Deleted sessions, gaps, and others.
                """
                INSERT INTO record(type, id, ts_ms, clock, body)
                  SELECT CASE ?1 % 3 WHEN 0 THEN 'session' WHEN 1 THEN 'gap' ELSE 'workout' END, 'x' || ?1, ?2, 'synced',
                    CASE ?1 % 3 WHEN 0 THEN '{"deleted":true}'
                      WHEN 1 THEN '{"from_seq":1,"to_seq":1,"reason":"retention","records":1}' ELSE '{}' END
                """
            ]
        ),
        (["cursor"], ["INSERT INTO cursor VALUES('receiver ' || ?1, 'e', ?1, ?2)"]),
        (["cmd_seen"], ["INSERT INTO cmd_seen VALUES('c' || ?1, ?2, '{}')"]),
        (
            ["clock_stretch"],
            ["INSERT INTO clock_stretch(boot, state, base_ms, from_seq) VALUES('b' || ?1, 'unsynced', ?2, 1)"]
        ),
        (
            ["question", "question_pool"],
            [
                """
                INSERT INTO question(kind, sample, reason, weight, week, camera, start_ms, end_ms, likely, model, answer)
                  VALUES('excerpt', 'random', 'random', 1, '2026-11-16', 'rack1', ?2, ?2 + ?1, '', 'm', 'none')
                """, "INSERT INTO question_pool VALUES(date('2020-01-01', ?1 || ' days'), 'set', 'rack1', 1, 9)",
            ]
        ),
        (
            ["workout", "workout_step", "workout_rep"],
            [
                """
                INSERT INTO workout(id, camera, plan, start_ms, end_ms, end_reason, step, phase)
                  VALUES('w' || ?1, 'rack1', '{}', ?2, ?2 + 9, 'completed', 0, 'active')
                """,
                """
                INSERT INTO workout_step(workout, number, action, reps, seconds, skipped)
                  VALUES('w' || ?1, 0, 'squat', 9, 9, 0)
                """, "INSERT INTO workout_rep VALUES('w' || ?1, 0, 0, '-1,-1,-1,-1')",
            ]
        ),
        (
            ["delivery"],
            ["INSERT INTO delivery(id, recipient, message, made_ms, due_ms) VALUES('d' || ?1, 'club', '{}', ?2, ?2)"]
        ),
        (["standing_problem"], ["INSERT INTO standing_problem VALUES('staff', 'disk', 'c' || ?1, '', ?2, 1)"]),
    ]

    private func filled(_ fixture: Fixture, settings: HistorySettings) throws -> Store {
        let store = try Store(path: fixture.path, settings: settings, wall: Fixture.noon, clock: Fixture.clock)
        try store.pool.write { db in
            for sql in Self.fillers.flatMap(\.sql) {
                let statement = try db.makeStatement(sql: sql)
                for number in 0..<Self.count {
                    let values: [DatabaseValue] = [number.databaseValue, (Self.noon + Int64(number)).databaseValue]
                    statement.setUncheckedArguments(StatementArguments(values.prefix(sql.contains("?2") ? 2 : 1)))
                    try statement.execute()
                }
            }
        }
        return store
    }

    private func counts(_ store: Store) throws -> [String: Int] {
        try store.pool.read { db in
            try TableOwner.all.map(\.table).reduce(into: [:]) { counts, table in
                counts[table] = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)")
            }
        }
    }

    @Test func `every table has an owner, and a filler in this test`() throws {
        let store = try Fixture().open()
        let tables = try store.pool.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
                      AND name NOT LIKE 'grdb_%' ORDER BY name
                    """)
        }
        #expect(TableOwner.all.map(\.table).sorted() == tables, "say in TableOwner.swift who keeps a new table small")
        let fixed = TableOwner.all.filter { $0.age == .never && $0.room == .few }.map(\.table)
        #expect((Self.fillers.flatMap(\.tables) + fixed).sorted() == tables, "fill a new table in GrowthTests.swift")
    }

    @Test func `what is old leaves each table`() throws {
        let fixture = try Fixture()
        let settings = HistorySettings(timeZone: .gmt, sessionDays: 30, keepPosesDays: 30, nodeId: "sp-one")
        let store = try filled(fixture, settings: settings)
        let fixed = TableOwner.all.filter { $0.age == .never && $0.room == .few }.map(\.table)
        for (table, count) in try counts(store) where !fixed.contains(table) {
            #expect(count >= Self.count, "\(table) was not filled")
        }
        try store.prune(wall: Fixture.noon + 400 * 86_400, clock: .synced)
        let left = try counts(store)
        for owner in TableOwner.all where owner.age != .never {
            // What stays: one gap for all that was lost, the broker's cursor, the present boot.
            #expect((left[owner.table] ?? 0) <= 2, "\(owner.table) keeps \(left[owner.table] ?? 0) old rows")
        }
        #expect(left["day_action"] == Self.count, "the totals of days stay")
    }

    @Test func `when the file is nearly full, the oldest rows of each table make room`() throws {
        let fixture = try Fixture()
        try filled(fixture, settings: HistorySettings(timeZone: .gmt, keepPosesDays: 30, nodeId: "sp-one")).close()
        let small = HistorySettings(timeZone: .gmt, keepPosesDays: 30, maximumBytes: 1 << 16, nodeId: "sp-one")
        let store = try Store(path: fixture.path, settings: small, wall: Fixture.noon + 5, clock: Fixture.clock)
        let before = try counts(store)
        let pruned = try store.prune(wall: Fixture.noon + 5, clock: .synced)
        let left = try counts(store)
        for owner in TableOwner.all where owner.room != .few && owner.table != "clock_stretch" && owner.table != "name"
        {
            #expect((left[owner.table] ?? 0) < (before[owner.table] ?? 0), "nothing of \(owner.table) was cut")
        }
        #expect(pruned.workouts > 0 && (left["workout"] ?? 0) == 50 && (left["session"] ?? 0) == 1000)
        #expect(try store.ask("SELECT min(start_ms) FROM workout") == String(Self.noon + Int64(Self.count - 50)))
        #expect(try store.ask("SELECT min(day) FROM day_camera") == store.ask("SELECT min(day) FROM day_action"))
        // What refers to what has left goes with the next pass.
        try store.prune(wall: Fixture.noon + 5, clock: .synced)
        #expect(try store.ask("SELECT count(*) FROM name") == "0")
        #expect(try store.ask("SELECT count(*) FROM clock_stretch") == "1")
    }
}
