import Actions
import Contract
import Foundation
import GRDB
import History
import Records
import Testing
import Workouts

@Suite struct WorkoutTests {
    private let fixture: Fixture
    private let t0 = ContinuousClock.now

    init() throws { fixture = try Fixture() }

    private func workout(_ id: String = "019aa0d1-22b0-7f3e-8d51-0c1f6e2b7a90", name: String? = "anna") -> Workout {
        let plan = WorkoutPlan(
            id: "legs", name: "Legs",
            steps: [
                WorkoutPlan.Step(action: "squat", repetitions: 12, restSeconds: 60),
                WorkoutPlan.Step(action: "lunge", seconds: 30, side: .left),
            ])
        return Workout(id: id, plan: plan, camera: "rack1", name: name, start: Fixture.noon)
    }

    private static let settings = HistorySettings(timeZone: .gmt, nodeId: "sp-one")

    /// Stores a workout, and closes the history.
    private func store(_ workout: Workout, wall: Date, clock: ClockReading) throws {
        let store = try Store(path: fixture.path, settings: Self.settings, wall: wall, clock: clock)
        let writer = try HistoryWriter(store: store, model: Fixture.model) { clock }
        writer.enqueue(workout, events: [], now: t0)
        _ = try writer.flush(now: t0, wall: wall)
        try store.close()
    }

    private func records(_ store: Store) throws -> [History.Record] {
        try store.records.records(after: 0, limit: 100).filter { $0.type == .workout }
    }

    @Test func `a workout is stored with its steps and comes back as it was`() throws {
        var workout = workout()
        workout.steps[0].start = Fixture.noon + 5
        workout.steps[0].end = Fixture.noon + 40
        workout.steps[0].repetitions = 13
        workout.steps[0].seconds = 33.25
        workout.steps[0].form = 81
        workout.steps[0].pain = 3
        var rule = FormRule()
        (rule.measure, rule.least, rule.factor) = (.kneeFlexion, 90, .primary)
        let measures = RepetitionMeasures(view: .side, readings: [.kneeFlexion: .init(71.5, uncertainty: 5)])
        workout.steps[0].measured = [MeasuredRepetition(measures, by: [rule])]
        workout.steps[0].cues = [try #require(CueCoach([rule.saying("Deeper.")]).first(measures))]
        workout.current = 1
        workout.phase = .resting
        workout.until = Fixture.noon + 100
        workout.end = Fixture.noon + 40
        try store(workout, wall: Fixture.noon + 41, clock: Fixture.clock)
        let again = try fixture.open()
        #expect(try again.query.openWorkouts() == [workout])
        let row = try #require(try again.query.workouts().first)
        #expect(row.body.completedSteps == 1 && row.body.reps == 13 && row.body.steps[1].side == "left")
        #expect(row.body.steps[0].plannedReps == 12 && row.body.steps[0].form == 81)
        #expect(row.body.steps[0].pain == 3 && row.body.steps[0].cues == ["Deeper."])
        #expect(row.body.steps[0].measured?.range?.value == 71.5)
    }

    @Test func `no-reps, speeds and the reason of an end are stored with the step`() throws {
        var workout = workout()
        workout.steps[0].start = Fixture.noon + 5
        workout.steps[0].end = Fixture.noon + 40
        workout.steps[0].repetitions = 4
        workout.steps[0].measured = (0..<6).map { place in
            let reading = RepetitionMeasures.Reading(1 - 0.1 * Double(place), uncertainty: 0.02)
            var one = MeasuredRepetition(
                RepetitionMeasures(view: .side, readings: [.raisingSpeed: reading]), by: [])
            one.ruling = place < 2 ? .noRep : place == 2 ? .unjudged : .counts
            return one
        }
        let fields: [String: JSONValue] = [
            "kind": "stop", "measure": "speed_loss", "value": .number(0.45), "uncertainty": .number(0.02),
            "limit": .number(0.2), "text": "Stop: 45 ± 4 % slower.", "repetition": .integer(4),
        ]
        workout.steps[0].cues = [try JSONDecoder().decode(Cue.self, from: Data(JSONText.encode(fields).utf8))]
        (workout.current, workout.end) = (1, Fixture.noon + 40)
        try store(workout, wall: Fixture.noon + 41, clock: Fixture.clock)
        let again = try fixture.open()
        let stored = try #require(try again.query.openWorkouts().first)
        #expect(stored.steps[0] == workout.steps[0] && stored.steps[0].isStopped && stored.completedSteps == 1)
        let step = try #require(try again.query.workouts().first?.body.steps[0])
        #expect(step == WorkoutBody(workout).steps[0], "a list reads the sums alone")
        #expect(step.reps == 4 && step.measured?.noReps == 2 && step.measured?.unjudged == 1)
        #expect(step.stopped == "slower" && step.complete && step.measured?.speeds == [100, 90, 80, 70, 60, 50])
        #expect(step.measured?.speedLoss?.value == 0.45 && step.measured?.speedLoss?.unit == "share")
    }

    @Test func `a record is written at the start, when a step has ended, and at the end; then nothing changes`() throws
    {
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        var workout = workout()
        func commit() throws {
            writer.enqueue(workout, events: [], now: t0)
            _ = try writer.flush(now: t0, wall: Fixture.noon)
        }
        try commit()
        workout.steps[0].repetitions = 3
        try commit()
        #expect(try records(store).map(\.rev) == [1])
        workout.steps[0].end = Fixture.noon + 30
        try commit()
        #expect(try records(store).map(\.rev) == [1, 2])
        workout.endReason = .completed
        try commit()
        #expect(try records(store).map(\.rev) == [1, 2, 3] && records(store).map(\.final) == [false, false, true])
        workout.steps[0].repetitions = 99
        try commit()
        #expect(try records(store).count == 3)
        #expect(try store.ask("SELECT reps FROM workout_step WHERE number = 0") == "3")
    }

    @Test func `a change of a workout is on disk within a second, an end is not undone by an older state`() throws {
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        var workout = workout()
        writer.enqueue(workout, events: [], now: t0)
        #expect(try writer.commitIfDue(now: t0, wall: Fixture.noon) != nil)
        let open = workout
        workout.endReason = .stopped
        writer.enqueue(workout, events: [], now: t0)
        writer.enqueue(open, events: [], now: t0)
        #expect(try writer.commitIfDue(now: t0 + .milliseconds(900), wall: Fixture.noon) == nil)
        #expect(try writer.commitIfDue(now: t0 + .milliseconds(1100), wall: Fixture.noon) != nil)
        #expect(try store.query.openWorkouts().isEmpty)
    }

    @Test func `deleting a name deletes it from workouts and from every record, and tells receivers`() throws {
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        var first = workout()
        first.endReason = .completed
        let open = workout("019aa0d1-22b0-7f3e-8d51-0c1f6e2b7a91")
        let other = workout("019aa0d1-22b0-7f3e-8d51-0c1f6e2b7a92", name: "ben")
        for workout in [first, open, other] { writer.enqueue(workout, events: [], now: t0) }
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        #expect(try store.deleteName("anna", wall: Fixture.noon + 60, clock: .synced) == 2)
        #expect(try records(store).map(\.rev) == [1, 1, 1, 2, 2])
        #expect(try records(store).filter { $0.body.contains("anna") }.isEmpty)
        #expect(try records(store).filter { $0.body.contains("ben") }.count == 1)
        #expect(try records(store).map(\.final) == [true, false, false, true, false])
        #expect(try store.query.workouts().compactMap(\.body.name) == ["ben"])
        #expect(try store.deleteName("anna", wall: Fixture.noon + 70, clock: .synced) == 0)
        // A later change of the open one has a higher revision than the deletion.
        var later = try #require(try store.query.openWorkouts().first { $0.id == open.id })
        later.endReason = .stopped
        writer.enqueue(later, events: [], now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon + 80)
        #expect(try records(store).last?.rev == 3 && records(store).last?.final == true)
        try store.close()
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: fixture.path + suffix) {
            let bytes = try Data(contentsOf: URL(filePath: fixture.path + suffix))
            #expect(bytes.range(of: Data("anna".utf8)) == nil, "the file still holds the name")
        }
    }

    @Test func `the board has the best challenge of each name, and no workouts without one`() throws {
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        let plan = WorkoutPlan(
            id: "minute", name: "Minute", challengeSeconds: 60, steps: [WorkoutPlan.Step(action: "squat")])
        for (number, (name, reps)) in [("anna", 20), ("ben", 31), ("anna", 25), (nil, 99)].enumerated() {
            var done = Workout(
                id: "019aa0d1-22b0-7f3e-8d51-0c1f6e2b7a9\(number)", plan: plan, camera: "rack1", name: name,
                start: Fixture.noon + Double(number))
            done.steps[0].repetitions = reps
            done.steps[0].end = Fixture.noon + 61
            done.endReason = .completed
            writer.enqueue(done, events: [], now: t0)
        }
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        let board = try store.query.board(since: Fixture.noon - 10, until: Fixture.noon + 100)
        #expect(board.map(\.body.name) == ["ben", "anna"] && board.map(\.body.reps) == [31, 25])
    }

    @Test func `a clock that is set moves workouts and their steps`() throws {
        var workout = workout()
        workout.steps[0].start = Fixture.noon + 5
        workout.until = Fixture.noon + 50
        let wrong = ClockReading(state: .unsynced, uptimeMs: 100_000, boot: "b1b1b1b1")
        try store(workout, wall: Fixture.noon, clock: wrong)
        let right = ClockReading(state: .synced, uptimeMs: 160_000, boot: "b1b1b1b1")
        let again = try Store(path: fixture.path, settings: Self.settings, wall: Fixture.noon + 7260, clock: right)
        #expect(try records(again).first?.clock == .unsynced)
        let moved = try #require(try again.query.openWorkouts().first)
        #expect(moved.start == Fixture.noon + 7200 && moved.until == Fixture.noon + 7250)
        #expect(moved.steps[0].start == Fixture.noon + 7205)
        #expect(try records(again).map(\.rev) == [1, 2] && records(again).last?.clock == .synced)
    }

    private static func measured(_ value: Double) -> MeasuredRepetition {
        let measures: [FormMeasurement] = [
            .kneeFlexion, .hipFlexion, .hipDrop, .trunkLean, .standingBend, .asymmetry, .seconds, .loweringSeconds,
            .raisingSeconds, .rhythm,
        ]
        let readings = measures.reduce(into: [:]) {
            $0[$1] = RepetitionMeasures.Reading(value / 3, uncertainty: value / 77)
        }
        return MeasuredRepetition(RepetitionMeasures(view: .side, readings: readings), by: [])
    }

    /// How many rows were changed so far.
    private func changes(_ store: Store) throws -> Int {
        try store.pool.write { try Int.fetchOne($0, sql: "SELECT total_changes()") ?? 0 }
    }

    @Test func `a repetition is written once, and takes at most 150 bytes`() throws {
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        var workout = workout()
        workout.steps[0].start = Fixture.noon
        var written: [Int] = []
        for count in 1...12 {
            workout.steps[0].repetitions = count
            workout.steps[0].measured.append(Self.measured(100 + Double(count)))
            writer.enqueue(workout, events: [], now: t0)
            let before = try changes(store)
            _ = try writer.flush(now: t0, wall: Fixture.noon)
            let rows = try store.ask("SELECT count(*) || ' ' || max(length(measured)) FROM workout_rep") ?? ""
            #expect(rows.hasPrefix("\(count) "))
            #expect((Int(rows.split(separator: " ").last ?? "") ?? 999) <= 150)
            written.append(try changes(store) - before)
        }
        #expect(written.allSatisfy { $0 <= written[0] }, "the twelfth writes no more than the first")
        #expect(try store.query.openWorkouts() == [workout])
        workout.steps[0].end = Fixture.noon + 30
        workout.current = 1
        writer.enqueue(workout, events: [], now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon + 30)
        #expect(try store.ask("SELECT count(*) FROM workout_rep") == "0", "an ended step holds its measurements itself")
        let bytes = try store.ask("SELECT length(measured) FROM workout_step WHERE number = 0")
        #expect((bytes.flatMap { Int($0) } ?? .max) < 12 * 150)
        #expect(try store.query.openWorkouts() == [workout])
        #expect(try store.query.workouts().first?.body == WorkoutBody(workout))
    }

    @Test func `a list of workouts reads the sums and no measurements`() throws {
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        var workout = workout()
        workout.steps[0].start = Fixture.noon
        workout.steps[0].repetitions = 6
        workout.steps[0].measured = (0..<6).map { Self.measured(60 + Double($0)) }
        (workout.steps[0].end, workout.endReason) = (Fixture.noon + 30, .stopped)
        writer.enqueue(workout, events: [], now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        let body = WorkoutBody(workout)
        #expect(body.steps[0].measured?.tempo != nil)
        try store.pool.write { try $0.execute(sql: "UPDATE workout_step SET measured = '[\"not read\"]'") }
        #expect(try store.query.workouts().map(\.body) == [body])
    }

    @Test func `workouts of the version before are readable, with small rows and the sums`() throws {
        let old = try DatabaseQueue(path: fixture.path)
        try Migrations.migrator().migrate(old, upTo: "v7")
        var workout = workout(name: "a" + String(repeating: "\u{301}", count: 900))
        workout.steps[0].measured = (0..<7).map { Self.measured(60 + Double($0)) }
        let measured = String(decoding: try JSONEncoder().encode(workout.steps[0].measured), as: UTF8.self)
        let plan = String(decoding: try JSONEncoder().encode(workout.plan), as: UTF8.self)
        let noon = Timestamp.milliseconds(Fixture.noon)
        try old.write { db in
            try db.execute(
                sql: """
                    INSERT INTO workout(id, camera, plan, name, start_ms, end_ms, end_reason, step, phase)
                      VALUES('w', 'rack1', ?, ?, ?, ?, 'stopped', 0, 'active');
                    INSERT INTO workout_step(workout, number, action, reps, seconds, skipped, measured)
                      VALUES('w', 0, 'squat', 7, 20, 0, ?);
                    """, arguments: [plan, workout.name, noon, noon + 60_000, measured])
        }
        try old.close()
        let store = try fixture.open()
        let row = try #require(try store.query.workouts().first)
        #expect(row.body.steps[0].measured == StepForm(workout.steps[0].measured, planned: 12))
        #expect(row.body.name.flatMap(PersonName.init) != nil, "a name that no import takes was shortened")
        let bytes = try store.ask("SELECT length(measured) FROM workout_step WHERE number = 0")
        #expect((bytes.flatMap { Int($0) } ?? .max) < 7 * 150)
        try store.query.export { row in
            guard row.table == .workoutSteps, case .text(let text) = row["measured"] else { return }
            let exported = try JSONDecoder().decode([MeasuredRepetition].self, from: Data(text.utf8))
            #expect(exported == workout.steps[0].measured)
        }
    }

    @Test func `a stored plan of a billion rounds neither hangs the start nor a list`() throws {
        let store = try fixture.open()
        let step = #"{"action":"squat","repetitions":5,"rest_seconds":0}"#
        let plan = #"{"id":"x","name":"x","description":"","rounds":1000000000,"steps":[\#(step)]}"#
        try store.pool.write { db in
            try db.execute(
                sql: """
                    INSERT INTO workout(id, camera, plan, start_ms, end_ms, step, phase)
                      VALUES('endless', 'rack1', ?, 1, 2, 0, 'active')
                    """, arguments: [plan])
        }
        #expect(try store.query.openWorkouts().isEmpty && store.query.workouts().isEmpty)
        #expect(try store.query.workout("endless") == nil)
    }

    @Test func `a deleted name does not stay in answers`() throws {
        let store = try fixture.open()
        try store.commands.remember(#"{"data":{"name":"anna"}}"#, to: "c1", wall: Fixture.noon)
        let error = #"{"error":{"message":"no workout goes on as 'anna'"}}"#
        try store.commands.remember(error, to: "c2", wall: Fixture.noon)
        try store.commands.remember(#"{"data":{}}"#, to: "c3", wall: Fixture.noon)
        #expect(try store.deleteName(" anna ", wall: Fixture.noon, clock: .synced) == 0)
        #expect(try store.ask("SELECT group_concat(id) FROM cmd_seen") == "c3")
    }

    @Test func `a name is deleted in every form in which it was typed`() throws {
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        for (number, name) in ["Jos\u{E9}", "Jose\u{301}", " Jos\u{E9} ", "ben"].enumerated() {
            writer.enqueue(workout("019aa0d1-22b0-7f3e-8d51-0c1f6e2b7a9\(number)", name: name), events: [], now: t0)
        }
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        #expect(try store.deleteName("  Jose\u{301}\n", wall: Fixture.noon, clock: .synced) == 3)
        #expect(try store.query.workouts().compactMap(\.body.name) == ["ben"])
        #expect(try records(store).filter { $0.body.contains("Jos") }.isEmpty)
    }

    @Test func `answers leave without another command, also when the clock was set back`() throws {
        let store = try fixture.open()
        for (number, minutes) in [-11, -9, 9, 11].enumerated() {
            let wall = Fixture.noon + Double(minutes) * 60
            try store.commands.remember("{}", to: "c\(number)", wall: wall)
        }
        #expect(try store.forgetCommands(wall: Fixture.noon) == 2)
        #expect(try store.ask("SELECT group_concat(id) FROM (SELECT id FROM cmd_seen ORDER BY id)") == "c1,c2")
        #expect(try store.forgetCommands(wall: Fixture.noon + 3600) == 2)
        #expect(try store.ask("SELECT count(*) FROM cmd_seen") == "0")
    }

    @Test func `a history of the version before keeps its records and their positions`() throws {
        try fixture.open().close()
        let queue = try DatabaseQueue(path: fixture.path)
        try queue.write { db in
            // As version 5 left it: another CHECK, no workouts, and positions beyond the records that are left.
            try db.execute(
                sql: """
                    DROP TABLE workout_rep; DROP TABLE workout_step; DROP TABLE workout;
                    DROP INDEX session_set_start; DROP TABLE camera_absence;
                    DROP TABLE question; DROP TABLE question_pool; DROP TABLE occupancy; DROP TABLE occupancy_zone;
                    DROP TABLE alarm; DROP TABLE delivery; DROP TABLE standing_problem; DROP TABLE member_code;
                    ALTER TABLE set_correction DROP COLUMN load_kg; ALTER TABLE set_correction DROP COLUMN rpe;
                    ALTER TABLE session_set DROP COLUMN confidence;
                    ALTER TABLE session_set DROP COLUMN reps_margin;
                    ALTER TABLE session_set DROP COLUMN left_reps; ALTER TABLE session_set DROP COLUMN right_reps;
                    DELETE FROM grdb_migrations WHERE identifier NOT IN ('v1', 'v2', 'v3', 'v4', 'v5');
                    PRAGMA user_version = 5;
                    DELETE FROM record;
                    INSERT INTO record(seq, type, id, rev, final, ts_ms, clock, body)
                      VALUES(41, 'session', 'a', 1, 1, 1000, 'synced', '{}');
                    UPDATE sqlite_sequence SET seq = 57 WHERE name = 'record';
                    """)
        }
        try queue.close()
        let store = try fixture.open()
        #expect(try store.records.records(after: 0, limit: 9).map(\.seq) == [41])
        #expect(try store.records.lastSeq() == 57)
        let writer = try fixture.writer(store)
        writer.enqueue(workout(), events: [], now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        #expect(try records(store).map(\.seq) == [58])
    }
}

extension FormRule {
    fileprivate func saying(_ cue: String) -> FormRule {
        var rule = self
        rule.cueBelow = cue
        return rule
    }
}

extension CueCoach {
    fileprivate func first(_ measures: RepetitionMeasures) -> Cue? {
        var coach = self
        return coach.cue(after: 1, measures)
    }
}
