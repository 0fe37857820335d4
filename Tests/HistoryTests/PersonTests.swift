import Contract
import Foundation
import GRDB
import History
import Records
import Testing
import Workouts

/// What the history stores of people: who sees it, and that it can be deleted everywhere.
@Suite struct PersonTests {
    private let fixture: Fixture
    private let t0 = ContinuousClock.now
    private static let ids = (0..<10).map { "019aa0d1-22b0-7f3e-8d51-0c1f6e2b7a9\($0)" }

    init() throws { fixture = try Fixture() }

    private func workout(
        _ number: Int = 0, name: String? = "anna", nickname: String? = nil, prescribed: Bool = false
    ) -> Workout {
        var plan = WorkoutPlan(
            id: prescribed ? "knee" : "legs", name: prescribed ? "Knee, weeks 1 to 4" : "Legs",
            steps: [WorkoutPlan.Step(action: "squat", repetitions: 12)])
        if prescribed { plan.prescription = WorkoutPlan.Prescription() }
        var workout = Workout(
            id: Self.ids[number], plan: plan, camera: "rack1", name: name, nickname: nickname,
            start: Fixture.noon + Double(number))
        workout.steps[0].end = Fixture.noon + 30
        if prescribed { workout.steps[0].pain = 6 }
        workout.endReason = prescribed ? .pain : .completed
        return workout
    }

    private func store(_ workouts: [Workout]) throws -> Store {
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        for workout in workouts { writer.enqueue(workout, events: [], now: t0) }
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        return store
    }

    private func records(_ store: Store) throws -> [String] {
        try store.records.records(after: 0, limit: 100).filter { $0.type == .workout }.map(\.body)
    }

    // MARK: - Who sees it

    @Test func `a prescription leaves the node without name, plan and pain, and is whole in the history`() throws {
        let store = try store([workout(nickname: "Falke", prescribed: true)])
        let record = try #require(try records(store).first)
        for word in ["anna", "Knee", "knee", "pain", "prescription"] { #expect(!record.contains(word), "\(record)") }
        #expect(record.contains("Falke") && record.contains(#""private":true"#))
        let body = try #require(try store.query.workouts().first?.body)
        #expect(body.name == "anna" && body.planName == "Knee, weeks 1 to 4" && body.steps[0].pain == 6)
        #expect(body.endReason == "pain" && body.nickname == "Falke")
    }

    @Test func `a plan that says so is private, and a prescription that says so is not`() throws {
        var open = workout(0, prescribed: true)
        var plan = open.plan
        plan.isPrivate = false
        open = Workout(id: open.id, plan: plan, camera: "rack1", name: "anna", start: open.start)
        var closed = workout(1)
        plan = closed.plan
        plan.isPrivate = true
        closed = Workout(id: closed.id, plan: plan, camera: "rack1", name: "ben", start: closed.start)
        let bodies = try records(try store([open, closed]))
        #expect(bodies.count == 2 && bodies[0].contains("anna") && bodies[0].contains("Knee"))
        #expect(!bodies[1].contains("ben") && !bodies[1].contains("Legs"))
    }

    @Test func `public places see no name, whatever the plan`() throws {
        let rows = try store([workout(0, nickname: "Falke"), workout(1, name: "ben", prescribed: true)]).query
            .workouts()
        let text = try rows.map { try JSONText.encode($0.forEverybody) }.joined()
        for word in ["anna", "ben", "Knee", "pain"] { #expect(!text.contains(word), "\(text)") }
        #expect(text.contains("Legs") && text.contains("Falke"))
    }

    @Test func `an upgrade takes names and pain of prescriptions out of the record log`() throws {
        let old = try DatabaseQueue(path: fixture.path)
        try Migrations.migrator().migrate(old, upTo: "v8")
        var body = WorkoutBody(workout(prescribed: true))
        body.isPrivate = nil
        let other = try JSONText.encode(WorkoutBody(workout(1, name: "ben")))
        try old.write { [text = try JSONText.encode(body)] db in
            for (id, body) in [(Self.ids[0], text), (Self.ids[1], other)] {
                try db.execute(
                    sql:
                        "INSERT INTO record(type, id, rev, ts_ms, clock, body) VALUES('workout', ?, 1, 1, 'synced', ?)",
                    arguments: [id, body])
            }
        }
        try old.close()
        let bodies = try records(try fixture.open())
        #expect(bodies.count == 2 && !bodies[0].contains("anna") && !bodies[0].contains(#""pain""#), "\(bodies)")
        #expect(bodies[1].contains("ben") && bodies[1].contains("Legs"))
    }

    // MARK: - Names

    @Test func `a member is one person in every letter case and normal form`() throws {
        let store = try store([
            workout(0, name: "Frau Müller", nickname: "Falke"), workout(1, name: "frau mu\u{308}ller"),
            workout(2, name: "ben"), workout(3, name: nil, nickname: "Igel"),
        ])
        #expect(try store.query.workouts(WorkoutFilter(name: " FRAU MÜLLER ")).count == 2)
        #expect(try store.query.workouts(WorkoutFilter(name: "nobody")).isEmpty)
        let last = try #require(try store.query.workout(Self.ids[1]))
        #expect(try store.query.workout(before: last)?.id == Self.ids[0])
        let people = try store.query.people()
        #expect(people.map(\.name) == ["ben", "frau müller", "Igel"] && people[1].workouts == 2)
        #expect(people[1].spellings == ["Frau Müller"] && people[1].nicknames == ["Falke"])
        #expect(try store.query.workouts(ofPerson: "falke").map(\.id) == [Self.ids[0]])
    }

    @Test(arguments: ["jose\u{301} GARCI\u{301}A", "JOSÉ GARCÍA", "  José García\t"])
    func `a name is deleted in every form in which it was typed, with its nickname`(typed: String) throws {
        let store = try store([
            workout(0, name: "José García", nickname: "Falke"), workout(1, name: "Jose\u{301} Garci\u{301}a"),
            workout(2, name: "JOSÉ GARCÍA", prescribed: true), workout(3, name: "José"),
        ])
        try store.commands.remember(
            #"{"error":{"message":"jose\#u{301} garci\#u{301}a"}}"#, to: "c1", wall: Fixture.noon)
        #expect(try store.deleteName(typed, wall: Fixture.noon, clock: .synced) == 3)
        #expect(try store.query.people().map(\.name) == ["José"])
        try store.close()
        let bytes = try fileBytes()
        for form in ["José García", "Jose\u{301} Garci\u{301}a", "JOSÉ GARCÍA", "jose\u{301} garci\u{301}a", "Falke"] {
            #expect(bytes.range(of: Data(form.utf8)) == nil, "\(form)")
        }
        #expect(bytes.range(of: Data("José".utf8)) != nil)
    }

    @Test func `a nickname is deleted by itself, and its name with it`() throws {
        let store = try store([workout(0, nickname: "Falke"), workout(1, name: "ben", nickname: "Igel")])
        #expect(try store.deleteName("falke", wall: Fixture.noon, clock: .synced) == 1)
        #expect(try store.query.people().map(\.name) == ["ben"])
        #expect(try records(store).filter { $0.contains("Falke") || $0.contains("anna") }.isEmpty)
    }

    private func fileBytes() throws -> Data {
        try ["", "-wal"].map { fixture.path + $0 }.filter(FileManager.default.fileExists)
            .reduce(Data()) { try $0 + Data(contentsOf: URL(filePath: $1)) }
    }

    // MARK: - Copies beside the database

    @Test func `a name is deleted from the copies beside the database, and other nodes' databases are left alone`()
        throws
    {
        let store = try store([workout(0, nickname: "Falke"), workout(1, name: "ben", prescribed: true)])
        let folder = URL(filePath: fixture.path).deletingLastPathComponent()
        let copies = [fixture.path + ".before-restore-20261121T110000", folder.appending(path: "usb.backup").path]
        for copy in copies { try store.query.backup(to: copy) }
        let stranger = folder.appending(path: "other.db").path
        let other = try Store(path: stranger, settings: HistorySettings(timeZone: .gmt, nodeId: "sp-other"))
        let writer = try fixture.writer(other)
        writer.enqueue(workout(2), events: [], now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        try other.close()
        let damaged = fixture.path + ".corrupt-20261121T110000"
        try Data("SQLite format 3\0 anna and then nothing".utf8).write(to: URL(filePath: damaged))

        let found = Store.copies(beside: fixture.path, with: "ANNA", deleting: false)
        #expect(found.map(\.path).sorted() == (copies + [damaged]).sorted())
        #expect(found.filter { $0.problem != nil }.map(\.path) == [damaged], "\(found)")
        #expect(Set(found.map(\.workouts)) == [0, 1])
        let gone = Store.copies(beside: fixture.path, with: "Anna", deleting: true)
        #expect(gone.filter { $0.problem == nil }.map(\.path).sorted() == copies.sorted())
        for copy in copies {
            let bytes = try Data(contentsOf: URL(filePath: copy))
            #expect(bytes.range(of: Data("anna".utf8)) == nil && bytes.range(of: Data("Falke".utf8)) == nil)
            #expect(bytes.range(of: Data("ben".utf8)) != nil)
            #expect(try HistoryQuery(path: copy).check().problems.isEmpty)
        }
        #expect(try HistoryQuery(path: stranger).workouts().map(\.body.name) == ["anna"])
        #expect(try store.query.workouts().count == 2, "the history itself is another matter")
    }

    @Test func `a copy from before nicknames existed is cleaned as well`() throws {
        let store = try store([])
        let copy = fixture.path + ".before-v13"
        let old = try DatabaseQueue(path: copy)
        try Migrations.migrator().migrate(old, upTo: "v6")
        try old.write { db in
            try db.execute(
                sql: """
                    INSERT INTO workout(id, camera, plan, name, start_ms, end_ms, step, phase)
                    VALUES('w', 'rack1', '{}', 'Anna', 1, 2, 0, 'active');
                    INSERT INTO record(type, id, rev, ts_ms, clock, body)
                    VALUES('workout', 'w', 1, 1, 'synced', '{"name":"Anna"}');
                    INSERT INTO request(id, at_ms, command) VALUES('r', 1, '{"cmd":"workout_start","args":{"name":"anna"}}');
                    """)
        }
        try old.close()
        #expect(Store.copies(beside: fixture.path, with: "anna", deleting: true).map(\.workouts) == [1])
        let bytes = try Data(contentsOf: URL(filePath: copy))
        #expect(bytes.range(of: Data("Anna".utf8)) == nil && bytes.range(of: Data("anna".utf8)) == nil)
        try store.close()
    }

    @Test func `a nickname is exported and imported again`() throws {
        let store = try store([workout(0, nickname: "Falke")])
        var rows: [ExportRow] = []
        try store.query.export { rows.append($0) }
        let workouts = rows.filter { $0.table == .workouts }
        #expect(workouts.map { $0["nickname"] } == [.text("Falke")])
        var check = ImportCheck()
        for row in rows { try check.check(row) }
    }
}
