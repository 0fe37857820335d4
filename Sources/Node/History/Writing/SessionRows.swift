import Actions
import Contract
import Foundation
import GRDB
import Records

/// Writes sessions into their tables and, at intervals, into the record log.
struct SessionRows {
    /// The model's identity and frame rate, as they appear in the records.
    let model: ModelStamp
    /// The time between two records of an open session, milliseconds.
    static let recordIntervalMs: Int64 = 300_000

    /// Stores the newest state of a session. A session that ended is not changed any more, unless it goes on because another
    /// one turned out to be the same person's.
    ///
    /// Repetitions are cumulative in a session; the difference to the stored numbers is added to the days. See
    /// ``DayRepetitions``.
    /// - Parameter goesOn: whether it goes on even if it ended.
    /// - Returns: the days and cameras whose totals changed, and whether a record was written.
    func write(
        _ session: Session, goesOn: Bool = false, day: (Date) -> String, clock: ClockState, stretch: Int64,
        wallMilliseconds: Int64, in db: Database
    ) throws -> (changed: Set<DayCamera>, recorded: Bool) {
        let known = try Row.fetchOne(
            db, sql: "SELECT start_ms, end_reason, rev, recorded_ms, clock FROM session WHERE id = ?",
            arguments: [session.id])
        if known?.optionalText("end_reason") != nil, !goesOn { return ([], false) }
        // A session that a person deleted does not come back.
        if known == nil, try SessionDeletion.isDeleted(session.id, in: db) { return ([], false) }
        let rev = known?.integer("rev") ?? 0
        let recorded = known?.moment("recorded_ms") ?? 0
        // A session is dated by the clock it began under.
        let clock = try known.map { try ClockStretch.state(of: $0.position("clock"), in: db) } ?? clock
        let isDue =
            known == nil || session.endReason != nil || goesOn
            || abs(wallMilliseconds - recorded) >= Self.recordIntervalMs

        // Only a session that had ended can have been corrected.
        let isCorrected = try isCorrected(session.id, in: db)
        let moved = try isCorrected ? corrections(of: session.id, in: db) : []
        let stored = try DayRepetitions(ofStored: session.id, day: day, in: db)
        var changed: Set<DayCamera> = []
        try writeSession(
            session, rev: isDue ? rev + 1 : rev, recordedMs: isDue ? wallMilliseconds : recorded, stretch: stretch,
            in: db)
        let started = DayCamera(day: day(session.start), camera: session.camera)
        let before = known.map {
            DayCamera(day: day(Timestamp.date(milliseconds: $0.moment("start_ms"))), camera: session.camera)
        }
        if before != started {
            // A session whose beginning moved back over midnight counts on the earlier day.
            if let before { try DayRows.countSessions(-1, on: before, in: db) }
            try DayRows.countSessions(1, on: started, in: db)
            changed.formUnion([started, before].compactMap(\.self))
        }
        let now = DayRepetitions(
            session.sets, actions: session.actions.compactMap { action in action.reps.map { (action.label, $0) } },
            end: session.end, day: day)
        changed.formUnion(try now.credit(instead: stored, camera: session.camera, in: db))
        try writeActions(session, in: db)
        try writeExcluded(session, in: db)
        changed.formUnion(try writeSets(session, day: day, in: db))
        if isCorrected {
            let now = try corrections(of: session.id, in: db)
            changed.formUnion(try SetMove.credit(moved, now, camera: session.camera, day: day, in: db))
        }
        if isDue {
            let body =
                try isCorrected
                ? correctedBody(of: session, in: db) : JSONText.encode(SessionBody(session, model: model))
            try RecordLog.append(
                .session, id: session.id, rev: rev + 1, final: session.endReason != nil, body: body,
                wallMilliseconds: wallMilliseconds, clock: clock, in: db)
        }
        return (changed, isDue)
    }

    private func isCorrected(_ session: String, in db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT 1 FROM set_correction WHERE session = ? LIMIT 1"), arguments: [session])
            == true
    }

    /// What people corrected in a session that had ended, and that goes on now.
    private func corrections(of session: String, in db: Database) throws -> [SetMove] {
        try Row.fetchOne(db, sql: "SELECT * FROM session WHERE id = ?", arguments: [session])
            .map { try SessionReader(db).recognised($0).moves } ?? []
    }

    private func correctedBody(of session: Session, in db: Database) throws -> String {
        let row = try SessionRow.fetch(session.id, in: db)
        return try JSONText.encode(row.map { SessionBody($0) } ?? SessionBody(session, model: model))
    }

    private func writeSession(
        _ session: Session, rev: Int, recordedMs: Int64, stretch: Int64, in db: Database
    ) throws {
        let start = Timestamp.milliseconds(session.start)
        try db.cachedStatement(
            sql: """
                INSERT INTO session(id, camera, track, start_ms, end_ms, end_reason, model, fps, rev, recorded_ms,
                  clock, zone)
                VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT(id) DO UPDATE SET start_ms = excluded.start_ms, end_ms = excluded.end_ms,
                  end_reason = excluded.end_reason, rev = excluded.rev, recorded_ms = excluded.recorded_ms,
                  zone = excluded.zone
                """
        ).execute(arguments: [
            session.id, session.camera, session.track, start, max(start, Timestamp.milliseconds(session.end)),
            session.endReason?.rawValue, model.id, model.framesPerSecond, rev, recordedMs, stretch,
            session.zone,
        ])
    }

    /// Writes the totals per action.
    private func writeActions(_ session: Session, in db: Database) throws {
        for (position, action) in session.actions.enumerated() {
            try db.cachedStatement(
                sql: """
                    INSERT INTO session_action(session, label, position, frames, seconds, reps, conf_mean)
                    VALUES(?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT(session, label) DO UPDATE SET position = excluded.position, frames = excluded.frames,
                      seconds = excluded.seconds, reps = excluded.reps, conf_mean = excluded.conf_mean
                    """
            ).execute(arguments: [
                session.id, action.label, position, action.frames, action.seconds.rounded(decimals: 6), action.reps,
                // `rounded` turns NaN into 0. SQLite would store NaN as NULL and refuse the whole batch at every
                // attempt.
                action.meanConfidence.rounded(decimals: 6),
            ])
        }
    }

    /// Writes the sets, and adds what is new of them to the use of their zones.
    ///
    /// - Returns: the days on which the use of a zone changed. It is that on which a set began.
    private func writeSets(_ session: Session, day: (Date) -> String, in db: Database) throws -> Set<DayCamera> {
        var changed: Set<DayCamera> = []
        for set in session.sets {
            let before = try Row.fetchOne(
                db.cachedStatement(sql: "SELECT * FROM session_set WHERE session = ? AND number = ?"),
                arguments: [session.id, set.number]
            ).map(SessionSet.init)
            let then = before.map { DayCamera(day: day($0.start), camera: session.camera) }
            let now = DayCamera(day: day(set.start), camera: session.camera)
            if let before, let then, then != now {
                if try DayRows.moveZoneUse(from: before, to: nil, on: then, in: db) { changed.insert(then) }
            }
            let same = then == now ? before : nil
            if try DayRows.moveZoneUse(from: same, to: set, on: now, in: db) { changed.insert(now) }
            try db.cachedStatement(
                sql: """
                    INSERT INTO session_set(
                      session, number, label, start_ms, end_ms, reps, form, zone, confidence, reps_margin,
                      left_reps, right_reps)
                    VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT(session, number) DO UPDATE SET label = excluded.label, start_ms = excluded.start_ms,
                      end_ms = excluded.end_ms, reps = excluded.reps, form = excluded.form, zone = excluded.zone,
                      confidence = excluded.confidence, reps_margin = excluded.reps_margin,
                      left_reps = excluded.left_reps, right_reps = excluded.right_reps
                    """
            ).execute(arguments: [
                session.id, set.number, set.label, Timestamp.milliseconds(set.start), Timestamp.milliseconds(set.end),
                set.reps, set.form, set.zone, set.confidence, set.repsMargin, set.leftReps,
                set.rightReps,
            ])
        }
        return changed
    }

    private func writeExcluded(_ session: Session, in db: Database) throws {
        for (reason, frames) in session.excludedFrames {
            try db.cachedStatement(
                sql: """
                    INSERT INTO session_excluded(session, reason, frames) VALUES(?, ?, ?)
                    ON CONFLICT(session, reason) DO UPDATE SET frames = excluded.frames
                    """
            ).execute(arguments: [session.id, reason, frames])
        }
    }
}

/// The model that a history's labels and frame rate come from.
public struct ModelStamp: Sendable, Equatable {
    /// The model's name and the start of its digest: `gym14@9f2c41`.
    public let id: String
    /// The frame rate of the windows; seconds are frames divided by it.
    public let framesPerSecond: Double

    /// A model with this id and frame rate.
    ///
    /// - Precondition: `framesPerSecond > 0`.
    public init(id: String, framesPerSecond: Double) {
        precondition(framesPerSecond > 0, "a model has a frame rate")
        self.id = id
        self.framesPerSecond = framesPerSecond
    }
}
