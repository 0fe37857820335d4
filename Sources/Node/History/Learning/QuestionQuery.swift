import Foundation
import GRDB
import Records

/// A question as it is listed, with its answer: `spotter learn list --json`, `/api/v1/questions`.
public struct QuestionRow: Sendable, Codable, Equatable {
    /// The question's number.
    public let id: Int
    /// What is asked about.
    public let kind: Question.Kind
    /// How it came to be asked.
    public let sample: Question.Sample
    /// Why.
    public let reason: Question.Reason
    /// The camera's id.
    public let camera: String
    /// When it began and ended, as ISO 8601 with milliseconds.
    public let start, end: String
    /// The label that was shown; `nil` for none.
    public let shown: String?
    /// The repetitions that were counted.
    public let reps: Int?
    /// The labels that are most likely.
    public let likely: [String]
    /// The name of the model.
    public let model: String
    /// Whether the joints are still kept.
    public let hasPoses: Bool
    /// The answer: a label, or a word of ``Answer``; `nil` for none yet.
    public let answer: String?
    /// The repetitions that a person counted.
    public let answerReps: Int?
    /// When it was answered.
    public let answered: String?

    enum CodingKeys: String, CodingKey {
        case id, kind, sample, reason, camera, start, end, shown, reps, likely, model, answer, answered
        case hasPoses = "has_poses"
        case answerReps = "answer_reps"
    }

    /// The JSON of a question.
    package static let schema = Schema.object([
        ("id", .required(.integer(minimum: 1))),
        ("kind", .required(.text(words: Question.Kind.allCases.map(\.rawValue)))),
        ("sample", .required(.text(words: Question.Sample.allCases.map(\.rawValue)))),
        ("reason", .required(.text(words: Question.Reason.allCases.map(\.rawValue)))),
        ("camera", .required(.id)), ("start", .required(.moment)), ("end", .required(.moment)),
        ("shown", .optional(.text(), "The label that was shown; absent for none.")), ("reps", .optional(.count)),
        ("likely", .required(.list(.text()), "The likely labels, the first one first.")),
        ("model", .required(.text())), ("has_poses", .required(.flag)),
        ("answer", .optional(.text(), "A label, or none, nobody, two_people, cut_off, skipped.")),
        ("answer_reps", .optional(.count)), ("answered", .optional(.moment)),
    ])

    init(_ row: Row) {
        id = row.integer("id")
        kind = Question.Kind(rawValue: row.text("kind")) ?? .excerpt
        sample = Question.Sample(rawValue: row.text("sample")) ?? .chosen
        reason = Question.Reason(rawValue: row.text("reason")) ?? .unsure
        camera = row.text("camera")
        start = Timestamp.text(milliseconds: row.moment("start_ms"))
        end = Timestamp.text(milliseconds: row.moment("end_ms"))
        shown = row.optionalText("shown")
        reps = row.optionalInteger("reps")
        likely = row.text("likely").split(separator: " ").map(String.init)
        model = row.text("model")
        hasPoses = row.integer("has_poses") != 0
        answer = row.optionalText("answer")
        answerReps = row.optionalInteger("answer_reps")
        answered = row.optionalInteger("answered_ms").map { _ in
            Timestamp.text(milliseconds: row.moment("answered_ms"))
        }
    }
}

/// Which questions.
public enum QuestionState: String, Sendable, CaseIterable {
    /// Those that wait for an answer and whose joints are still kept.
    case open
    /// Those that were answered, skipped ones included.
    case answered
}

extension HistoryQuery {
    private static let columns = """
        id, kind, sample, reason, camera, start_ms, end_ms, shown, reps, likely, model, answer, answer_reps, answered_ms,
        poses IS NOT NULL AS has_poses
        """

    /// Passes questions to `each`: open ones in the order in which they were asked, answered ones newest first. A history
    /// from before there were questions has none.
    ///
    /// - Returns: how many were passed on, and how many there are.
    /// - Throws: ``HistoryError``, or the error of `each`.
    @discardableResult
    public func questions(
        _ state: QuestionState, limit: Int? = nil, each: (QuestionRow) throws -> Void
    ) throws -> RowCount {
        try read { db in
            guard try db.tableExists("question") else { return RowCount(shown: 0, found: 0) }
            let (condition, order) =
                switch state {
                case .open: ("answer IS NULL AND poses IS NOT NULL", "id")
                case .answered: ("answer IS NOT NULL", "answered_ms DESC, id DESC")
                }
            return try db.pass(
                Self.columns, "FROM question WHERE \(condition)", order: order, StatementArguments(), limit: limit
            ) { try each(QuestionRow($0)) }
        }
    }

    /// A question; `nil` where there is none of this number.
    ///
    /// - Throws: ``HistoryError``.
    public func question(_ id: Int) throws -> QuestionRow? {
        try read { db in
            guard try db.tableExists("question") else { return nil }
            return try Row.fetchOne(
                db, sql: "SELECT \(Self.columns) FROM question WHERE id = ?", arguments: [id]
            ).map(QuestionRow.init)
        }
    }

    /// The packed joints of a question; `nil` where none are kept.
    ///
    /// - Throws: ``HistoryError``.
    public func questionPoses(_ id: Int) throws -> [UInt8]? {
        try read { db in
            guard try db.tableExists("question") else { return nil }
            let row = try Row.fetchOne(
                db, sql: "SELECT poses FROM question WHERE id = ? AND poses IS NOT NULL", arguments: [id])
            return row.map { $0.bytes("poses") }
        }
    }

    /// Passes the packed joints of all questions to `each`, oldest first, with the camera and the beginning.
    ///
    /// - Throws: ``HistoryError``, or the error of `each`.
    package func questionPoses(
        each: (_ camera: String, _ startMilliseconds: Int64, _ poses: [UInt8]) throws -> Void
    ) throws {
        try read { db in
            guard try db.tableExists("question") else { return }
            let rows = try Row.fetchCursor(
                db, sql: "SELECT camera, start_ms, poses FROM question WHERE poses IS NOT NULL ORDER BY start_ms, id")
            while let row = try rows.next() {
                try each(row.text("camera"), row.moment("start_ms"), row.bytes("poses"))
            }
        }
    }

    /// Passes the answers whose joints are kept to `each`, oldest first, with the label and the packed joints. A set that was
    /// corrected counts as answered.
    ///
    /// - Throws: ``HistoryError``, or the error of `each`.
    public func answers(each: (_ question: QuestionRow, _ answer: Answer, _ poses: [UInt8]) throws -> Void) throws {
        try read { db in
            guard try db.tableExists("question") else { return }
            let corrections = try SetCorrection.table(in: db)
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT q.*, 1 AS has_poses, coalesce(q.answer, c.label) AS given,
                      coalesce(q.answer_reps, c.reps) AS given_reps
                    FROM question q LEFT JOIN \(corrections) c ON c.session = q.session AND c.number = q.number
                    WHERE q.poses IS NOT NULL AND given IS NOT NULL ORDER BY q.id
                    """)
            while let row = try rows.next() {
                try each(
                    QuestionRow(row), Answer(word: row.text("given"), reps: row.optionalInteger("given_reps")),
                    row.bytes("poses"))
            }
        }
    }

    /// What was seen and asked in a week, to go on after a restart.
    ///
    /// - Returns: the number of sets and excerpts that were seen and that were drawn by chance, and the weights of the chosen
    ///   ones, by kind.
    /// - Throws: ``HistoryError``.
    package func questionWeek(
        _ week: String
    ) throws -> (seen: [Question.Kind: Int], drawn: [Question.Kind: Int], chosen: [Question.Kind: [Double]]) {
        try read { db in
            guard try db.tableExists("question") else { return ([:], [:], [:]) }
            func kind(_ row: Row) -> Question.Kind { Question.Kind(rawValue: row.text("kind")) ?? .excerpt }
            let pools = try Row.fetchAll(
                db, sql: "SELECT kind, sum(seen) AS seen FROM question_pool WHERE week = ? GROUP BY kind",
                arguments: [week])
            let rows = try Row.fetchAll(
                db, sql: "SELECT kind, sample, weight FROM question WHERE week = ?", arguments: [week])
            let (random, chosen) = (
                rows.filter { $0.text("sample") == "random" }, rows.filter { $0.text("sample") == "chosen" }
            )
            return (
                Dictionary(pools.map { (kind($0), $0.integer("seen")) }) { $0 + $1 },
                Dictionary(random.map { (kind($0), 1) }) { $0 + $1 },
                Dictionary(chosen.map { (kind($0), [$0.number("weight")]) }) { $0 + $1 }
            )
        }
    }
}
