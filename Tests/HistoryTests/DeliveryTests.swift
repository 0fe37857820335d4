import Contract
import Foundation
import GRDB
import History
import Records
import Testing
import Workouts

@Suite struct DeliveryTests {
    private let fixture: Fixture

    init() throws { fixture = try Fixture() }

    /// A workout of one step of squats from second 10 to second 40, and a set of squats at that time.
    private func filled(_ sets: String...) throws -> Store {
        let store = try fixture.open()
        let noon = Timestamp.milliseconds(Fixture.noon)
        try store.pool.write { db in
            try db.execute(
                sql: """
                    INSERT INTO workout(id, camera, plan, name, start_ms, end_ms, end_reason, step, phase)
                      VALUES('w', 'rack1', '{}', 'anna', \(noon), \(noon) + 60000, 'completed', 0, 'active');
                    INSERT INTO workout_step(workout, number, action, start_ms, end_ms, reps, seconds, skipped)
                      VALUES('w', 0, 'squat', \(noon) + 10000, \(noon) + 40000, 9, 30, 0);
                    INSERT INTO session(id, camera, track, start_ms, end_ms, end_reason, model, fps)
                      VALUES('s', 'rack1', 1, \(noon), \(noon) + 60000, 'idle', 'm', 30),
                        ('other', 'rack2', 1, \(noon), \(noon) + 60000, 'idle', 'm', 30);
                    """)
            for sql in sets { try db.execute(sql: sql.replacing("NOON", with: String(noon))) }
        }
        return store
    }

    private func set(_ session: String, _ number: Int, _ label: String, from: Int, to: Int) -> String {
        """
        INSERT INTO session_set(session, number, label, start_ms, end_ms, reps)
          VALUES('\(session)', \(number), '\(label)', NOON + \(from), NOON + \(to), 9)
        """
    }

    private func load(_ session: String, _ number: Int, _ label: String, _ kilograms: Double) -> String {
        "INSERT INTO set_correction VALUES('\(session)', \(number), '\(label)', 9, 1, \(kilograms), 8.5)"
    }

    @Test func `a step has the weight and the exertion of the one set of its exercise at its time and camera`() throws {
        let squat = set("s", 1, "squat", from: 9000, to: 41_000)
        let efforts = try filled(squat, load("s", 1, "squat", 62.5)).query.efforts(ofWorkout: "w")
        #expect(efforts == [0: StepEffort(loadKg: 62.5, rpe: 8.5)])
    }

    @Test func `where two people did the exercise there is no weight`() throws {
        let squat = set("s", 1, "squat", from: 9000, to: 41_000)
        let second = set("s", 2, "squat", from: 20_000, to: 30_000)
        let store = try filled(squat, second, load("s", 1, "squat", 60), load("s", 2, "squat", 80))
        #expect(try store.query.efforts(ofWorkout: "w") == [:])
    }

    @Test func `sets of other exercises, times and cameras give no weight`() throws {
        let other = try filled(
            set("s", 1, "lunge", from: 9000, to: 41_000), load("s", 1, "lunge", 60),
            set("s", 2, "squat", from: 41_000, to: 50_000), load("s", 2, "squat", 60),
            set("other", 1, "squat", from: 9000, to: 41_000), load("other", 1, "squat", 60))
        #expect(try other.query.efforts(ofWorkout: "w") == [:])
    }

    @Test func `a set that a person called by its right name counts under that name`() throws {
        let lunge = set("s", 1, "lunge", from: 9000, to: 41_000)
        let loads = try filled(lunge, load("s", 1, "squat", 40)).query.efforts(ofWorkout: "w").mapValues(\.loadKg)
        #expect(loads == [0: 40])
    }

    @Test func `a delivery leaves with its workout`() throws {
        let store = try filled(
            "INSERT INTO delivery(id, recipient, workout, made_ms, due_ms) VALUES('d', 'share club', 'w', 1, 1)")
        #expect(try store.query.deliveries().map(\.workout) == ["w"])
        try store.pool.write { try $0.execute(sql: "DELETE FROM workout") }
        #expect(try store.query.deliveries().isEmpty)
    }
}
