import Foundation
import GRDB
import Records

extension Store {
    /// The most rows deleted in one transaction.
    static let slice = 1000
    /// The same for kept poses, whose rows have 28 kB.
    private static let poseSlice = 50
    /// The same for workouts, each of which has many rows.
    private static let workoutSlice = 20
    /// The newest sessions that are kept even when the file is full.
    static let newestSessions = 1000
    /// The same for workouts, each of which may have as much as a hundred sessions.
    static let newestWorkouts = 50
    /// The same for days with their totals.
    static let newestDays = 400
    /// The newest records that are kept even when the file is full, among them the gaps that declare the others.
    static let newestRecords: Int64 = 100

    /// Runs the next part of a step.
    ///
    /// - Returns: how many rows were deleted, and the steps that replace this one.
    func prune(_ step: Pruning.Step, of pruning: Pruning) throws -> (count: Int, next: [Pruning.Step]) {
        let now = Timestamp.milliseconds(pruning.wall)
        func old(_ days: Int) -> Int64 { now - Int64(days) * 86_400_000 }
        func again(_ count: Int, of slice: Int = Self.slice) -> (Int, [Pruning.Step]) {
            (count, count == slice ? [step] : [])
        }
        switch step {
        case .poses:
            guard let days = poseDays else { return again(try deletePoses(), of: Self.poseSlice) }
            guard pruning.clock == .synced else { return (0, []) }
            return again(try deletePoses(before: old(days)), of: Self.poseSlice)
        case .questions:
            guard pruning.clock == .synced else { return (0, []) }
            return again(try deleteQuestionPoses(before: old(settings.questionDays)))
        case .answers:
            guard settings.sessionDays > 0 else { return (0, []) }
            return again(try deleteAnswers(before: old(settings.sessionDays)))
        case .predictions(let after):
            let (count, last) = try deletePredictions(after: after, before: old(settings.predictionDays))
            return (count, last.map { [.predictions(after: $0)] } ?? [])
        case .delivered: return again(try deleteDelivered(pruning, before: old(settings.recordDays)))
        case .absences:
            guard settings.sessionDays > 0 else { return (0, []) }
            let absences = try deleteAbsences(before: old(settings.sessionDays))
            return again(absences == Self.slice ? absences : try deleteAlarms(before: old(settings.sessionDays)))
        case .sessions:
            guard settings.sessionDays > 0 else { return (0, []) }
            return again(try deleteSessions(before: old(settings.sessionDays), keeping: 0, trusted: true))
        case .workouts:
            guard settings.sessionDays > 0 else { return (0, []) }
            let count = try deleteWorkouts(pruning, before: old(settings.sessionDays), keeping: 0, trusted: true)
            return again(count, of: Self.workoutSlice)
        case .undelivered: return again(try evictOld(before: old(settings.recordDays), pruning))
        case .gaps: return again(try deleteGaps("clock = 'synced' AND ts_ms < ?", old(settings.recordDays)))
        case .rollups: return again(try deleteRollups(before: old(settings.recordDays)))
        case .leftOvers: return (try deleteLeftOvers(pruning, before: old(settings.recordDays)), [])
        case .room: return (0, try isNearlyFull(0.9) ? Self.stepsForRoom : [])
        case .anyPoses, .anyPredictions, .anyCommands, .anyAbsences, .anyDelivered, .anyRollups, .anyWorkouts,
            .anySessions,
            .anyUndelivered, .anyGaps, .anyDays, .anyQuestions, .anyAnswers:
            guard try isNearlyFull(0.8) else { return (0, []) }
            let count = try pruneForRoom(step, pruning)
            return (count, count > 0 ? [step] : [])
        }
    }

    private static let stepsForRoom: [Pruning.Step] = [
        .anyPoses, .anyQuestions, .anyPredictions, .anyCommands, .anyAbsences, .anyDelivered, .anyRollups, .anyAnswers,
        .anyWorkouts(trusted: true), .anyWorkouts(trusted: false), .anySessions(trusted: true),
        .anySessions(trusted: false), .anyUndelivered,
        .anyGaps, .anyDays,
    ]

    private func pruneForRoom(_ step: Pruning.Step, _ pruning: Pruning) throws -> Int {
        switch step {
        case .anyPoses: try deletePoses()
        case .anyQuestions: try deleteQuestionPoses(before: nil)
        case .anyAnswers: try deleteAnswers(before: nil)
        case .anyPredictions: try deleteOldestPredictions()
        case .anyDelivered: try deleteDelivered(pruning, before: nil)
        case .anyCommands: try deleteOldestCommands() + deleteOldestDeliveries()
        case .anyAbsences: try deleteAbsences(before: nil) + deleteAlarms(before: nil)
        case .anyRollups: try deleteOldestRollups()
        case .anyWorkouts(let trusted):
            try deleteWorkouts(pruning, before: .max, keeping: Self.newestWorkouts, trusted: trusted)
        case .anySessions(let trusted):
            try deleteSessions(before: .max, keeping: Self.newestSessions, trusted: trusted)
        case .anyGaps: try deleteGaps("seq <= ?", try records.lastSeq() - Self.newestRecords)
        case .anyDays: try deleteOldestDay()
        default: try evictOldest(through: try records.lastSeq() - Self.newestRecords, pruning)
        }
    }

    /// Whether the database uses more than `share` of its maximum size.
    private func isNearlyFull(_ share: Double) throws -> Bool {
        do {
            return try pool.read { db in
                let pages = try Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0
                let free = try Int64.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
                return Double(pages - free) > share * Double(Self.pageLimit(settings))
            }
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// The age at which poses are deleted: they go before their session; `nil` where none are to be kept.
    private var poseDays: Int? {
        guard settings.keepPosesDays > 0 else { return nil }
        return settings.sessionDays > 0 ? min(settings.keepPosesDays, settings.sessionDays) : settings.keepPosesDays
    }

    /// Deletes the oldest kept poses: those with a trusted time before `moment`, or if that is `nil` any.
    private func deletePoses(before moment: Int64? = nil) throws -> Int {
        let end = moment ?? .max
        let isTrusted = "EXISTS (SELECT 1 FROM session s WHERE s.id = kept_pose.session AND \(ClockStretch.isTrusted))"
        return try delete(
            """
            DELETE FROM kept_pose WHERE rowid IN
              (SELECT rowid FROM kept_pose WHERE end_ms < ? AND \(moment == nil ? "1" : isTrusted)
               ORDER BY end_ms LIMIT ?)
            """, [end, Self.poseSlice])
    }

    /// Looks at the next slice of rows in order of time and deletes the trusted ones.
    ///
    /// - Returns: how many were deleted, and the moment up to which all were looked at; `nil` at the end.
    private func deletePredictions(after: Int64, before: Int64) throws -> (Int, Int64?) {
        try write { db in
            let last = try Int64.fetchOne(
                db,
                sql: "SELECT end_ms FROM prediction WHERE end_ms > ? AND end_ms < ? ORDER BY end_ms LIMIT 1 OFFSET ?",
                arguments: [after, before, Self.slice - 1])
            try db.execute(
                sql: """
                    DELETE FROM prediction WHERE end_ms > ? AND end_ms <= ? AND \(ClockStretch.isTrusted)
                    """, arguments: [after, last ?? before - 1])
            return (db.changesCount, last.flatMap { $0 > after ? $0 : nil })
        }
    }

    private func deleteOldestPredictions() throws -> Int {
        try delete(
            """
            DELETE FROM prediction WHERE (end_ms, camera, track) IN
              (SELECT end_ms, camera, track FROM prediction ORDER BY end_ms, camera, track LIMIT ?)
            """, [Self.slice])
    }

    /// Deletes records that every receiver has: those before `moment`, or if that is `nil` the first ones.
    private func deleteDelivered(_ pruning: Pruning, before moment: Int64?) throws -> Int {
        let delivered = try pruning.consumers.map { try records.cursor(of: $0) }.min() ?? 0
        guard let moment else {
            return try delete(
                "DELETE FROM record WHERE seq IN (SELECT seq FROM record WHERE seq <= ? ORDER BY seq LIMIT ?)",
                [delivered, Self.slice])
        }
        return try delete(
            """
            DELETE FROM record WHERE seq IN
              (SELECT seq FROM record WHERE clock = 'synced' AND ts_ms < ? AND seq <= ? ORDER BY ts_ms LIMIT ?)
            """, [moment, delivered, Self.slice])
    }

    /// Deletes ended sessions, oldest first. Their records stay in the log.
    private func deleteSessions(before moment: Int64, keeping newest: Int, trusted: Bool) throws -> Int {
        try delete(
            """
            DELETE FROM session WHERE id IN
              (SELECT id FROM session WHERE end_reason IS NOT NULL AND start_ms < ?1 AND end_ms < ?1
                 AND id NOT IN (SELECT id FROM session ORDER BY start_ms DESC LIMIT ?2)
                 AND (\(trusted ? ClockStretch.isTrusted : "1"))
               ORDER BY start_ms LIMIT ?3)
            """, [moment, newest, Self.slice])
    }

    /// Deletes workouts with their steps and measurements, oldest first. Their records stay in the log.
    ///
    /// An open workout that has not changed for a day is one that cannot be read, so it goes as well.
    private func deleteWorkouts(
        _ pruning: Pruning, before moment: Int64, keeping newest: Int, trusted: Bool
    ) throws -> Int {
        try delete(
            """
            DELETE FROM workout WHERE id IN
              (SELECT id FROM workout WHERE (end_reason IS NOT NULL OR end_ms < ?4) AND start_ms < ?1 AND end_ms < ?1
                 AND id NOT IN (SELECT id FROM workout ORDER BY start_ms DESC LIMIT ?2)
                 AND (\(trusted ? ClockStretch.isTrusted : "1"))
               ORDER BY start_ms LIMIT ?3)
            """, [moment, newest, Self.workoutSlice, Timestamp.milliseconds(pruning.wall) - 86_400_000])
    }

    private func deleteRollups(before moment: Int64) throws -> Int {
        try delete(
            """
            DELETE FROM rollup WHERE id IN
              (SELECT id FROM rollup WHERE start_ms < ? AND \(ClockStretch.isTrusted) ORDER BY start_ms LIMIT ?)
            """, [moment, Self.slice])
    }

    private func evictOld(before moment: Int64, _ pruning: Pruning) throws -> Int {
        try write { db in
            let seqs = try Int64.fetchAll(
                db,
                sql: """
                    SELECT seq FROM record WHERE clock = 'synced' AND ts_ms < ? AND type <> 'gap'
                    ORDER BY ts_ms, seq LIMIT ?
                    """, arguments: [moment, Self.slice])
            return try RecordLog.evict(
                seqs.sorted(), wall: pruning.wall, clock: pruning.clock, gapsBefore: moment, in: db)
        }
    }

    private func evictOldest(through last: Int64, _ pruning: Pruning) throws -> Int {
        try write { db in
            let seqs = try Int64.fetchAll(
                db, sql: "SELECT seq FROM record WHERE seq <= ? AND type <> 'gap' ORDER BY seq LIMIT ?",
                arguments: [last, Self.slice])
            return try RecordLog.evict(seqs, wall: pruning.wall, clock: pruning.clock, gapsBefore: .max, in: db)
        }
    }

    func delete(_ sql: String, _ arguments: StatementArguments) throws -> Int {
        try write { db in
            try db.execute(sql: sql, arguments: arguments)
            return db.changesCount
        }
    }
}
