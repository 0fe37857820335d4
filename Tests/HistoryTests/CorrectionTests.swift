import Actions
import Contract
import Foundation
import GRDB
import History
import Records
import Testing

/// Corrections of sets: the session, the totals of the day and the record log follow, and what was recognised stays.
@Suite struct CorrectionTests {
    private let t0 = ContinuousClock.now
    private let today = "2026-11-21"

    /// A session of 10 s at 30 frames a second: two sets of squats, 4 s with 7 repetitions and 3 s with 5.
    private func see(
        _ id: String, _ writer: HistoryWriter, at start: Date = Fixture.noon, reason: Session.EndReason? = .idle
    ) throws {
        var session = Fixture.session(id, reps: 12, start: start, end: start + 10, reason: reason)
        session.sets = [
            SessionSet(number: 1, label: "squat", start: start, end: start + 4, reps: 7, form: 80),
            SessionSet(number: 2, label: "squat", start: start + 6, end: start + 9, reps: 5, form: 70),
        ]
        writer.enqueue(session, now: t0)
        writer.credit(Fixture.prediction("squat", frames: 300), camera: "rack1", wall: start + 9, now: t0)
        _ = try writer.flush(now: t0, wall: start + 10)
    }

    private func filled(_ fixture: Fixture, _ ids: String...) throws -> Store {
        let store = try fixture.open(node: "sp-one")
        let writer = try fixture.writer(store)
        for id in ids { try see(id, writer) }
        return store
    }

    @discardableResult
    private func correct(
        _ store: Store, _ number: Int, of id: String = "s1", _ change: SetChange
    ) throws -> [DayRow] {
        try store.correctSet(number, of: id, to: change, wall: Fixture.noon + 3600, clock: .synced)
    }

    private func records(_ store: Store) throws -> [History.Record] {
        try store.records.records(after: 0, limit: 1000).filter { $0.type == .session }
    }

    @Test func `a corrected set counts for the right exercise, and says what was recognised`() throws {
        let fixture = try Fixture()
        let store = try filled(fixture, "s1")
        let before = try store.query.day(today, camera: "rack1")
        let days = try correct(store, 1, .to(label: "lunge", reps: 9))
        let session = try #require(try store.query.session("s1"))
        let sets = try #require(session.sets)
        #expect(sets.map(\.label) == ["lunge", "squat"] && sets.map(\.reps) == [9, 5])
        #expect(sets.map(\.number) == [1, 2])
        #expect(sets[0].corrected?.label == "squat" && sets[0].corrected?.reps == 7 && sets[1].corrected == nil)
        #expect(sets.map(\.form) == [nil, 70], "the hint was that of another exercise")
        #expect(session.actions.map(\.label) == ["squat", "lunge"])
        #expect(session.actions.map(\.frames) == [180, 120] && session.actions.map(\.reps) == [5, 9])
        #expect(session.frames == 300 && session.seconds == 10)
        let day = try store.query.day(today, camera: "rack1")
        #expect(days == [day] && day.rev == before.rev + 1 && day.sessions == 1)
        #expect(day.frames == ["squat": 180, "lunge": 120] && day.seconds == ["squat": 6, "lunge": 4])
        #expect(day.reps == ["squat": 5, "lunge": 9])
        #expect(try store.ask("SELECT group_concat(label || reps) FROM session_set") == "squat7,squat5")
        #expect(try store.ask("SELECT frames FROM rollup_action") == "300", "five-minute sums stay as recognised")
    }

    @Test func `receivers get the corrected session with a higher revision`() throws {
        let fixture = try Fixture()
        let store = try filled(fixture, "s1")
        try correct(store, 1, .to(label: "lunge", reps: 9))
        let session = try #require(try store.query.session("s1"))
        #expect(session.rev == 2)
        let (first, last) = (try #require(try records(store).first), try #require(try records(store).last))
        #expect(first.rev == 1 && last.rev == 2 && last.final && last.clock == .synced)
        #expect(!first.body.contains("corrected"), "an earlier record is not changed")
        let body = try JSONDecoder().decode(SessionBody.self, from: Data(last.body.utf8))
        #expect(body.actions == session.actions && body.sets == session.sets && body.endReason == "idle")
        // The log may know a higher revision than the session, as after a restored session.
        try store.pool.write { try $0.execute(sql: "UPDATE session SET rev = 0") }
        try correct(store, 2, .to(label: nil, reps: 4))
        #expect(try records(store).map(\.rev) == [1, 2, 3])
        #expect(try store.query.session("s1")?.rev == 3)
    }

    @Test func `taking a correction back restores everything`() throws {
        let fixture = try Fixture()
        let store = try filled(fixture, "s1", "s2")
        let before = try HistoryState(store)
        for change in [SetChange.undo, .to(label: "squat", reps: 7)] {
            try correct(store, 1, .to(label: "burpee", reps: 3))
            #expect(try HistoryState(store) != before)
            try correct(store, 1, change)
            #expect(try HistoryState(store) == before)
            #expect(try store.ask("SELECT count(*) FROM set_correction") == "0")
        }
        let log = try records(store).count
        #expect(log == 2 + 4)
        #expect(try correct(store, 1, .undo).isEmpty, "there is nothing to take back")
        #expect(try correct(store, 2, .to(label: "squat", reps: nil)).isEmpty)
        #expect(try records(store).count == log, "no change, no record")
    }

    @Test func `a set that never was counts nowhere, and is still listed`() throws {
        let fixture = try Fixture()
        let store = try filled(fixture, "s1")
        try correct(store, 1, .to(label: "none", reps: nil))
        let session = try #require(try store.query.session("s1"))
        #expect(session.actions.map(\.label) == ["squat"] && session.actions.map(\.frames) == [180])
        #expect(session.sets?.map(\.label) == ["none", "squat"] && session.sets?.map(\.reps) == [0, 5])
        let day = try store.query.day(today, camera: "rack1")
        #expect(day.frames == ["squat": 180] && day.reps == ["squat": 5])
        try correct(store, 1, .to(label: "lunge", reps: nil))
        #expect(try store.query.session("s1")?.sets?.first?.reps == 7, "it has its repetitions again")
    }

    @Test func `a load is kept with its set, reaches receivers and changes no total`() throws {
        let fixture = try Fixture()
        let store = try filled(fixture, "s1")
        let before = try store.query.days()
        #expect(try correct(store, 1, .to(loadKg: 62.5)).map(\.day) == [today])
        var set = try #require(try store.query.session("s1")?.sets?.first)
        #expect(set.loadKg == 62.5 && set.corrected == nil && set.label == "squat" && set.reps == 7 && set.form == 80)
        #expect(try store.query.days() == before)
        let record = try #require(try records(store).last)
        #expect(record.rev == 2 && record.body.contains(#""load_kg":62.5"#))
        #expect(try correct(store, 1, .to(loadKg: 62.5)).isEmpty, "it has this load")
        // A count that is corrected later leaves the load as it is, and the other way round.
        try correct(store, 1, .to(reps: 8))
        try correct(store, 1, .to(loadKg: 70))
        set = try #require(try store.query.session("s1")?.sets?.first)
        #expect(set.loadKg == 70 && set.reps == 8 && set.corrected?.reps == 7)
        var listed: [Double?] = []
        try store.query.sets { listed.append($0.body.loadKg) }
        #expect(listed == [nil, 70])
        try correct(store, 1, .to(loadKg: 0))
        #expect(try store.query.session("s1")?.sets?.first?.loadKg == nil)
        try correct(store, 1, .to(loadKg: 20))
        try correct(store, 1, .to(label: "none"))
        #expect(try store.query.session("s1")?.sets?.first?.loadKg == nil, "a set that never was has no load")
    }

    @Test func `the sides of a set are told everywhere, and are gone where its count is another`() throws {
        let fixture = try Fixture()
        let store = try fixture.open(node: "sp-one")
        let writer = try fixture.writer(store)
        var session = Fixture.session("s1", reps: 7, start: Fixture.noon, end: Fixture.noon + 10, reason: .idle)
        session.sets = [
            SessionSet(
                number: 1, label: "lunge", start: Fixture.noon, end: Fixture.noon + 4, reps: 7, leftReps: 4,
                rightReps: 2)
        ]
        writer.enqueue(session, now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon + 10)
        #expect(try #require(try records(store).last).body.contains(#""left_reps":4"#))
        let sides = { try store.query.session("s1")?.sets?.first.map { [$0.leftReps, $0.rightReps] } }
        #expect(try sides() == [4, 2])
        var line: [String] = []
        try store.query.sets { line = CSVColumns.sets(in: .gmt).lines($0).first ?? [] }
        #expect(line.suffix(2) == ["4", "2"])
        try correct(store, 1, .to(loadKg: 20))
        #expect(try sides() == [4, 2], "a load changes nothing of it")
        try correct(store, 1, .to(reps: 8))
        #expect(try sides() == [nil, nil])
        #expect(try !#require(try records(store).last).body.contains("left_reps"))
        try correct(store, 1, .undo)
        #expect(try sides() == [4, 2])
    }

    @Test func `an exertion stands beside the load, in steps of a half, and leaves with the correction`() throws {
        let fixture = try Fixture()
        let store = try filled(fixture, "s1")
        #expect(try correct(store, 1, .to(loadKg: 80, rpe: 8.5)).map(\.day) == [today])
        #expect(try #require(try records(store).last).body.contains(#""rpe":8.5"#))
        try correct(store, 1, .to(loadKg: 82.5))
        var set = try #require(try store.query.session("s1")?.sets?.first)
        #expect(set.rpe == 8.5 && set.loadKg == 82.5 && set.corrected == nil, "a new load leaves the exertion")
        #expect(set.repsMargin == nil || set.reps == 7)
        for rpe in [0.5, 10.5, 8.25, -1, .nan] {
            #expect(throws: CorrectionError.self, "\(rpe)") { try correct(store, 1, .to(rpe: rpe)) }
        }
        try correct(store, 1, .to(loadKg: 0))
        #expect(try store.query.session("s1")?.sets?.first?.rpe == 8.5, "an exertion needs no load")
        try correct(store, 1, .to(rpe: 0))
        #expect(try store.ask("SELECT count(*) FROM set_correction") == "0")
        try correct(store, 1, .to(rpe: 9))
        try correct(store, 1, .undo)
        set = try #require(try store.query.session("s1")?.sets?.first)
        #expect(set.rpe == nil)
        #expect(throws: CorrectionError.workOfNothing) { try correct(store, 1, .to(label: "none", rpe: 7)) }
    }

    @Test func `queries by action follow the corrections`() throws {
        let fixture = try Fixture()
        let store = try filled(fixture, "s1", "s2", "s3")
        for number in [1, 2] { try correct(store, number, of: "s2", .to(label: "lunge", reps: nil)) }
        try correct(store, 1, of: "s1", .to(label: "lunge", reps: nil))
        func sessions(_ action: String, limit: Int? = nil) throws -> [String] {
            try store.query.sessions(HistoryFilter(action: action, limit: limit)).map(\.id)
        }
        // Without the frames outside of the sets nothing is left of the second session's squats.
        try store.pool.write {
            try $0.execute(sql: "UPDATE session_action SET frames = 210, seconds = 7 WHERE session = 's2'")
        }
        #expect(try sessions("lunge") == ["s2", "s1"] && sessions("squat") == ["s3", "s1"])
        #expect(try sessions("squat", limit: 1) == ["s3"] && sessions("burpee").isEmpty)
        var sets: [String] = []
        try store.query.sets(HistoryFilter(action: "lunge")) { sets.append("\($0.session) \($0.number)") }
        #expect(Set(sets) == ["s1 1", "s2 1", "s2 2"])
        #expect(try store.query.actions().map(\.label).sorted() == ["lunge", "squat"])
        #expect(try store.query.days(HistoryFilter(action: "lunge")).count == 1)
    }

    @Test func `what cannot be corrected is refused, and nothing changes`() throws {
        let fixture = try Fixture()
        let store = try filled(fixture, "s1", "gone")
        try see("open", try fixture.writer(store), reason: nil)
        #expect(try store.deleteSession("gone", wall: Fixture.noon) == .deleted)
        let (log, day) = (try store.records.lastSeq(), try store.query.day(today, camera: "rack1"))
        func refused(_ error: CorrectionError, _ number: Int, of id: String = "s1", _ change: SetChange) {
            #expect(throws: error) { try correct(store, number, of: id, change) }
            #expect(error.description.contains(": "), "it says what to do")
        }
        let some = SetChange.to(label: "lunge", reps: 5)
        refused(.sessionOpen("open"), 1, of: "open", some)
        for id in ["gone", "never"] { refused(.unknownSession(MissingSession(id: id)), 1, of: id, some) }
        refused(.unknownSet(3, known: [1, 2]), 3, some)
        refused(.unknownSet(3, known: [1, 2]), 3, .undo)
        for label in ["", "Push-up", "a b", "no_person", "é", String(repeating: "a", count: 64)] {
            refused(.invalidLabel(label), 1, .to(label: label, reps: 5))
        }
        for reps in [-1, 10_001, .max] { refused(.invalidReps(reps), 1, .to(label: nil, reps: reps)) }
        refused(.workOfNothing, 1, .to(label: "none", reps: 1))
        refused(.workOfNothing, 1, .to(label: "none", loadKg: 20))
        for load in [-1, 1000.5, .infinity] { refused(.invalidLoad(load), 1, .to(loadKg: load)) }
        #expect(try store.records.lastSeq() == log && store.query.day(today, camera: "rack1") == day)
        #expect(try store.ask("SELECT count(*) FROM set_correction") == "0")
    }

    @Test func `only known labels are taken where they are given`() throws {
        let fixture = try Fixture()
        let store = try filled(fixture, "s1")
        func correct(_ label: String, _ known: [String]?) throws {
            try store.correctSet(
                1, of: "s1", to: .to(label: label, reps: nil), known: known, wall: Fixture.noon, clock: .synced)
        }
        #expect(throws: CorrectionError.unknownLabel("sqaut", known: ["burpee", "none", "squat"])) {
            try correct("sqaut", ["burpee", "low_confidence"])
        }
        #expect(throws: CorrectionError.invalidLabel("No!")) { try correct("No!", ["burpee"]) }
        try correct("burpee", ["burpee"])
        try correct("none", [])
        try correct("squat", [])
        try correct("sqaut", nil)
        #expect(try store.query.session("s1")?.sets?.first?.label == "sqaut")
    }

    @Test func `a correction survives later writes, a reopened history and a salvage`() throws {
        let fixture = try Fixture()
        let corrected = try {
            let store = try filled(fixture, "s1")
            try correct(store, 1, .to(label: "lunge", reps: 9))
            let corrected = try store.query.session("s1")
            try see("s1", try fixture.writer(store))
            #expect(try store.query.session("s1") == corrected, "an ended session takes no analysis any more")
            try store.close()
            return corrected
        }()
        try {
            let again = try fixture.open()
            #expect(try again.query.session("s1") == corrected)
            // Only after an unclean end is the whole file looked at.
            try again.checkpoint()
            try again.pool.close()
        }()
        let root = Int(try sqlite3(fixture.path, "SELECT rootpage FROM sqlite_schema WHERE name = 'prediction'")) ?? 0
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: fixture.path))
        try file.seek(toOffset: UInt64(root - 1) * 4096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
        try file.close()
        let saved = try fixture.open()
        guard case .setAside? = saved.openingEvents.first else {
            Issue.record("nothing was salvaged: \(saved.openingEvents)")
            return
        }
        #expect(try saved.query.session("s1") == corrected)
    }

    @Test func `an export brings corrections to another history, where they can be taken back`() throws {
        let (one, two) = (try Fixture(), try Fixture())
        let store = try filled(one, "s1")
        try correct(store, 1, .to(label: "lunge", reps: 9))
        var rows: [ExportRow] = []
        try store.query.export { rows.append($0) }
        let row = try #require(rows.first { $0.table == .corrections })
        #expect(row["label"] == .text("lunge") && row["reps"] == .integer(9) && row["number"] == .integer(1))
        let other = try two.open(node: "sp-two")
        var rest = rows[...]
        #expect(try other.importing { rest.popFirst() }.added["corrections"] == 1)
        #expect(try other.query.session("s1") == store.query.session("s1"))
        #expect(try other.query.days() == store.query.days())
        try correct(other, 1, .undo)
        #expect(try other.query.session("s1")?.actions.map(\.reps) == [12])
        #expect(try other.query.actions().map(\.reps) == [12])
    }

    @Test func `a later export brings what was corrected since, also what was taken back`() throws {
        let (one, two) = (try Fixture(), try Fixture())
        let (store, other) = (try filled(one, "s1"), try two.open(node: "sp-two"))
        func bring() throws -> ImportReport {
            var rows: [ExportRow] = []
            try store.query.export { rows.append($0) }
            var rest = rows[...]
            let report = try other.importing { rest.popFirst() }
            #expect(try other.query.session("s1") == store.query.session("s1"))
            #expect(try other.query.actions() == store.query.actions())
            #expect(try other.query.days().map(\.reps) == store.query.days().map(\.reps))
            return report
        }
        #expect(try bring().changedSets == 0)
        try correct(store, 1, .to(label: "lunge", reps: 9))
        let first = try bring()
        #expect(first.changedSets == 1 && first.added["corrections"] == 1 && first.present["corrections"] == 0)
        #expect(try bring().changedSets == 0, "the same export again")
        try correct(store, 1, .to(reps: 8, loadKg: 40))
        #expect(try bring().changedSets == 1)
        try correct(store, 1, .undo)
        #expect(try bring().changedSets == 1)
        #expect(try other.query.actions().map(\.reps) == [12])
    }

    @Test func `deleting a session deletes its corrections; the totals of the day stay`() throws {
        let fixture = try Fixture()
        let store = try filled(fixture, "s1")
        try correct(store, 1, .to(label: "secretmove", reps: 9))
        let day = try store.query.day(today, camera: "rack1")
        #expect(try store.deleteSession("s1", wall: Fixture.noon) == .deleted)
        #expect(try store.ask("SELECT count(*) FROM set_correction") == "0")
        #expect(try store.query.day(today, camera: "rack1") == day)
        #expect(try records(store).allSatisfy { $0.body == #"{"deleted":true}"# })
        #expect(try records(store).map(\.rev) == [1, 2, 3])
    }
}

/// Everything that a reader of a history sees, without revisions.
struct HistoryState: Equatable {
    private let sessions: [SessionRow]
    private let days: [DayRow]
    private let actions: [ActionRow]

    init(_ store: Store) throws {
        sessions = try store.query.sessions().map { row in
            var row = row
            row.rev = 0
            return row
        }
        days = try store.query.days().map { row in
            var row = row
            row.rev = 0
            return row
        }
        actions = try store.query.actions()
    }
}
