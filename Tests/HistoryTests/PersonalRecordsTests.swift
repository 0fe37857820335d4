import Actions
import Contract
import Foundation
import GRDB
import History
import Records
import Testing
import Workouts

/// What a person has reached, from workouts and sets in a real file.
@Suite struct PersonalRecordsTests {
    private let fixture: Fixture
    private let t0 = ContinuousClock.now

    init() throws { fixture = try Fixture() }

    /// One set of a workout: the exercise, repetitions, load and exertion.
    private typealias Performed = (action: String, reps: Int, load: Double?, rpe: Double?)

    private static func id(_ number: Int) -> String {
        "019aa0d1-22b0-7f3e-8d51-0c1f6e2b7\(String(format: "%03d", number))"
    }

    /// Stores a workout with a session that has the same sets, and enters loads and exertions for them.
    private func add(
        _ number: Int, to store: Store, name: String?, day: Double, _ sets: [Performed]
    ) throws {
        let start = Fixture.noon + day * 86_400
        let steps = sets.map { WorkoutPlan.Step(action: $0.action, repetitions: max(1, $0.reps)) }
        var workout = Workout(
            id: Self.id(number), plan: WorkoutPlan(id: "legs", name: "Legs", steps: steps), camera: "rack1", name: name,
            start: start)
        var session = Fixture.session(
            "s\(number)", reps: sets.map(\.reps).reduce(0, +), start: start, end: start + 900, reason: .idle)
        session.sets = sets.enumerated().map { index, set in
            let begin = start + Double(index) * 120
            (workout.steps[index].start, workout.steps[index].end) = (begin, begin + 30)
            (workout.steps[index].repetitions, workout.steps[index].seconds) = (set.reps, 30)
            return SessionSet(
                number: index + 1, label: set.action, start: begin + 1, end: begin + 29, reps: set.reps, form: nil)
        }
        (workout.end, workout.endReason) = (start + 900, .completed)
        let writer = try fixture.writer(store)
        writer.enqueue(session, now: t0)
        writer.enqueue(workout, events: [], now: t0)
        _ = try writer.flush(now: t0, wall: start + 900)
        for (index, set) in sets.enumerated() where set.load != nil || set.rpe != nil {
            try store.correctSet(
                index + 1, of: "s\(number)", to: .to(loadKg: set.load, rpe: set.rpe), wall: start + 1000, clock: .synced
            )
        }
    }

    private func records(_ store: Store, _ name: String, daysLater: Double = 0) throws -> PersonalRecords? {
        try store.query.personalRecords(of: name, now: Fixture.noon + daysLater * 86_400 + 3600, zone: .gmt)
    }

    @Test func `records follow what people corrected of the sets`() throws {
        let store = try fixture.open(node: "sp-one")
        try add(1, to: store, name: "Anna", day: 0, [("squat", 11, 50, nil), ("push_up", 20, nil, nil)])
        func correct(_ number: Int, _ change: SetChange) throws {
            try store.correctSet(number, of: "s1", to: change, wall: Fixture.noon + 2000, clock: .synced)
        }
        try correct(1, .to(reps: 5))
        var found = try #require(try records(store, "Anna"))
        #expect(found.volumeKg == 250)
        #expect(found.exercises.first { $0.action == "squat" }?.mostReps?.value == 5)
        try correct(2, .to(label: "none"))
        found = try #require(try records(store, "Anna"))
        #expect(found.exercises.map(\.action) == ["squat"])
        try correct(1, .to(label: "lunge"))
        found = try #require(try records(store, "Anna"))
        #expect(found.exercises.map(\.action) == ["lunge"] && found.exercises[0].reps == 5)
        try correct(1, .undo)
        try correct(2, .undo)
        #expect(try records(store, "Anna")?.exercises.map(\.reps).sorted() == [11, 20])
    }

    @Test func `records are the best of each exercise, and volume is repetitions times load`() throws {
        let store = try fixture.open(node: "sp-one")
        try add(
            1, to: store, name: "Anna", day: -7,
            [("squat", 5, 80, 8), ("squat", 8, 70, nil), ("push_up", 20, nil, nil), ("plank", 0, nil, nil)])
        try add(2, to: store, name: "anna", day: 0, [("squat", 3, 90, 10), ("push_up", 18, nil, nil)])
        try add(3, to: store, name: "ben", day: 0.1, [("squat", 5, 140, nil)])
        try add(4, to: store, name: nil, day: 0.2, [("squat", 5, 200, nil)])
        let found = try #require(try records(store, "ANNA"))
        #expect(found.name == "anna" && found.workouts == 2 && found.days == 2)
        #expect(found.volumeKg == 1230, "400, 560 and 270")
        #expect(found.exercises.map(\.action) == ["squat", "push_up", "plank"])
        let squat = found.exercises[0]
        #expect(squat.sets == 3 && squat.loadedSets == 3 && squat.reps == 16 && squat.volumeKg == 1230)
        #expect(squat.heaviest?.value == 90 && squat.heaviest?.workout == Self.id(2))
        // Five repetitions and two left are seven: 80 × (1 + 7 / 30).
        #expect(squat.maximum?.value == 99 && squat.maximum?.reps == 3 && squat.maximum?.loadKg == 90)
        #expect(squat.mostReps?.value == 8 && squat.largestVolume?.value == 960)
        #expect(squat.largestVolume?.workout == Self.id(1) && squat.largestVolume?.day == "2026-11-14")
        let pushUp = found.exercises[1]
        #expect(pushUp.heaviest == nil && pushUp.maximum == nil && pushUp.largestVolume == nil)
        #expect(pushUp.mostReps?.value == 20 && pushUp.mostReps?.day == "2026-11-14")
        #expect(found.exercises[2].mostReps == nil && found.exercises[2].sets == 1, "a plank has no repetitions")
        #expect(try records(store, "nobody") == nil)
    }

    @Test
    func `the weight for one repetition is Epley's, with repetitions that were left, and says how far it may be off`()
        throws
    {
        let ten = try #require(MaximumEstimate(loadKg: 100, reps: 10, rpe: nil))
        #expect(ten.kilograms == 133.3 && ten.uncertainty == 3.3, "Epley and Brzycki agree at ten repetitions")
        let eight = try #require(MaximumEstimate(loadKg: 100, reps: 8, rpe: 8))
        #expect(eight == ten, "eight and two left are ten")
        let three = try #require(MaximumEstimate(loadKg: 100, reps: 3, rpe: 10))
        #expect(three.kilograms == 110 && three.uncertainty == 4.1, "Brzycki says 105.9")
        #expect(MaximumEstimate(loadKg: 100, reps: 1, rpe: 10)?.kilograms == 100, "it was lifted once")
        #expect(MaximumEstimate(loadKg: 100, reps: 1, rpe: 9)?.kilograms == 106.7)
        let far = try #require(MaximumEstimate(loadKg: 100, reps: 12, rpe: 5))
        #expect(far.uncertainty > 20, "seventeen repetitions tell little of one: \(far)")
        for reps in [0, 13] { #expect(MaximumEstimate(loadKg: 100, reps: reps, rpe: nil) == nil) }
        #expect(MaximumEstimate(loadKg: 0, reps: 5, rpe: nil) == nil)
    }

    @Test func `weeks and days in a row end where one is left out, and the present one is not over`() throws {
        // The noon of the fixture is a Saturday.
        let store = try fixture.open(node: "sp-one")
        for (number, day) in [-28.0, -21, -7, -1, 0].enumerated() {
            try add(number, to: store, name: "anna", day: day, [("squat", 5, nil, nil)])
        }
        func streak(_ later: Double) throws -> [Int] {
            let found = try #require(try records(store, "anna", daysLater: later)?.streak)
            return [found.weeks, found.longestWeeks, found.days, found.longestDays]
        }
        #expect(try streak(0) == [2, 2, 2, 2])
        #expect(try streak(1) == [2, 2, 2, 2], "today has just begun")
        #expect(try streak(2) == [2, 2, 0, 2], "yesterday had none; the new week is not over")
        #expect(try streak(8) == [2, 2, 0, 2], "the last day of the new week")
        #expect(try streak(9) == [0, 2, 0, 2])
    }

    @Test func `the last load of the same person and exercise is offered`() throws {
        let store = try fixture.open(node: "sp-one")
        try add(1, to: store, name: "anna", day: -2, [("squat", 5, 80, nil), ("lunge", 5, 30, nil)])
        try add(2, to: store, name: "ben", day: -1, [("squat", 5, 140, nil)])
        try add(
            3, to: store, name: "Anna", day: 0,
            [("squat", 5, nil, nil), ("squat", 5, nil, nil), ("deadlift", 5, nil, nil)])
        let workout = try #require(try store.query.workout(Self.id(3)))
        #expect(try store.query.stepSets(of: workout).map(\.lastLoadKg) == [80, 80, nil])
        #expect(try store.query.lastLoads(ofSession: "s3")?.map(\.lastLoadKg) == [80, 80])
        try store.correctSet(1, of: "s3", to: .to(loadKg: 82.5), wall: Fixture.noon, clock: .synced)
        #expect(try store.query.lastLoads(ofSession: "s3")?.map(\.lastLoadKg) == [80, 82.5], "of the set before")
        #expect(try store.query.stepSets(of: workout).map(\.lastLoadKg) == [80, 82.5, nil])
        #expect(try store.query.lastLoads(ofSession: "nowhere") == nil)
    }

    @Test func `a name that is deleted takes its records and its code with it`() throws {
        let store = try fixture.open(node: "sp-one")
        try add(1, to: store, name: "anna", day: 0, [("squat", 5, 80, 8)])
        let (anna, falcon) = (try #require(PersonName("anna")), try #require(PersonName("Falcon")))
        try store.store(MemberCode(id: "a1", name: anna, nickname: falcon, code: "{}", made: Fixture.noon))
        let ben = try #require(PersonName("ben"))
        try store.store(MemberCode(id: "b1", name: ben, nickname: ben, code: "{}", made: Fixture.noon))
        #expect(try store.query.memberCode(nickname: " FALCON ")?.name == "anna")
        _ = try store.deleteName("Anna", wall: Fixture.noon, clock: .synced)
        #expect(try records(store, "anna") == nil)
        #expect(try store.query.memberCodes().map(\.id) == ["b1"])
        let file = try String(decoding: Data(contentsOf: URL(filePath: fixture.path)), as: UTF8.self)
        #expect(!file.contains("Falcon"), "no page of the file has it any more")
    }

    @Test func `a new code replaces the one of the member, and a nickname belongs to one member`() throws {
        let store = try fixture.open(node: "sp-one")
        let (anna, ben) = (try #require(PersonName("anna")), try #require(PersonName("ben")))
        try store.store(MemberCode(id: "a1", name: anna, nickname: anna, code: "{}", made: Fixture.noon))
        let wolf = try #require(PersonName("wolf"))
        try store.store(MemberCode(id: "a2", name: anna, nickname: wolf, code: "{}", made: Fixture.noon))
        #expect(try store.query.memberCodes().map(\.id) == ["a2"])
        #expect(throws: MemberCodeRefusal.self) {
            try store.store(MemberCode(id: "b1", name: ben, nickname: wolf, code: "{}", made: Fixture.noon))
        }
        #expect(try store.removeCode(of: "Anna") && store.query.memberCodes().isEmpty)
        #expect(try !store.removeCode(of: "anna"))
    }
}
