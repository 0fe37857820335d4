import Actions
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

    @Test func `a history of the version before keeps its records and their positions`() throws {
        try fixture.open().close()
        let queue = try DatabaseQueue(path: fixture.path)
        try queue.write { db in
            // As version 5 left it: another CHECK, no workouts, and positions beyond the records that are left.
            try db.execute(
                sql: """
                    DROP TABLE workout_rep; DROP TABLE workout_step; DROP TABLE workout; DROP TABLE request;
                    DROP INDEX session_set_start;
                    DELETE FROM grdb_migrations WHERE identifier IN ('v6', 'v7', 'v8');
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

@Suite struct NodeRequestTests {
    /// Asks on a thread of its own, because the test's threads are few and whoever asks waits.
    private static func ping(_ path: String) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try NodeRequests(path: path).ask(#"{"cmd":"ping"}"#) })
            }
        }
    }

    @Test func `a request is answered by the node that writes the database, and leaves nothing`() async throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        let path = fixture.path
        async let answer = Self.ping(path)
        var waiting: [NodeRequest] = []
        while waiting.isEmpty {
            waiting = try store.waitingRequests(wall: Date())
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(waiting.map(\.command) == [#"{"cmd":"ping"}"#])
        try store.answer(waiting[0].id, #"{"data":1}"#)
        #expect(try await answer == #"{"data":1}"#)
        #expect(try store.ask("SELECT count(*) FROM request") == "0")
    }

    @Test func `a node that restarts answers when it is back`() async throws {
        let fixture = try Fixture()
        try fixture.open().close()
        let path = fixture.path
        // A process that still runs, and that holds no lock now.
        try "1\n".write(toFile: path + ".lock", atomically: false, encoding: .utf8)
        async let answer = Self.ping(path)
        try await Task.sleep(for: .milliseconds(300))
        let store = try fixture.open()
        while try store.waitingRequests(wall: Date()).isEmpty { try await Task.sleep(for: .milliseconds(20)) }
        try store.answer(try store.waitingRequests(wall: Date())[0].id, #"{"data":1}"#)
        #expect(try await answer == #"{"data":1}"#)
    }

    @Test func `without a node, or one that answers, the error says what to do`() throws {
        let fixture = try Fixture()
        try fixture.open().close()
        #expect(throws: NodeRequests.Failure.self) { try NodeRequests(path: fixture.path).ask("{}") }
        let store = try fixture.open()
        #expect(throws: NodeRequests.Failure.self) { try NodeRequests(path: fixture.path).ask("{}", seconds: 0.3) }
        #expect(try store.ask("SELECT count(*) FROM request") == "0", "a request that nobody waits for is gone")
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
