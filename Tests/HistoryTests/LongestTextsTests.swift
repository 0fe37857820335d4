import Actions
import Foundation
import GRDB
import History
import Records
import Testing
import Workouts

/// What was accepted once can always be exported and imported again.
@Suite struct LongestTextsTests {
    private let t0 = ContinuousClock.now

    /// The longest text that a limit takes, of characters that JSON has to escape.
    private static func longest(_ limit: TextLimit) -> String {
        String(repeating: "\"", count: limit.bytes - 2) + "ü"
    }

    private static func workout() throws -> Workout {
        let (word, name) = (longest(.word), String(repeating: "\u{1F3CB}", count: PersonName.maximumCharacters))
        var step = WorkoutPlan.Step(action: word, repetitions: 1000, restSeconds: 3600, side: .right)
        (step.rangeLeast, step.rangeMost, step.secondsLeast, step.secondsMost) = (0.1, 359.9, 0.1, 60)
        step.watch = FormMeasurement.allCases
        (step.standard, step.lockOut, step.stopAtSlower) = (.strict, 89.9, 59.9)
        var plan = WorkoutPlan(
            id: word, name: longest(.title), description: longest(.paragraph), rounds: 20,
            steps: Array(repeating: step, count: 5))
        plan.prescription = WorkoutPlan.Prescription(daysAWeek: 7, ends: "2026-12-31", asksPain: true, painLimit: 10)
        #expect(plan.isPossible)
        var workout = Workout(
            id: UUIDv7.string(at: Fixture.noon), plan: plan, camera: String(repeating: "c", count: 63),
            name: try #require(PersonName(name)).text, start: Fixture.noon)
        let readings = FormMeasurement.allCases.reduce(into: [:]) {
            $0[$1] = RepetitionMeasures.Reading(-999_999.999, uncertainty: 999_999.999)
        }
        var measured = MeasuredRepetition(RepetitionMeasures(view: .side, readings: readings), by: [])
        (measured.range, measured.whole, measured.primary, measured.control) = (.shoulderElevation, 100, 100, 100)
        measured.ruling = .unjudged
        workout.steps[0].measured = Array(repeating: measured, count: MeasuredRepetition.maximumInStep)
        let fields: [String: JSONValue] = [
            "kind": "praise", "measure": "shoulder_elevation", "value": .number(-999_999.9),
            "uncertainty": .number(999_999.9), "limit": .number(-999.999), "text": .text(longest(.cue)),
            "repetition": .integer(1000),
        ]
        let cue = try JSONDecoder().decode(Cue.self, from: Data(JSONText.encode(fields).utf8))
        workout.steps[0].cues = Array(repeating: cue, count: Cue.maximumInStep)
        (workout.steps[0].start, workout.steps[0].end) = (Fixture.noon + 9, Fixture.noon + 5)
        (workout.steps[0].repetitions, workout.steps[0].pain, workout.steps[0].form) = (99_999, 10, 100)
        (workout.end, workout.endReason) = (Fixture.noon + 60, .sourceEnded)
        return workout
    }

    private func filled(_ fixture: Fixture, wall: Date) throws -> Store {
        let store = try fixture.open(zone: "America/Argentina/ComodRivadavia", node: String(repeating: "n", count: 63))
        let model = ModelStamp(id: Self.longest(.model), framesPerSecond: 1000)
        let writer = try HistoryWriter(store: store, model: model) { Fixture.clock }
        let (label, camera) = (Self.longest(.word), String(repeating: "c", count: 63))
        let zone = String(repeating: "z", count: 63)
        var session = Fixture.session(
            UUIDv7.string(at: wall), start: wall, end: wall + 30, reason: .idle, camera: camera, label: label)
        session.zone = zone
        session.sets = [
            SessionSet(number: 1, label: label, start: wall, end: wall + 9, reps: 9, form: 100, zone: zone)
        ]
        writer.enqueue(session, now: t0)
        writer.credit(Fixture.prediction(label), camera: camera, wall: wall, now: t0)
        writer.exclude(frames: 3, reason: "no_person", camera: camera, wall: wall, now: t0)
        writer.enqueue(try Self.workout(), events: [], now: t0)
        var seen = OccupancySum()
        (seen.watchedSeconds, seen.personSeconds, seen.most, seen.mostOfAll) = (900, 1_000_000, 99, 999)
        seen.zones[zone] = OccupancySum.Zone()
        writer.add(seen, to: OccupancySlot(holding: wall, camera: camera), now: t0)
        writer.enqueue(.gone(camera: camera, at: wall + 7, reason: "unplugged"), now: t0)
        writer.enqueue(.present(camera: camera, at: wall + 9), now: t0)
        let week = Question.week(of: wall, in: store.settings.timeZone)
        let start = Timestamp.milliseconds(wall)
        writer.ask(
            Question(
                kind: .set, reason: .changedLabel, weight: 1, week: week, camera: camera, startMilliseconds: start,
                endMilliseconds: start + 60_000, session: session.id, number: 1, shown: label, reps: 10_000,
                likely: Array(repeating: label, count: 6), model: Self.longest(.model),
                poses: Array(repeating: 200, count: 7 + 62 * 33 * 92)), quota: 9, now: t0)
        writer.saw(QuestionPool(kind: .set, week: week, camera: camera, seen: 9, seconds: 1e9), now: t0)
        _ = try writer.flush(now: t0, wall: wall + 86_400)
        let alarm = Alarm(
            id: UUIDv7.string(at: wall), camera: camera, zone: zone, cause: .still, since: wall, raised: wall + 60,
            ended: wall + 70, acknowledged: wall + 65)
        try store.save([alarm], wall: wall, clock: Fixture.clock)
        try store.answer(1, .exercise(label, reps: 10_000), known: [label], wall: wall + 99)
        let right = String(repeating: "x", count: 63)
        try store.correctSet(1, of: session.id, to: .to(label: right, reps: 10_000), wall: wall + 99, clock: .synced)
        return store
    }

    /// A machine that never knew the time begins in 1970.
    @Test(arguments: [Fixture.noon, Date(timeIntervalSince1970: 5), Date(timeIntervalSince1970: 7_000_000_000)])
    func `the longest of every text that was accepted is exported and imported again`(wall: Date) throws {
        let (one, two) = (try Fixture(), try Fixture())
        var exported: [ExportRow] = []
        let source = try filled(one, wall: wall)
        try source.query.export { exported.append($0) }
        #expect(Set(exported.map(\.table)) == Set(ExportTable.allCases), "every table has a row")
        var rest = try exported.map { row in
            let line = row.json(named: true)
            #expect(line.utf8.count < 16 << 20, "a line fits into what an import reads at once")
            return try ExportRow(jsonLine: Data(line.utf8))
        }[...]
        let target = try two.open(node: "sp-two")
        let report = try target.importing { rest.popFirst() }
        #expect(report.added["workouts"] == 1 && report.added["sessions"] == 1 && report.added["predictions"] == 1)
        var again: [ExportRow] = []
        try target.query.export { again.append($0) }
        #expect(again.dropFirst() == exported.dropFirst())
        #expect(try target.query.workouts().map(\.body) == source.query.workouts().map(\.body))
    }

    @Test(arguments: [
        #"{"id":"x","name":"NAME","description":"","rounds":1,"steps":[{"action":"squat","repetitions":5,"rest_seconds":0}]}"#,
        #"{"id":"x","name":"x","description":"NAME","rounds":1,"steps":[{"action":"squat","repetitions":5,"rest_seconds":0}]}"#,
        #"{"id":"NAME","name":"x","description":"","rounds":1,"steps":[{"action":"squat","repetitions":5,"rest_seconds":0}]}"#,
        #"{"id":"x","name":"x","description":"","rounds":1,"steps":[{"action":"NAME","repetitions":5,"rest_seconds":0}]}"#,
        #"{"id":"x","name":"x","description":"","rounds":1,"prescription":{"days_a_week":3,"ends":"NAME","asks_pain":true,"pain_limit":5},"steps":[{"action":"squat","repetitions":5,"rest_seconds":0}]}"#,
    ])
    func `an import checks the texts inside of a plan`(plan: String) throws {
        var check = ImportCheck()
        try check.check(
            ExportRow(
                .about,
                fields: [
                    "format": .text("spotter.history"), "version": .integer(1), "node": .text("n"), "epoch": .text("e"),
                    "seq": .integer(0), "written": .text("2026-11-21T10:00:00.000Z"),
                ]))
        let text = plan.replacing("NAME", with: String(repeating: "x", count: 1_000_000))
        let row = ExportRow(
            .workouts,
            fields: [
                "id": .text("w"), "camera": .text("c"), "plan": .text(text), "start": .text("2026-11-21T10:00:00.000Z"),
                "end": .text("2026-11-21T10:00:00.000Z"), "step": .integer(0), "phase": .text("active"),
                "rev": .integer(1),
            ])
        let error = #expect(throws: ImportError.self) { try check.check(row) }
        #expect(error?.reason == "'plan' of a row of workouts is no plan of a workout")
    }
}
