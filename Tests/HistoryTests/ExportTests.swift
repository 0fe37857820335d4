import Actions
import Foundation
import GRDB
import Records
import Testing
import Workouts

import History

@Suite struct ExportTests {
    private let t0 = ContinuousClock.now

    private func filled(_ fixture: Fixture, openToo: Bool = true) throws -> Store {
        let store = try fixture.open(node: "sp-one")
        let writer = try fixture.writer(store)
        for number in 0..<4 {
            let start = Fixture.noon.addingTimeInterval(Double(number) * 3600)
            var session = Fixture.session(
                "s\(number)", frames: 100 + number, start: start, reason: number == 3 && openToo ? nil : .idle,
                camera: "rack1", label: number % 2 == 0 ? "squat" : "lunge")
            session.sets = [
                SessionSet(
                    number: 1, label: session.actions[0].label, start: start, end: start.addingTimeInterval(12),
                    reps: 5, form: number == 0 ? nil : 80, zone: number == 0 ? nil : "mat")
            ]
            writer.enqueue(session, now: t0)
            writer.credit(
                Fixture.prediction(session.actions[0].label, confidence: 0.875), camera: "rack1", wall: start, now: t0)
        }
        writer.credit(Fixture.prediction("no_person", track: nil), camera: "rack1", wall: Fixture.noon, now: t0)
        writer.enqueue(Self.workout("w0", reason: .completed), events: [], now: t0)
        if openToo { writer.enqueue(Self.workout("w1", reason: nil), events: [], now: t0) }
        writer.enqueue(.gone(camera: "rack1", at: Fixture.noon + 7, reason: "unplugged"), now: t0)
        writer.enqueue(.present(camera: "rack1", at: Fixture.noon + 9), now: t0)
        var seen = OccupancySum()
        (seen.watchedSeconds, seen.personSeconds, seen.most, seen.mostOfAll) = (890.25, 1234.5, 3, 4)
        seen.zones["mat"] = OccupancySum.Zone()
        seen.zones["mat"]?.waitingSeconds = 12.5
        writer.add(seen, to: OccupancySlot(holding: Fixture.noon, camera: "rack1"), now: t0)
        for (kind, session) in [(Question.Kind.set, "s1"), (.excerpt, nil)] {
            writer.ask(Self.question(kind, session: session), quota: 3, now: t0)
            writer.saw(QuestionPool(kind: kind, week: "2026-11-16", camera: "rack1", seen: 4, seconds: 50.5), now: t0)
        }
        _ = try writer.flush(now: t0, wall: Fixture.noon.addingTimeInterval(86_400))
        try store.save([alarm("a0", ended: true), alarm("a1", ended: !openToo)])
        try store.answer(1, .exercise("lunge", reps: 7), known: ["lunge"], wall: Fixture.noon + 90_000)
        try store.correctSet(
            1, of: "s1", to: .to(reps: 6, loadKg: 62.5, rpe: 9.5), wall: Fixture.noon + 86_400, clock: .synced)
        return store
    }

    private func alarm(_ id: String, ended: Bool) -> Alarm {
        Alarm(
            id: id, camera: "rack1", zone: "mat", cause: .fall, since: Fixture.noon, raised: Fixture.noon + 8,
            ended: ended ? Fixture.noon + 60 : nil)
    }

    private static func question(_ kind: Question.Kind, session: String?) -> Question {
        let start = Timestamp.milliseconds(Fixture.noon)
        return Question(
            kind: kind, reason: .random, weight: 2.5, week: "2026-11-16", camera: "rack1", startMilliseconds: start,
            endMilliseconds: start + 10_000, session: session, number: session.map { _ in 1 },
            shown: session.map { _ in "lunge" }, reps: session.map { _ in 5 }, likely: ["lunge", "squat"], model: "m@1",
            poses: [1, 0, 254, 255])
    }

    private static func workout(_ id: String, reason: Workout.EndReason?) -> Workout {
        let plan = WorkoutPlan(
            id: "legs", name: "Legs",
            steps: [
                WorkoutPlan.Step(action: "squat", repetitions: 12), WorkoutPlan.Step(action: "lunge", seconds: 30),
            ])
        var workout = Workout(id: id, plan: plan, camera: "rack1", name: "anna", start: Fixture.noon)
        workout.steps[0].start = Fixture.noon + 5
        workout.steps[0].end = Fixture.noon + 40
        (workout.steps[0].repetitions, workout.steps[0].seconds, workout.steps[0].pain) = (12, 33.25, 3)
        workout.steps[1].restBeforeSeconds = 61.5
        (workout.end, workout.endReason) = (Fixture.noon + 90, reason)
        return workout
    }

    private func rows(_ store: Store) throws -> [ExportRow] {
        var rows: [ExportRow] = []
        try store.query.export { rows.append($0) }
        return rows
    }

    private func bring(_ rows: [ExportRow], into store: Store) throws -> ImportReport {
        var rest = rows[...]
        return try store.importing { rest.popFirst() }
    }

    @Test func `an export imported into an empty history exports as the same rows`() throws {
        let (one, two) = (try Fixture(), try Fixture())
        let exported = try rows(filled(one, openToo: false))
        let store = try two.open(node: "sp-two")
        let report = try bring(exported, into: store)
        #expect(report.added["sessions"] == 4 && report.added["sets"] == 4 && report.added["predictions"] == 4)
        #expect(report.added["workouts"] == 1 && report.added["workout_steps"] == 2)
        #expect(try store.query.workouts().map(\.body) == one.open().query.workouts().map(\.body))
        #expect(try rows(store).dropFirst() == exported.dropFirst())
        #expect(Set(exported.map(\.table)) == Set(ExportTable.allCases))
        #expect(report.added["alarms"] == 2)
        #expect(report.added["questions"] == 2 && report.added["question_pools"] == 2)
        #expect(try store.query.questionPoses(1) == [1, 0, 254, 255])
        #expect(try store.query.question(1)?.answerReps == 7 && store.query.question(2)?.answer == nil)
    }

    @Test func `an alarm that is open is left to a later import`() throws {
        let (one, two) = (try Fixture(), try Fixture())
        let exported = try rows(filled(one))
        let store = try two.open(node: "sp-two")
        #expect(try bring(exported, into: store).added["alarms"] == 1)
        #expect(try store.query.openAlarms().isEmpty)
    }

    @Test func `a second import changes nothing, and existing rows stay`() throws {
        let fixture = try Fixture()
        let store = try filled(fixture)
        let before = try rows(store)
        let report = try bring(before, into: store)
        #expect(report.added.isEmpty && report.openSessions == 1 && report.openWorkouts == 1)
        #expect(report.present["alarms"] == 2 && report.present["sessions"] == 3 && report.present["day_actions"] == 2)
        #expect(try rows(store).dropFirst() == before.dropFirst())
        // A set that the existing session lacks is not added to it.
        try store.pool.write { try $0.execute(sql: "DELETE FROM session_set") }
        #expect(try bring(before, into: store).added.isEmpty)
    }

    @Test func `an import leaves positions, cursors and the epoch unchanged and publishes nothing`() throws {
        let (one, two) = (try Fixture(), try Fixture())
        let exported = try rows(filled(one))
        let store = try two.open()
        let writer = try two.writer(store)
        writer.enqueue(Fixture.session("mine", reason: .idle), now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        let (seq, epoch) = (try store.records.lastSeq(), store.identity.epoch)
        try store.records.advance(to: seq, wall: Fixture.noon)
        #expect(try bring(exported, into: store).added["sessions"] == 3)
        #expect(try store.records.lastSeq() == seq && store.records.cursor() == seq && store.identity.epoch == epoch)
        #expect(try store.records.pending(after: seq).count == 0)
        // A later deletion has a revision above the one that receivers know.
        #expect(try store.deleteSession("s0", wall: Fixture.noon) == .deleted)
        let record = try #require(try store.records.records(after: seq, limit: 1).first)
        #expect(record.id == "s0" && record.rev == 2)
        // An import does not bring it back.
        let again = try bring(exported, into: store)
        #expect(again.deletedSessions == 1 && again.added.isEmpty)
        #expect(try store.query.session("s0") == nil)
    }

    @Test func `a day that is in both histories is not counted twice`() throws {
        let (one, two) = (try Fixture(), try Fixture())
        let exported = try rows(filled(one))
        let store = try two.open()
        let writer = try two.writer(store)
        writer.credit(Fixture.prediction("squat", frames: 10), camera: "rack1", wall: Fixture.noon, now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        let report = try bring(exported, into: store)
        #expect(report.added["day_actions"] == nil && report.changedDays == 1)
        let day = try #require(try store.query.days().first)
        #expect(day.frames == ["squat": 10 + 100 + 102, "lunge": 101] && day.sessions == 3)
        #expect(day.reps == ["squat": 10, "lunge": 6], "with the correction of one set")
        #expect(day.zones?["mat"]?.sets == 2 && day.zones?["mat"]?.reps == 11)
        #expect(try bring(exported, into: store).changedDays == 0)
        #expect(try store.query.days() == [day])
    }

    @Test func `an import of a later export of the same node gives what that node has`() throws {
        let (one, two) = (try Fixture(), try Fixture())
        let source = try filled(one, openToo: false)
        let early = try rows(source)
        let writer = try one.writer(source)
        var late = Fixture.session("late", start: Fixture.noon + 5 * 3600, reason: .idle, camera: "rack1")
        late.sets = [
            SessionSet(
                number: 1, label: "squat", start: late.start, end: late.start + 9, reps: 7, form: nil, zone: "mat")
        ]
        writer.enqueue(late, now: t0)
        writer.credit(Fixture.prediction("none", frames: 33), camera: "rack1", wall: late.start, now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon + 2 * 86_400)
        let whole = try rows(source)
        let store = try two.open(node: "sp-two")
        _ = try bring(early, into: store)
        let report = try bring(whole, into: store)
        #expect(report.added["sessions"] == 1 && report.changedDays == 0)
        #expect(try rows(store).dropFirst() == whole.dropFirst())
        // An earlier one changes nothing any more.
        #expect(try bring(early, into: store).added.isEmpty)
        #expect(try rows(store).dropFirst() == whole.dropFirst())
    }

    @Test func `an export that was cut off, lost a table or lost its order is refused, and nothing is stored`() throws {
        let (one, two) = (try Fixture(), try Fixture())
        let exported = try rows(filled(one, openToo: false))
        let store = try two.open()
        let before = try rows(store)
        let first = exported[0]
        let unlike: [[ExportRow]] = [
            exported.dropLast(), exported.filter { $0.table != .sets }, exported.filter { $0.table != .sessions },
            [first] + exported.dropFirst().reversed(), exported + [exported[exported.count - 1]], exported + exported,
            Array(exported.dropFirst()), [],
        ]
        for rows in unlike { #expect(throws: ImportError.self) { try bring(rows, into: store) } }
        #expect(try rows(store).dropFirst() == before.dropFirst())
        // Exports of 1.0.0 do not say how many rows they have.
        let silent = ExportRow(.about, first.values.dropLast() + [.none])
        #expect(throws: ImportError.self) {
            try bring([silent] + exported.dropFirst().filter { $0.table != .sessions }, into: store)
        }
        #expect(try bring([silent] + exported.dropFirst(), into: store).added["sessions"] == 4)
    }

    @Test(arguments: ["{}", #"{"id":"x","name":"x","description":"","rounds":1000000000,"steps":[]}"#, "[1"])
    func `a workout whose plan cannot be done is refused`(plan: String) throws {
        let fixture = try Fixture()
        var exported = try rows(filled(fixture))
        let place = try #require(exported.firstIndex { $0.table == .workouts })
        var values = exported[place].values
        let column = try #require(ExportTable.workouts.columns.firstIndex { $0.name == "plan" })
        values[column] = .text(plan)
        exported[place] = ExportRow(.workouts, values)
        let store = try Fixture().open()
        let error = #expect(throws: ImportError.self) { try bring(exported, into: store) }
        #expect(error?.reason == "'plan' of a row of workouts is no plan of a workout", "\(error?.reason ?? "")")
    }

    @Test func `an invalid row leaves the history unchanged`() throws {
        let (one, two) = (try Fixture(), try Fixture())
        let exported = try rows(filled(one))
        let store = try two.open()
        let before = try rows(store)
        let bad = ExportRow(.predictions, fields: ["camera": .text("rack1")])
        for wrong in [exported + [bad], Array(exported.dropFirst()), []] {
            #expect(throws: ImportError.self) { try bring(wrong, into: store) }
            #expect(try rows(store).dropFirst() == before.dropFirst())
        }
        let newer = ExportRow(.about, fields: ["format": .text("spotter.history"), "version": .integer(2)])
        #expect(throws: ImportError.self) { try bring([newer], into: store) }
    }

    /// A column of a valid export, and an impossible value for it.
    @Test(arguments: [
        (ExportTable.dayActions, "frames", ExportValue.integer(.max)), (.dayActions, "reps", .integer(.max)),
        (.dayActions, "frames", .integer(-1)), (.days, "sessions", .integer(.max)),
        (.dayActions, "seconds", .number(1e19)),
        (.dayActions, "seconds", .number(-1)), (.sessionActions, "conf_mean", .number(1e308)),
        (.sessionActions, "frames", .integer(.min)), (.predictions, "confidence", .number(1.01)),
        (.predictions, "label", .text(String(repeating: "x", count: 100_000))),
        (.predictions, "label", .text("a\u{1B}[2J")),
        (.predictions, "camera", .text("")), (.sessions, "id", .text(String(repeating: "é", count: 65))),
        (.sessions, "start", .text("1969-12-29T23:59:59.000Z")), (.sessions, "end", .text("2200-01-01T00:00:00.000Z")),
        (.sessions, "end", .text("2026-11-21T10:59:59.999Z")), (.sessions, "fps", .number(0)),
        (.questions, "kind", .text("nap")), (.questions, "poses", .text("0g")), (.questions, "weight", .number(-1)),
        (.questionPools, "week", .text("soon")), (.alarms, "cause", .text("nap")), (.alarms, "since", .text("soon")),
        (.sessions, "track", .integer(-5)), (.sets, "score", .integer(101)),
        (.corrections, "load_kg", .number(1000.5)), (.corrections, "rpe", .number(10.5)),
        (.sets, "reps", .integer(1_000_000_000_001)),
        (.days, "day", .text("yesterday")), (.rollups, "rev", .integer(-1)), (.rollups, "fps", .number(.infinity)),
        (.sessions, "start", .integer(5)), (.sessions, "camera", .none),
    ])
    func `a number or text out of its range is refused at once, and nothing is stored`(
        table: ExportTable, column: String, value: ExportValue
    ) throws {
        let (one, two) = (try Fixture(), try Fixture())
        var exported = try rows(filled(one, openToo: false))
        let place = try #require(exported.lastIndex { $0.table == table })
        var values = exported[place].values
        values[try #require(table.columns.firstIndex { $0.name == column })] = value
        exported[place] = ExportRow(table, values)
        let store = try two.open()
        let before = try rows(store)
        let refusal = #expect(throws: ImportError.self) { try bring(exported, into: store) }
        #expect(refusal?.reason.contains("'\(column)' of a row of \(table.rawValue)") == true)
        #expect((refusal?.reason.utf8.count ?? 0) < 200 && refusal?.description.contains("give an export") == true)
        #expect(try rows(store).dropFirst() == before.dropFirst())
        // The check needs no open history.
        var check = ImportCheck()
        #expect(throws: ImportError.self) { for row in exported { try check.check(row) } }
    }

    @Test func `an import does not bring back predictions of a deleted session's idle time`() throws {
        let fixture = try Fixture()
        let store = try filled(fixture, openToo: false)
        let writer = try fixture.writer(store)
        for second in [20.0, 31, 55, 70] {
            writer.credit(Fixture.prediction("none"), camera: "rack1", wall: Fixture.noon + second, now: t0)
        }
        _ = try writer.flush(now: t0, wall: Fixture.noon + 86_400)
        let exported = try rows(store)
        #expect(try store.deleteSession("s0", wall: Fixture.noon) == .deleted)
        let left = try store.ask("SELECT count(*) FROM prediction")
        #expect(try bring(exported, into: store).added["predictions"] == nil)
        #expect(try store.ask("SELECT count(*) FROM prediction") == left)
    }

    @Test func `a row survives JSON and comma-separated values`() throws {
        let fixture = try Fixture()
        var all = try rows(filled(fixture))
        all.append(
            ExportRow(
                .dayExcluded,
                fields: [
                    "day": .text("2026-11-21"), "camera": .text("a \"b\"\n, c\\"), "reason": .text("ü"),
                    "frames": .integer(1),
                ]))
        for row in all {
            #expect(
                try ExportRow(jsonLine: Data(row.json(named: true).utf8)).json(named: true) == row.json(named: true))
            let header = row.table.columns.map(\.name)
            #expect(try ExportRow(row.table, cells: row.cells, header: header) == row)
        }
    }

    @Test func `sets are found by time, camera and action, with the rest before them`() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        var session = Fixture.session("a", reason: .idle)
        session.sets = [(1, "squat", 0.0, 10.0), (2, "lunge", 40, 55), (3, "squat", 60, 70)].map { set in
            let (number, label, from, to) = set
            return SessionSet(
                number: number, label: label, start: Fixture.noon + from, end: Fixture.noon + to, reps: number,
                form: nil)
        }
        writer.enqueue(session, now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        func sets(_ filter: HistoryFilter = HistoryFilter()) throws -> [SetRow] {
            var rows: [SetRow] = []
            try store.query.sets(filter) { rows.append($0) }
            return rows
        }
        #expect(try sets().map(\.number) == [3, 2, 1])
        #expect(try sets().map(\.body.restSeconds) == [5, 30, nil])
        #expect(try sets(HistoryFilter(action: "squat")).map(\.body.restSeconds) == [5, nil])
        #expect(try sets(HistoryFilter(since: Fixture.noon + 50)).map(\.number) == [3])
        #expect(try sets(HistoryFilter(until: Fixture.noon + 50, limit: 1)).map(\.number) == [2])
        #expect(try sets(HistoryFilter(camera: "rack9")).isEmpty)
    }
}
