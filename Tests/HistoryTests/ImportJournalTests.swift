import Foundation
import GRDB
import History
import Records
import Testing

/// An import runs in one transaction with a rollback journal.
@Suite struct ImportJournalTests {
    private static let about = ExportRow(
        .about,
        fields: [
            "format": .text("spotter.history"), "version": .integer(1), "node": .text("n"), "epoch": .text("e"),
            "seq": .integer(0), "written": .text("2026-11-21T10:00:00.000Z"),
        ])

    private static func session(_ number: Int) -> ExportRow {
        ExportRow(
            .sessions,
            fields: [
                "id": .text("s\(number)"), "camera": .text("c"), "track": .integer(1), "end_reason": .text("idle"),
                "start": .text("2026-11-21T10:00:00.000Z"), "end": .text("2026-11-21T10:00:01.000Z"),
                "model": .text("m"), "fps": .number(30), "rev": .integer(1),
            ])
    }

    private func size(_ path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }

    @Test func `an import leaves the write-ahead log as it is, and the mode as it was`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        var (number, largest) = (0, 0)
        _ = try store.importing {
            number += 1
            if number % 500 == 0 { largest = max(largest, size(fixture.path + "-wal")) }
            return number == 1 ? Self.about : number < 5000 ? Self.session(number) : nil
        }
        #expect(largest == 0, "the log grew to \(largest) bytes")
        #expect(try store.ask("PRAGMA journal_mode") == "wal" && store.ask("SELECT count(*) FROM session") == "4998")
        #expect(size(fixture.path + "-journal") == 0)
        let writer = try fixture.writer(store)
        writer.enqueue(Fixture.session("later", reason: .idle), now: .now)
        #expect(try writer.flush(now: .now, wall: Fixture.noon) != nil, "the writer goes on")
        #expect(try store.query.session("later") != nil)
    }

    @Test func `an import goes on while somebody reads the history`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let reader = try DatabaseQueue(path: fixture.path)
        try reader.inDatabase { db in
            try db.execute(sql: "BEGIN")
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM session")
            var rows = [Self.about, Self.session(1)][...]
            #expect(try store.importing { rows.popFirst() }.added["sessions"] == 1)
            try db.execute(sql: "COMMIT")
        }
        #expect(try store.ask("SELECT count(*) FROM session") == "1")
    }

    /// As a power cut leaves the files: pages of the transaction are in the database already, and the old ones in the
    /// journal.
    private func interrupted(_ fixture: Fixture) throws -> String {
        try fixture.open().close()
        let queue = try DatabaseQueue(path: fixture.path)
        let copy = fixture.directory.appending(path: "cut.db").path
        try queue.inDatabase { db in
            _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE")
            try db.execute(sql: "PRAGMA cache_size = 5; BEGIN")
            for number in 0..<2000 {
                try db.execute(
                    sql: """
                        INSERT INTO session(id, camera, track, start_ms, end_ms, end_reason, model, fps)
                          VALUES(?, 'c', 1, ?, 5000, 'idle', 'm', 30)
                        """, arguments: ["s\(number)", number])
            }
            for suffix in ["", "-journal"] {
                try FileManager.default.copyItem(atPath: fixture.path + suffix, toPath: copy + suffix)
            }
            try db.execute(sql: "ROLLBACK")
        }
        #expect(size(copy + "-journal") > 0 && size(copy) > 100_000)
        return copy
    }

    @Test func `an import that a power cut interrupted is undone at the next start`() throws {
        let fixture = try Fixture()
        let cut = try interrupted(fixture)
        let store = try fixture.open(path: cut)
        #expect(try store.ask("SELECT count(*) FROM session") == "0" && store.query.check().problems.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: cut + "-journal"))
    }

    @Test func `an import that a power cut interrupted is undone by whoever asks first`() throws {
        let fixture = try Fixture()
        let cut = try interrupted(fixture)
        #expect(try HistoryQuery(path: cut).sessions().isEmpty)
    }
}
