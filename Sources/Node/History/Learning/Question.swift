import Foundation
import GRDB
import Records

/// A few seconds of one person of which the node asks what they were. Nothing says who the person was.
public struct Question: Sendable, Equatable {
    /// What is asked about.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// A set that was recognised.
        case set
        /// Ten seconds of a person in which no set was recognised.
        case excerpt
    }

    /// How it came to be asked.
    public enum Sample: String, Sendable, Codable, CaseIterable {
        /// By chance, so that errors can be estimated from the answers.
        case random
        /// Because an answer teaches much.
        case chosen
    }

    /// Why it was chosen.
    public enum Reason: String, Sendable, Codable, CaseIterable {
        /// It was drawn by chance.
        case random
        /// The confidence is near the limit of what is reported.
        case unsure
        /// The windows within it show several exercises.
        case changedLabel = "changed_label"
        /// The count may be off by two or more.
        case unsureCount = "unsure_count"
        /// The motion is unlike any that the model learned.
        case unknownMotion = "unknown_motion"
    }

    /// What is asked about.
    public var kind: Kind
    /// Why it was chosen; ``Reason/random`` for one that was drawn by chance.
    public var reason: Reason
    /// How much an answer teaches, 0…1, for a chosen one. For one that was drawn by chance: how many such sets or excerpts it
    /// stands for, 1 or more.
    public var weight: Double
    /// The Monday of the week in which it was seen, such as `2026-11-23`.
    public var week: String
    /// The camera's id.
    public var camera: String
    /// When it began and ended, milliseconds since 1970.
    public var startMilliseconds, endMilliseconds: Int64
    /// The session and the number of the set, for a set.
    public var session: String?
    /// See ``session``.
    public var number: Int?
    /// The label that was shown; `nil` for none.
    public var shown: String?
    /// The repetitions that were counted; `nil` where none are counted or the set is longer than what is kept.
    public var reps: Int?
    /// The labels that are most likely, the first one first.
    public var likely: [String]
    /// The name of the model.
    public var model: String
    /// The joints, packed.
    public var poses: [UInt8]

    /// How it came to be asked.
    public var sample: Sample { reason == .random ? .random : .chosen }

    /// A question from its parts.
    public init(
        kind: Kind, reason: Reason, weight: Double, week: String, camera: String, startMilliseconds: Int64,
        endMilliseconds: Int64, session: String? = nil, number: Int? = nil, shown: String? = nil, reps: Int? = nil,
        likely: [String] = [], model: String, poses: [UInt8]
    ) {
        self.kind = kind
        self.reason = reason
        self.weight = weight
        self.week = week
        self.camera = camera
        self.startMilliseconds = startMilliseconds
        self.endMilliseconds = endMilliseconds
        self.session = session
        self.number = number
        self.shown = shown
        self.reps = reps
        self.likely = likely
        self.model = model
        self.poses = poses
    }

    /// The Monday of the week that contains a moment.
    public static func week(of date: Date, in timeZone: TimeZone) -> String {
        let calendar = Calendar.gregorian(in: timeZone)
        let daysSinceMonday = (calendar.component(.weekday, from: date) + 5) % 7
        let monday = calendar.date(byAdding: .day, value: -daysSinceMonday, to: calendar.startOfDay(for: date))
        return calendar.dayText(of: monday ?? date)
    }
}

/// What a person answered.
public enum Answer: Sendable, Equatable {
    /// This exercise, with so many repetitions; `nil` where they were not counted.
    case exercise(String, reps: Int?)
    /// No exercise, or one without a label.
    case none
    /// Nobody is there: the joints are not a person's.
    case nobody
    /// The joints are those of two people in turns.
    case twoPeople
    /// Too little is in the picture to tell.
    case cutOff
    /// The person does not want to say.
    case skipped

    /// What stands for it in the database, in JSON and on the command line. An exercise is its label.
    public var word: String {
        switch self {
        case .exercise(let label, _): label
        case .none: "none"
        case .nobody: "nobody"
        case .twoPeople: "two_people"
        case .cutOff: "cut_off"
        case .skipped: "skipped"
        }
    }

    /// The words that are no labels.
    public static let words = ["none", "nobody", "two_people", "cut_off", "skipped"]

    /// The answer that a word stands for.
    public init(word: String, reps: Int? = nil) {
        self =
            switch word {
            case "none": .none
            case "nobody": .nobody
            case "two_people": .twoPeople
            case "cut_off": .cutOff
            case "skipped": .skipped
            default: .exercise(word, reps: reps)
            }
    }

    /// The answer that a person gives.
    ///
    /// - Parameter held: the labels of exercises that are held.
    /// - Throws: ``AnswerError/noReps(_:)`` for repetitions of what has none.
    public static func given(_ word: String, reps: Int?, held: [String]) throws(AnswerError) -> Answer {
        guard words.contains(word) || held.contains(word) else { return Answer(word: word, reps: reps) }
        guard reps ?? 0 == 0 else { throw AnswerError.noReps(word) }
        return Answer(word: word)
    }

    /// The repetitions that were counted by a person.
    public var reps: Int? {
        if case .exercise(_, let reps) = self { return reps }
        return nil
    }
}

/// Something that was seen and may be asked about: the counts that the samples stand for.
package struct QuestionPool: Sendable, Equatable {
    /// What it is.
    package var kind: Question.Kind
    /// The Monday of the week.
    package var week: String
    /// The camera's id.
    package var camera: String
    /// How many there were.
    package var seen = 0
    /// How long they were in all, seconds.
    package var seconds = 0.0

    /// A pool from its parts.
    package init(kind: Question.Kind, week: String, camera: String, seen: Int = 0, seconds: Double = 0) {
        (self.kind, self.week, self.camera, self.seen, self.seconds) = (kind, week, camera, seen, seconds)
    }
}

/// Writes questions and pools.
enum QuestionRows {
    /// Inserts a question. Chosen ones of a week that nobody answered leave when there are better ones.
    ///
    /// - Parameter quota: the most chosen ones of a kind and week.
    static func insert(_ question: Question, quota: Int, stretch: Int64, in db: Database) throws {
        // A session that was deleted meanwhile takes its questions along.
        if let session = question.session {
            guard try Bool.fetchOne(db, sql: "SELECT 1 FROM session WHERE id = ?", arguments: [session]) == true else {
                return
            }
        }
        try db.cachedStatement(
            sql: """
                INSERT INTO question(kind, sample, reason, weight, week, camera, start_ms, end_ms, session, number, shown,
                  reps, likely, model, poses, clock) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            question.kind.rawValue, question.sample.rawValue, question.reason.rawValue, question.weight, question.week,
            question.camera, question.startMilliseconds, question.endMilliseconds, question.session, question.number,
            question.shown, question.reps, question.likely.joined(separator: " "), question.model,
            Data(question.poses), stretch,
        ])
        guard question.sample == .chosen else { return }
        try db.cachedStatement(
            sql: """
                DELETE FROM question WHERE answer IS NULL AND id IN (
                  SELECT id FROM question WHERE week = ? AND kind = ? AND sample = 'chosen'
                  ORDER BY answer IS NULL, weight DESC LIMIT -1 OFFSET ?)
                """
        ).execute(arguments: [question.week, question.kind.rawValue, quota])
    }

    static func add(_ pool: QuestionPool, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO question_pool(week, kind, camera, seen, seconds) VALUES(?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET seen = seen + excluded.seen, seconds = seconds + excluded.seconds
                """
        ).execute(arguments: [pool.week, pool.kind.rawValue, pool.camera, pool.seen, pool.seconds])
    }
}
