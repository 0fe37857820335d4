import Actions
import Foundation
import GRDB
import History
import Records
import Testing

/// A history with values that are not numbers, or absurd ones, can be read, and a node can run on it.
@Suite struct PoisonedTests {
    private let t0 = ContinuousClock.now

    /// Fills every table: an open and a closed session, a pending rollup, records, cursors, an answer.
    private func filled(_ fixture: Fixture) throws {
        let store = try fixture.open(node: "sp-one")
        let writer = try fixture.writer(store)
        for (id, reason) in [("done", Session.EndReason.idle), ("open", nil)] {
            var session = Fixture.session(id, reason: reason)
            session.sets = [1, 2].map { number in
                SessionSet(
                    number: number, label: "squat", start: Fixture.noon, end: Fixture.noon + 9, reps: 3, form: 80)
            }
            writer.enqueue(session, now: t0)
        }
        for label in ["squat", "no_person"] {
            writer.credit(Fixture.prediction(label), camera: "rack1", wall: Fixture.noon + 1, now: t0)
        }
        _ = try writer.commitIfDue(now: t0 + .seconds(5), wall: Fixture.noon + 2)
        try store.records.advance(to: 1, wall: Fixture.noon)
        try store.commands.remember("{}", to: "c1", wall: Fixture.noon)
        // A gap record from earlier losses, which could grow.
        try store.pool.write { try $0.execute(sql: "UPDATE record SET ts_ms = 5 WHERE seq = 2") }
        try store.prune(wall: Fixture.noon, clock: .synced)
        try store.correctSet(1, of: "done", to: .to(label: "lunge", reps: 2), wall: Fixture.noon, clock: .synced)
        try store.close()
    }

    private func numericColumns(_ path: String) throws -> [(table: String, column: String)] {
        try DatabaseQueue(path: path).read { db in
            let tables = try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'grdb%'")
            return try tables.flatMap { table in
                try db.columns(in: table)
                    .filter {
                        $0.type == "INTEGER" || $0.type == "REAL" || table == "sqlite_sequence" && $0.name == "seq"
                    }
                    .map { (table, $0.name) }
            }
        }
    }

    private func poison(_ path: String, _ table: String, _ column: String, _ value: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
            do {
                try db.execute(sql: "UPDATE OR IGNORE \(table) SET \(column) = \(value)")
            } catch let error as DatabaseError where [.SQLITE_MISMATCH, .SQLITE_CONSTRAINT].contains(error.resultCode) {
                return  // SQLite refuses this value: a row id must be an integer.
            }
        }
        try queue.close()
    }

    @Test(arguments: [
        "9223372036854775807", "-9223372036854775808", "1e308", "9e999", "'many'", "x'00ff'", "NULL", "-1",
    ])
    func `every query works and a node runs, whatever a numeric column holds`(value: String) throws {
        let fixture = try Fixture()
        try filled(fixture)
        let columns = try numericColumns(fixture.path)
        #expect(columns.count > 35, "\(columns)")
        for (number, (table, column)) in columns.enumerated() {
            let path = fixture.directory.appendingPathComponent("poisoned-\(number).db").path
            try FileManager.default.copyItem(atPath: fixture.path, toPath: path)
            try poison(path, table, column, value)
            do {
                try ask(try HistoryQuery(path: path))
                // After the largest position there is none for a new record; that must be an error, not a trap.
                if table == "sqlite_sequence" || column == "seq" { continue }
                try run(fixture, path)
            } catch {
                Issue.record("\(table).\(column) = \(value): \(error)")
            }
        }
    }

    private func ask(_ query: HistoryQuery) throws {
        var texts = [try JSONText.encode(query.summary())]
        try query.sessions { texts.append(try JSONText.encode($0)) }
        texts.append(try JSONText.encode(query.actions()))
        texts.append(try JSONText.encode(query.days()))
        try query.sets { texts.append(try JSONText.encode($0)) }
        try query.predictions { texts.append(try JSONText.encode($0)) }
        texts.append(try JSONText.encode(query.predictions(ofSession: "done")))
        try query.export { row in
            texts.append(row.json(named: true))
            #expect(row.cells.count == row.table.columns.count)
        }
        for text in texts { _ = try JSONSerialization.jsonObject(with: Data(text.utf8)) }
    }

    private func run(_ fixture: Fixture, _ path: String) throws {
        let reading = ClockReading(state: .synced, uptimeMs: 5000, boot: "f1f1f1f1")
        let store = try fixture.open(node: "sp-one", path: path)
        let writer = try fixture.writer(store)
        writer.credit(Fixture.prediction("squat"), camera: "rack1", wall: Fixture.noon + 3, now: t0)
        for id in ["open", "new"] { writer.enqueue(Fixture.session(id, frames: 9, reason: .idle), now: t0) }
        let commit = try writer.flush(now: t0, wall: Fixture.noon + 4)
        _ = try JSONText.encode(commit?.days ?? [])
        _ = try store.records.records(after: 0, limit: 99)
        _ = try store.records.pending(after: 0)
        _ = try store.records.cursor()
        _ = try store.records.gaps(after: 0)
        let last = try store.records.lastSeq()
        _ = try store.records.declareHoles(in: 1...max(1, min(last, 99)), wall: Fixture.noon, clock: .synced)
        _ = try store.commands.response(to: "c1", wall: Fixture.noon)
        _ = try store.needsCorrection(reading, wall: Fixture.noon)
        _ = try store.nextConnectionId()
        try store.prune(wall: Fixture.noon + 200 * 86_400, clock: .synced)
        do {
            try store.correctSet(2, of: "done", to: .to(label: "lunge", reps: 4), wall: Fixture.noon)
        } catch is CorrectionError {
            // The set's number is one of the poisoned values.
        }
        _ = try store.deleteSession("done", wall: Fixture.noon)
        #expect(store.fileCondition() == .sound)
        try store.close()
    }

    @Test func `a correction, a salvage and an import survive poisoned rows`() throws {
        for value in ["9223372036854775807", "-9223372036854775808", "1e308", "'many'"] {
            let fixture = try Fixture()
            let boot = ClockReading(state: .unsynced, uptimeMs: 1000, boot: "7c1e0f5a")
            do {
                let store = try Store(
                    path: fixture.path, settings: HistorySettings(timeZone: .gmt), wall: Fixture.noon, clock: boot)
                let writer = try HistoryWriter(store: store, model: Fixture.model) { boot }
                writer.enqueue(Fixture.session("a", reason: .idle), now: t0)
                writer.credit(Fixture.prediction("squat"), camera: "rack1", wall: Fixture.noon, now: t0)
                _ = try writer.flush(now: t0, wall: Fixture.noon)
            }
            for (table, column) in try numericColumns(fixture.path) where column != "seq" && table != "clock_stretch" {
                if column != "clock" && column != "id" { try poison(fixture.path, table, column, value) }
            }
            let synced = ClockReading(state: .synced, uptimeMs: 2000, boot: "7c1e0f5a")
            let store = try Store(
                path: fixture.path, settings: HistorySettings(timeZone: .gmt), wall: Fixture.noon + 9000, clock: synced)
            #expect(store.openingEvents.contains(.correctedClock(2)), "\(value): \(store.openingEvents)")
            try ask(store.query)
        }
    }
}
