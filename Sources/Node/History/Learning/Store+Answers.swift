import Foundation
import GRDB
import Records
import TOMLSettings

extension Store {
    /// Answers a question, or changes its answer. Who answered is not stored.
    ///
    /// - Parameter known: the labels that an answer may have.
    /// - Throws: ``AnswerError`` for what cannot be; ``HistoryError``. Nothing is changed then.
    public func answer(_ id: Int, _ answer: Answer, known: [String], wall: Date) throws {
        if case .exercise(let label, let reps) = answer {
            guard known.contains(label) else {
                throw AnswerError.unknownLabel(label, nearest: NearestName.of(label, among: known + Answer.words))
            }
            if let reps, !(0...SetCorrection.maximumReps).contains(reps) { throw AnswerError.invalidReps(reps) }
        }
        let changed = try write { db in
            try db.execute(
                sql: "UPDATE question SET answer = ?, answer_reps = ?, answered_ms = ? WHERE id = ?",
                arguments: [answer.word, answer.reps, Timestamp.milliseconds(wall), id])
            return db.changesCount
        }
        if changed == 0 { throw AnswerError.unknownQuestion(id) }
    }

    /// Deletes a question with its answer and its joints.
    ///
    /// - Throws: ``AnswerError``, ``HistoryError``.
    public func deleteQuestion(_ id: Int) throws {
        let changed = try write { db in
            try db.execute(sql: "DELETE FROM question WHERE id = ?", arguments: [id])
            return db.changesCount
        }
        if changed == 0 { throw AnswerError.unknownQuestion(id) }
    }

    /// Deletes the joints of questions that began before a moment, and questions without answer altogether: they cannot be
    /// answered any more.
    ///
    /// - Parameter moment: milliseconds since 1970; `nil` to make room.
    /// - Returns: how many rows changed.
    func deleteQuestionPoses(before moment: Int64?) throws -> Int {
        let old =
            moment.map { "start_ms < \($0) AND \(ClockStretch.isTrusted)" } ?? "poses IS NOT NULL"
        return try write { db in
            let ids = try Int64.fetchAll(
                db,
                sql: """
                    SELECT id FROM question WHERE (answer IS NULL OR poses IS NOT NULL) AND \(old) ORDER BY start_ms LIMIT ?
                    """, arguments: [Self.slice])
            guard !ids.isEmpty else { return 0 }
            let list = ids.map(String.init).joined(separator: ", ")
            try db.execute(sql: "DELETE FROM question WHERE answer IS NULL AND id IN (\(list))")
            try db.execute(sql: "UPDATE question SET poses = NULL WHERE id IN (\(list))")
            return ids.count
        }
    }

    /// Deletes what was answered or seen before a moment, or while the file is nearly full all but the newest.
    ///
    /// - Parameter moment: milliseconds since 1970; `nil` to make room.
    /// - Returns: the greater number of rows of both tables.
    func deleteAnswers(before moment: Int64?) throws -> Int {
        let old =
            moment.map { "start_ms < \($0) AND \(ClockStretch.isTrusted) ORDER BY start_ms LIMIT ?" }
            ?? "1 ORDER BY start_ms DESC LIMIT ? OFFSET \(Self.newestAnswers)"
        let answers = try delete(
            "DELETE FROM question WHERE id IN (SELECT id FROM question WHERE \(old))", [Self.slice])
        let pools =
            moment.map {
                "week < '\(Calendar.gregorian(in: settings.timeZone).dayText(of: Timestamp.date(milliseconds: $0)))'"
            }
            ?? "week < (SELECT min(week) FROM (SELECT DISTINCT week FROM question_pool ORDER BY week DESC LIMIT \(Self.newestWeeks)))"
        let weeks = try delete(
            """
            DELETE FROM question_pool WHERE (week, kind, camera) IN
              (SELECT week, kind, camera FROM question_pool WHERE \(pools) ORDER BY week LIMIT ?)
            """, [Self.slice])
        return max(answers, weeks)
    }

    /// The newest questions that are kept even when the file is full.
    static let newestAnswers = 1000
    /// The same for weeks of which is known how much was seen.
    static let newestWeeks = 200
}
