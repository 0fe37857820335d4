import Actions
import Foundation
import GRDB

/// When a machine without a battery clock starts, its clock is wrong until the network has told the time. What was
/// stored meanwhile is corrected once, at the first opening after that in the same boot: moments move by the clock's
/// step, and what was recorded is recorded again with a higher revision and `clock: synced`.
public struct UnsyncedRows: Sendable, Codable, Equatable {
    /// The start of the machine they belong to.
    public let boot: String
    /// What the wall clock showed when the machine had been up for nothing, milliseconds since 1970: a step of the
    /// clock moves it, the passing of time does not.
    public let base: Int64
    /// The first record of this boot.
    public let fromSeq: Int64

    enum CodingKeys: String, CodingKey {
        case boot, base
        case fromSeq = "from_seq"
    }

    /// Steps smaller than this are the clock being kept right, not being set.
    static let smallestStepMs: Int64 = 2000

    /// Remembers that the rows of this boot need correction; to be called inside a commit while nobody keeps the clock.
    static func note(_ clock: ClockReading, wallMilliseconds: Int64, in db: Database) throws {
        if let known = try read(in: db), known.boot == clock.boot { return }
        let last = try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'record'") ?? 0
        let note = UnsyncedRows(boot: clock.boot, base: wallMilliseconds - clock.uptimeMs, fromSeq: last + 1)
        try Meta.set(.unsynced, JSONText.encode(note), in: db)
    }

    static func read(in db: Database) throws -> UnsyncedRows? {
        // A note that cannot be read is none: its rows stay as they are.
        try Meta.value(.unsynced, in: db).flatMap { try? JSONDecoder().decode(UnsyncedRows.self, from: Data($0.utf8)) }
    }

    /// How far the clock was set since these rows were written; `nil` while it was not.
    func step(_ clock: ClockReading, wall: Date) -> Int64? {
        guard clock.state == .synced, clock.boot == boot else { return nil }
        return Timestamp.milliseconds(wall) - clock.uptimeMs - base
    }

    /// Corrects what an earlier run of this boot stored.
    ///
    /// - Returns: how many records were written anew.
    static func correct(
        _ clock: ClockReading, wall: Date, calendar: DayCalendar, in db: Database
    ) throws -> Int {
        guard let note = try read(in: db), let step = note.step(clock, wall: wall) else { return 0 }
        try db.execute(sql: "DELETE FROM meta WHERE k = ?", arguments: [Meta.Key.unsynced.rawValue])
        guard abs(step) >= smallestStepMs else { return 0 }
        var correction = Correction(note: note, step: step, wall: wall, calendar: calendar, db: db)
        return try correction.run()
    }

    private struct Correction {
        let note: UnsyncedRows
        let step: Int64
        let wall: Date
        var calendar: DayCalendar
        let db: Database

        mutating func run() throws -> Int {
            let rollups = try ids(.rollup)
            let sessions = try ids(.session)
            for id in rollups { try moveRollup(id) }
            for id in sessions { try moveSession(id) }
            try movePredictions()
            return rollups.count + sessions.count
        }

        private func ids(_ type: RecordType) throws -> [String] {
            try String.fetchAll(
                db,
                sql: "SELECT DISTINCT id FROM record WHERE type = ? AND clock = 'unsynced' AND seq >= ? ORDER BY id",
                arguments: [type.rawValue, note.fromSeq])
        }

        private mutating func moveSession(_ id: String) throws {
            guard let before = try Row.fetchOne(db, sql: "SELECT * FROM session WHERE id = ?", arguments: [id]) else {
                return
            }
            let camera: String = before["camera"]
            let (start, end): (Int64, Int64) = (before["start_ms"], before["end_ms"])
            try db.execute(
                sql: """
                    UPDATE session SET start_ms = start_ms + ?, end_ms = end_ms + ?, rev = rev + 1 WHERE id = ?
                    """, arguments: [step, step, id])
            try db.execute(
                sql: "UPDATE session_set SET start_ms = start_ms + ?, end_ms = end_ms + ? WHERE session = ?",
                arguments: [step, step, id])
            let (from, to) = days(start, camera: camera)
            if from != to {
                try db.execute(
                    sql: "UPDATE day_camera SET sessions = max(0, sessions - 1) WHERE day = ? AND camera = ?",
                    arguments: [from.day, from.camera])
                try DayRows.countSession(on: to, in: db)
            }
            try moveRepetitions(of: id, end: end, camera: camera)
            guard let row = try SessionRow.fetch(id, in: db) else { return }
            try append(.session, id: id, rev: row.rev, body: SessionBody(row))
        }

        private mutating func moveRepetitions(of id: String, end: Int64, camera: String) throws {
            let (from, to) = days(end, camera: camera)
            guard from != to else { return }
            let rows = try Row.fetchAll(
                db, sql: "SELECT label, reps FROM session_action WHERE session = ? AND reps IS NOT NULL",
                arguments: [id])
            for row in rows {
                try DayRows.addReps(-(row["reps"] as Int), label: row["label"], on: from, in: db)
                try DayRows.addReps(row["reps"], label: row["label"], on: to, in: db)
            }
            for day in [from, to] { try DayRows.revise(day, in: db) }
        }

        private mutating func moveRollup(_ id: String) throws {
            guard let before = try Row.fetchOne(db, sql: "SELECT * FROM rollup WHERE id = ?", arguments: [id]) else {
                return
            }
            let camera: String = before["camera"]
            let start: Int64 = before["start_ms"]
            let slot = RollupSlot(holding: start + step, camera: camera)
            // Where the right time has sums already, these stay what they are: unsynced.
            try db.execute(
                sql: "UPDATE OR IGNORE rollup SET start_ms = ?, rev = rev + 1 WHERE id = ?",
                arguments: [slot.startMilliseconds, id])
            guard db.changesCount > 0,
                let row = try Row.fetchOne(db, sql: "SELECT * FROM rollup WHERE id = ?", arguments: [id])
            else { return }
            let body = try RollupBody(row: row, in: db)
            let (from, to) = days(start, camera: camera)
            if from != to {
                for action in body.actions {
                    try DayRows.credit(
                        frames: -action.frames, seconds: -action.seconds, label: action.label, on: from, in: db)
                    try DayRows.credit(
                        frames: action.frames, seconds: action.seconds, label: action.label, on: to, in: db)
                }
                for day in [from, to] { try DayRows.revise(day, in: db) }
            }
            try append(.rollup, id: id, rev: row["rev"], body: body)
        }

        /// In two steps, so that no row meets one that has not moved yet.
        private func movePredictions() throws {
            let last = Timestamp.milliseconds(wall) - step
            let range: StatementArguments = [note.base, last]
            try db.execute(
                sql: """
                    CREATE TEMP TABLE moving AS SELECT * FROM prediction WHERE end_ms BETWEEN ? AND ?
                    """, arguments: range)
            try db.execute(sql: "DELETE FROM prediction WHERE end_ms BETWEEN ? AND ?", arguments: range)
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO prediction(end_ms, camera, track, label, confidence, frames)
                    SELECT end_ms + ?, camera, track, label, confidence, frames FROM temp.moving
                    """, arguments: [step])
            try db.execute(sql: "DROP TABLE temp.moving")
        }

        private func append(_ type: RecordType, id: String, rev: Int, body: some Encodable) throws {
            try RecordLog.append(
                type, id: id, rev: rev, final: true, body: JSONText.encode(body),
                wallMilliseconds: Timestamp.milliseconds(wall), clock: .synced, in: db)
        }

        /// The days a moment belonged to, and belongs to now.
        private mutating func days(_ milliseconds: Int64, camera: String) -> (DayCamera, DayCamera) {
            let moments = [milliseconds, milliseconds + step].map { Timestamp.date(milliseconds: $0) }
            let days = moments.map { DayCamera(day: calendar.day(of: $0), camera: camera) }
            return (days[0], days[1])
        }
    }
}

extension Store {
    /// What waits for the clock to be set; `nil` when nothing does.
    public func unsynced() throws -> UnsyncedRows? {
        do { return try pool.read { try UnsyncedRows.read(in: $0) } } catch { throw HistoryError(error, path: path) }
    }

    /// Whether the clock was set since rows of this boot were written, so that opening the history anew corrects them.
    public func needsCorrection(_ clock: ClockReading = .now(), wall: Date = Date()) throws -> Bool {
        guard clock.state == .synced, let step = try unsynced()?.step(clock, wall: wall) else { return false }
        return abs(step) >= UnsyncedRows.smallestStepMs
    }
}
