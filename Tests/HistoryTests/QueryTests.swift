import Actions
import Foundation
import GRDB
import History
import Records
import Testing

@Suite struct QueryTests {
    private let t0 = ContinuousClock.now

    private func filled(_ fixture: Fixture) throws -> Store {
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        for number in 0..<6 {
            let start = Fixture.noon.addingTimeInterval(Double(number) * 36_000)
            let label = number % 2 == 0 ? "squat" : "lunge"
            let camera = number < 4 ? "rack1" : "rack2"
            writer.enqueue(
                Fixture.session(
                    "s\(number)", frames: 100 + number, start: start, reason: number == 5 ? nil : .idle, camera: camera,
                    label: label), now: t0)
            let prediction = Fixture.prediction(label, frames: 100 + number)
            writer.credit(prediction, camera: camera, wall: start, now: t0)
        }
        writer.credit(Fixture.prediction("no_person", track: nil), camera: "rack1", wall: Fixture.noon, now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        return store
    }

    @Test func `sessions are found by time, camera, action and number, newest first`() throws {
        let fixture = try Fixture()
        let query = try filled(fixture).query
        func ids(_ filter: HistoryFilter) throws -> [String] { try query.sessions(filter).map(\.id) }
        #expect(try ids(HistoryFilter()) == ["s5", "s4", "s3", "s2", "s1", "s0"])
        #expect(try ids(HistoryFilter(limit: 2)) == ["s5", "s4"])
        #expect(try ids(HistoryFilter(camera: "rack2")) == ["s5", "s4"])
        #expect(try ids(HistoryFilter(action: "squat")) == ["s4", "s2", "s0"])
        let since = Fixture.noon.addingTimeInterval(36_000)
        #expect(try ids(HistoryFilter(since: since, until: since.addingTimeInterval(72_000))) == ["s2", "s1"])
        #expect(try ids(HistoryFilter(camera: "rack9")).isEmpty)
    }

    @Test func `actions and days are summed over whole days`() throws {
        let fixture = try Fixture()
        let query = try filled(fixture).query
        #expect(try query.actions().map(\.label) == ["lunge", "squat"])
        #expect(try query.actions().map(\.frames) == [309, 306])
        #expect(try query.actions(HistoryFilter(until: Fixture.noon + 43_200)).map(\.label) == ["lunge", "squat"])
        #expect(try query.actions(HistoryFilter(camera: "rack2", action: "squat")).map(\.frames) == [104])
        let days = try query.days(HistoryFilter(camera: "rack1"))
        #expect(days.map(\.day) == ["2026-11-21", "2026-11-22"])
        #expect(days.first?.excludedFrames == ["no_person": 10])
        #expect(try query.days().newest(1).rows.map(\.camera) == ["rack2"])
        #expect(try query.days(HistoryFilter(camera: "rack2", action: "squat")).count == 1)
    }

    @Test func `the printed JSON equals what sqlite3 reads`() throws {
        let fixture = try Fixture()
        let store = try filled(fixture)
        let json = try JSONText.encode(try store.query.actions())
        let sql = """
            SELECT json_group_array(json_object('days', days, 'frames', frames, 'label', label, 'reps', reps,
              'seconds', seconds)) FROM (SELECT label, sum(frames) AS frames, round(sum(seconds), 3) AS seconds,
              sum(reps) AS reps, count(DISTINCT day) AS days FROM day_action GROUP BY label ORDER BY frames DESC)
            """
        let theirs = try sqlite3(fixture.path, sql)
        let ours = try JSONDecoder().decode([ActionRow].self, from: Data(json.utf8))
        #expect(try JSONDecoder().decode([ActionRow].self, from: Data(theirs.utf8)) == ours)
        #expect(try sqlite3(fixture.path, "SELECT sum(frames) FROM session_action") == "615")
        #expect(try store.query.sessions().reduce(0) { $0 + $1.frames } == 615)
    }

    @Test func `a session's JSON has the contract's keys`() throws {
        let fixture = try Fixture()
        let row = try #require(try filled(fixture).query.session("s0"))
        let text = try JSONText.encode(row)
        #expect(
            text == """
                {"actions":[{"conf_mean":0.91,"frames":100,"label":"squat","reps":5,"seconds":3.333}],\
                "camera":"rack1","end":"2026-11-21T11:00:30.000Z","end_reason":"idle",\
                "excluded_frames":{"no_person":40},"fps":30,"frames":100,"id":"s0","model":"gym14@9f2c41","rev":1,\
                "seconds":3.333,"start":"2026-11-21T11:00:00.000Z","track":1}
                """)
    }

    @Test func `a reader works beside the writer and sees each commit`() throws {
        let fixture = try Fixture()
        let store = try filled(fixture)
        let reader = try HistoryQuery(path: fixture.path)
        #expect(try reader.sessions() == store.query.sessions())
        let writer = try fixture.writer(store)
        writer.enqueue(Fixture.session("new"), now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        #expect(try reader.session("new") != nil)
        #expect(try reader.timeZone()?.identifier == "Europe/Berlin")
        #expect(try reader.summary().openSessions == 2)
    }

    @Test func `reading a missing history gives exit code 3, reading noise gives 74`() throws {
        let fixture = try Fixture()
        let missing = #expect(throws: HistoryError.self) { try HistoryQuery(path: fixture.path) }
        #expect(missing?.exitCode == 3)
        try Data(repeating: 0x5A, count: 8192).write(to: URL(fileURLWithPath: fixture.path))
        let noise = #expect(throws: HistoryError.self) { try HistoryQuery(path: fixture.path).sessions() }
        #expect(noise?.exitCode == 74)
    }

    @Test func `a closed file can be read in a read-only folder`() throws {
        let fixture = try Fixture()
        try filled(fixture).close()
        let lone = fixture.directory.appendingPathComponent("lone dir/spotter.db")
        try FileManager.default.createDirectory(
            at: lone.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: fixture.path, toPath: lone.path)
        #expect(try HistoryQuery(path: lone.path).sessions().count == 6)
    }

    @Test func `a hundred thousand sessions are streamed in bounded memory`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        try store.pool.write { db in
            try db.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
                    INSERT INTO session(id, camera, track, start_ms, end_ms, end_reason, model, fps)
                    SELECT printf('s%06d', i), 'rack1', 1, i * 1000, i * 1000 + 500, 'idle', 'm', 30 FROM n
                    """)
        }
        var count = 0
        try store.query.sessions { _ in count += 1 }
        #expect(count == 100_000)
    }
}
