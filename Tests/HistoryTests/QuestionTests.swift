import Actions
import Foundation
import GRDB
import History
import Records
import Testing

/// Questions, answers and what they tell, in SQLite.
@Suite struct QuestionTests {
    private let t0 = ContinuousClock.now
    private let fixture: Fixture
    private static let week = "2026-11-16"

    init() throws { fixture = try Fixture() }

    private func question(
        _ kind: Question.Kind = .set, _ reason: Question.Reason = .random, weight: Double = 2, session: String? = nil,
        shown: String? = "squat", reps: Int? = 8, second: Int = 0
    ) -> Question {
        let start = Timestamp.milliseconds(Fixture.noon) + Int64(second) * 1000
        return Question(
            kind: kind, reason: reason, weight: weight, week: Self.week, camera: "rack1", startMilliseconds: start,
            endMilliseconds: start + 9000, session: session, number: session == nil ? nil : 1, shown: shown, reps: reps,
            likely: ["squat", "lunge"], model: "m@1", poses: [1, 2, 3])
    }

    private func filled(_ store: Store, _ questions: [Question], quota: Int = 3) throws {
        let writer = try fixture.writer(store)
        writer.enqueue(Fixture.session("a", reason: .idle), now: t0)
        for question in questions { writer.ask(question, quota: quota, now: t0) }
        _ = try writer.flush(now: t0, wall: Fixture.noon)
    }

    private func rows(_ store: Store, _ state: QuestionState = .open) throws -> [QuestionRow] {
        var rows: [QuestionRow] = []
        try store.query.questions(state) { rows.append($0) }
        return rows
    }

    @Test func `a question is asked, answered, changed and deleted`() throws {
        let store = try fixture.open()
        try filled(store, [question(session: "a"), question(.excerpt, shown: nil, reps: nil, second: 60)])
        let open = try rows(store)
        #expect(
            open.map(\.id) == [1, 2] && open.map(\.kind) == [.set, .excerpt]
                && open.map(\.sample) == [.random, .random])
        #expect(open[0].likely == ["squat", "lunge"] && open[0].reps == 8 && open[1].shown == nil)
        #expect(try store.query.questionPoses(1) == [1, 2, 3])
        try store.answer(1, .exercise("lunge", reps: 9), known: ["squat", "lunge"], wall: Fixture.noon)
        try store.answer(2, .nobody, known: [], wall: Fixture.noon + 1)
        #expect(try rows(store).isEmpty)
        #expect(try rows(store, .answered).map(\.answer) == ["nobody", "lunge"])
        try store.answer(1, .exercise("squat", reps: nil), known: ["squat"], wall: Fixture.noon + 2)
        let changed = try #require(try store.query.question(1))
        #expect(changed.answer == "squat" && changed.answerReps == nil)
        try store.deleteQuestion(1)
        #expect(try store.query.question(1) == nil)
    }

    @Test func `what cannot be an answer is refused, and changes nothing`() throws {
        let store = try fixture.open()
        try filled(store, [question()])
        #expect(throws: AnswerError.unknownLabel("squt", nearest: "squat")) {
            try store.answer(1, .exercise("squt", reps: 1), known: ["squat"], wall: Fixture.noon)
        }
        #expect(throws: AnswerError.invalidReps(-1)) {
            try store.answer(1, .exercise("squat", reps: -1), known: ["squat"], wall: Fixture.noon)
        }
        #expect(throws: AnswerError.unknownQuestion(9)) {
            try store.answer(9, .none, known: [], wall: Fixture.noon)
        }
        #expect(throws: AnswerError.unknownQuestion(9)) { try store.deleteQuestion(9) }
        #expect(try rows(store).count == 1)
    }

    @Test func `what has no repetitions is answered without any`() throws {
        for word in Answer.words + ["plank"] {
            #expect(throws: AnswerError.noReps(word)) { try Answer.given(word, reps: 4, held: ["plank"]) }
            #expect(try Answer.given(word, reps: 0, held: ["plank"]) == Answer(word: word))
            #expect(try Answer.given(word, reps: nil, held: ["plank"]) == Answer(word: word))
        }
        #expect(try Answer.given("squat", reps: 4, held: ["plank"]) == .exercise("squat", reps: 4))
    }

    @Test func `of the chosen ones the best stay, and those that were answered`() throws {
        let store = try fixture.open()
        try filled(store, (1...3).map { question(.set, .unsure, weight: Double($0) / 10, second: $0) }, quota: 2)
        #expect(try rows(store).map(\.id) == [2, 3])
        try store.answer(2, .none, known: [], wall: Fixture.noon)
        let writer = try fixture.writer(store)
        writer.ask(question(.set, .unsureCount, weight: 0.9, second: 9), quota: 2, now: t0)
        writer.ask(question(.set, .random, weight: 4, second: 10), quota: 2, now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        #expect(try rows(store).map(\.reason) == [.unsureCount, .random])
        #expect(try rows(store, .answered).map(\.id) == [2])
    }

    @Test func `a question goes with its session, and none is asked of a session that is gone`() throws {
        let store = try fixture.open()
        try filled(store, [question(session: "a"), question(second: 30)])
        #expect(try store.deleteSession("a", wall: Fixture.noon) == .deleted)
        #expect(try rows(store).map(\.id) == [2])
        try filled(store, [question(session: "b")])
        #expect(try rows(store).map(\.id) == [2])
    }

    @Test func `the joints leave with their age, with them what was not answered, and answers stay`() throws {
        let store = try fixture.open()
        try filled(store, [question(), question(second: 30)])
        try store.answer(2, .exercise("squat", reps: 8), known: ["squat"], wall: Fixture.noon)
        try store.prune(wall: Fixture.noon + 89 * 86_400, clock: .synced)
        #expect(try rows(store).count == 1 && store.query.question(2)?.hasPoses == true)
        try store.prune(wall: Fixture.noon + 91 * 86_400, clock: .synced)
        #expect(try rows(store).isEmpty && rows(store, .answered).map(\.hasPoses) == [false])
        #expect(try store.query.questionPoses(2) == nil)
    }

    @Test func `answers come with their joints, and a corrected set counts as answered`() throws {
        let store = try fixture.open()
        let writer = try fixture.writer(store)
        var session = Fixture.session("c", reason: .idle)
        session.sets = [
            SessionSet(number: 1, label: "squat", start: Fixture.noon, end: Fixture.noon + 9, reps: 5)
        ]
        writer.enqueue(session, now: t0)
        writer.ask(question(session: "c"), quota: 3, now: t0)
        writer.ask(question(second: 20), quota: 3, now: t0)
        writer.ask(question(second: 40), quota: 3, now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon)
        try store.correctSet(1, of: "c", to: .to(label: "lunge", reps: 4), wall: Fixture.noon)
        try store.answer(3, .none, known: [], wall: Fixture.noon)
        var told: [String] = []
        try store.query.answers { told.append("\($0.id) \($1.word) \($1.reps ?? -1) \($2.count)") }
        #expect(told == ["1 lunge 4 3", "3 none -1 3"])
    }

    // MARK: - Accuracy

    /// `count` answered questions that were drawn by chance, of which `right` are right.
    private func answer(_ store: Store, _ count: Int, right: Int, kind: Question.Kind = .set, wrong: Answer = .none)
        throws
    {
        let first = try (rows(store) + rows(store, .answered)).map(\.id).max() ?? 0
        try filled(store, (0..<count).map { question(kind, shown: kind == .set ? "squat" : nil, second: $0 * 20) })
        for index in 1...count {
            let answer: Answer = index > right ? wrong : kind == .set ? .exercise("squat", reps: 9) : .none
            try store.answer(first + index, answer, known: ["squat"], wall: Fixture.noon)
        }
    }

    private func saw(_ store: Store, _ kind: Question.Kind, _ seen: Int, hours: Double) throws {
        let writer = try fixture.writer(store)
        writer.saw(
            QuestionPool(kind: kind, week: Self.week, camera: "rack1", seen: seen, seconds: hours * 3600), now: t0)
        _ = try writer.flush(now: t0, wall: Fixture.noon)
    }

    @Test func `accuracy follows from the answers that were drawn by chance, with its interval`() throws {
        let store = try fixture.open()
        try answer(store, 50, right: 47)
        try saw(store, .set, 100, hours: 1)
        try saw(store, .excerpt, 3240, hours: 9)
        // A chosen one that is wrong changes nothing, and neither does one that says nothing.
        try filled(store, [question(.set, .unsure, weight: 0.9, second: 5000), question(second: 6000)])
        try store.answer(51, .none, known: [], wall: Fixture.noon)
        try store.answer(52, .twoPeople, known: [], wall: Fixture.noon)
        let row = try #require(try store.query.accuracy(at: Fixture.noon).first)
        let right = try #require(row.right)
        #expect(right.share == 0.94 && right.answers == 50)
        // Wilson's interval at 90 % of 47 in 50.
        #expect(abs(right.low - 0.8591) < 0.001 && abs(right.high - 0.9758) < 0.001, "\(right)")
        #expect(row.countsWithinOne?.share == 1 && row.sets == 100 && row.hours == 10)
        #expect(abs((row.falseSetsAnHour?.value ?? 0) - 0.6) < 1e-9 && row.recall == nil)
        try answer(store, 20, right: 19, kind: .excerpt, wrong: .exercise("squat", reps: nil))
        let recall = try #require(try store.query.accuracy(at: Fixture.noon).first?.recall)
        // An hour in sets of which .94 are right, and nine hours of which .05 show an exercise.
        #expect(abs(recall.share - 1 / (1 + 9 * 0.05 / 0.94)) < 1e-9)
        #expect(recall.low < recall.share && recall.share < recall.high && recall.answers == 70)
    }

    @Test func `accuracy by label, camera and month says the same, and a few answers say nothing`() throws {
        let store = try fixture.open()
        try answer(store, 4, right: 4)
        try saw(store, .set, 10, hours: 1)
        #expect(try store.query.accuracy(at: Fixture.noon).map(\.right) == [nil])
        try answer(store, 6, right: 5)
        let all = try #require(try store.query.accuracy(at: Fixture.noon).first)
        for (grouping, name) in [(Accuracy.Grouping.label, "squat"), (.camera, "rack1"), (.month, "2026-11")] {
            let rows = try store.query.accuracy(by: grouping, at: Fixture.noon)
            #expect(rows.map(\.group) == [name] && rows.map(\.right) == [all.right] && rows.map(\.sets) == [10])
        }
        // The week of the answers is one of the last two, but not the last one.
        let later = Fixture.noon + 7 * 86_400
        #expect(try store.query.accuracy(weeks: 2, at: later).map(\.right) == [all.right])
        #expect(try store.query.accuracy(weeks: 1, at: later).map(\.right) == [nil])
        let old = Fixture.noon + 35 * 86_400
        #expect(try store.query.accuracy(at: old).map(\.right) == [nil])
        #expect(try store.query.accuracy(by: .month, at: old).map(\.right) == [all.right])
    }

    @Test func `the stated interval holds the truth in nine months of ten`() {
        var random = SystemRandomNumberGenerator()
        for truth in [0.7, 0.94, 0.99] {
            let holding = (0..<4000).count { _ in
                let right = (0..<40).count { _ in Double.random(in: 0..<1, using: &random) < truth }
                let interval = WilsonInterval(share: Double(right) / 40, of: 40)
                return interval.low <= truth && truth <= interval.high
            }
            #expect(Double(holding) / 4000 > 0.86, "\(truth): \(holding) of 4000")
        }
        #expect(WilsonInterval(share: 0, of: 0).high == 1)
        #expect(WilsonInterval.effective([1, 1, 1, 1]) == 4 && WilsonInterval.effective([3, 1]) == 1.6)
    }

    @Test func `a week begins on Monday, also where the clocks change`() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        func week(_ text: String) throws -> String {
            Question.week(of: try #require(Timestamp.date(text: text)), in: zone)
        }
        #expect(try week("2026-11-22T22:59:59.000Z") == "2026-11-16")
        #expect(try week("2026-11-22T23:00:00.000Z") == "2026-11-23")
        #expect(try week("2026-10-25T12:00:00.000Z") == "2026-10-19")
        #expect(try week("2027-01-01T12:00:00.000Z") == "2026-12-28")
    }

    @Test func `a history from before there were questions has none`() throws {
        let store = try fixture.open()
        try store.pool.write { db in
            try db.execute(sql: "DROP TABLE question; DROP TABLE question_pool")
        }
        let query = try HistoryQuery(path: fixture.path)
        #expect(try query.questions(.open) { _ in }.found == 0 && query.question(1) == nil)
        #expect(try query.accuracy(at: Fixture.noon).map(\.right) == [nil])
    }
}
