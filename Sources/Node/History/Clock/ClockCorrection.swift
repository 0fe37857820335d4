import Actions
import Contract
import Foundation
import GRDB
import Records

/// Moves the rows of one stretch by the step that set the clock, and records them again.
struct ClockCorrection {
    let stretch: Int64
    /// How far the clock was set, milliseconds.
    let step: Int64
    let wall: Date
    var calendar: DayCalendar
    let db: Database

    /// Moves everything that has the stretch's times.
    ///
    /// - Returns: how many records were written.
    mutating func run() throws -> Int {
        let rollups = try moveRollups()
        let sessions = try moveSessions()
        let workouts = try moveWorkouts()
        let absences = try moveAbsences()
        try movePredictions()
        try OccupancyRows.move(stretch: stretch, by: step, in: db)
        try db.execute(
            sql: "UPDATE question SET start_ms = start_ms + ?, end_ms = end_ms + ? WHERE clock = ?",
            arguments: [step, step, stretch])
        try db.execute(
            sql: """
                UPDATE alarm SET since_ms = since_ms + :step, start_ms = start_ms + :step, ended_ms = ended_ms + :step,
                  acknowledged_ms = acknowledged_ms + :step WHERE clock = :stretch
                """, arguments: ["step": step, "stretch": stretch])
        return rollups + sessions + workouts + absences
    }

    /// Moves all rollups in two steps, so that none collides with a neighbour that has not moved yet. If the new time
    /// already has sums, both rows stay with their own ids, so that receivers that add up all rollups get the node's
    /// totals.
    private mutating func moveRollups() throws -> Int {
        let length = RollupSlot.lengthMs
        // Slots begin at multiples of their length, so all of them move by the same number of slots.
        let (slots, rest) = step.quotientAndRemainder(dividingBy: length)
        let shift = (rest < 0 ? slots - 1 : slots) * length
        try db.execute(
            sql: """
                UPDATE rollup SET start_ms = start_ms + ?, rev = rev + 1, dirty = 0, clock = -clock WHERE clock = ?
                """, arguments: [shift, stretch])
        try db.execute(sql: "UPDATE rollup SET clock = -clock WHERE clock = ?", arguments: [-stretch])
        let rows = try Row.fetchAll(
            db, sql: "SELECT * FROM rollup WHERE clock = ? ORDER BY start_ms, camera", arguments: [stretch])
        for row in rows {
            let body = try RollupBody(row: row, in: db)
            let (from, to) = days(row.moment("start_ms") - shift, camera: body.camera)
            if from != to {
                for action in body.actions {
                    try DayRows.credit(
                        frames: -action.frames, seconds: -action.seconds, label: action.label, on: from, in: db)
                    try DayRows.credit(
                        frames: action.frames, seconds: action.seconds, label: action.label, on: to, in: db)
                }
                for day in [from, to] { try DayRows.revise(day, in: db) }
            }
            try append(.rollup, id: row.text("id"), rev: row.integer("rev"), body: body)
        }
        return rows.count
    }

    private mutating func moveSessions() throws -> Int {
        let rows = try Row.fetchAll(
            db, sql: "SELECT id, camera, start_ms, end_ms, fps FROM session WHERE clock = ? ORDER BY start_ms",
            arguments: [stretch])
        for row in rows { try moveSession(row) }
        return rows.count
    }

    private mutating func moveSession(_ before: Row) throws {
        let (id, camera) = (before.text("id"), before.text("camera"))
        let repetitions = try DayRepetitions(ofStored: id, day: { calendar.day(of: $0) }, in: db)
        try db.execute(
            sql: """
                UPDATE session SET start_ms = start_ms + ?, end_ms = end_ms + ?, recorded_ms = recorded_ms + ?,
                  rev = rev + 1 WHERE id = ?
                """, arguments: [step, step, step, id])
        try db.execute(
            sql: "UPDATE session_set SET start_ms = start_ms + ?, end_ms = end_ms + ? WHERE session = ?",
            arguments: [step, step, id])
        try movePoses(of: id)
        let (from, to) = days(before.moment("start_ms"), camera: camera)
        if from != to {
            try db.execute(
                sql: "UPDATE day_camera SET sessions = max(0, sessions - 1) WHERE day = ? AND camera = ?",
                arguments: [from.day, from.camera])
            try DayRows.countSessions(1, on: to, in: db)
        }
        try moveRepetitions(of: id, from: repetitions, camera: camera)
        try moveCorrections(before, camera: camera)
        guard let row = try SessionRow.fetch(id, in: db) else { return }
        try append(.session, id: id, rev: row.rev, body: SessionBody(row))
    }

    private func moveWorkouts() throws -> Int {
        let ids = try String.fetchAll(
            db, sql: "SELECT id FROM workout WHERE clock = ? ORDER BY start_ms", arguments: [stretch])
        for id in ids {
            try db.execute(
                sql: """
                    UPDATE workout SET start_ms = start_ms + :step, end_ms = end_ms + :step, until_ms = until_ms + :step,
                      rev = rev + 1 WHERE id = :id
                    """, arguments: ["step": step, "id": id])
            try db.execute(
                sql: """
                    UPDATE workout_step SET start_ms = start_ms + :step, end_ms = end_ms + :step WHERE workout = :id
                    """, arguments: ["step": step, "id": id])
            guard let stored = try StoredWorkouts.workout(id, in: db) else { continue }
            let rev = try Int.fetchOne(db, sql: "SELECT rev FROM workout WHERE id = ?", arguments: [id]) ?? 1
            try RecordLog.append(
                .workout, id: id, rev: rev, final: !stored.workout.isOpen, body: JSONText.encode(stored.body),
                wallMilliseconds: Timestamp.milliseconds(wall), clock: .synced, in: db)
        }
        return ids.count
    }

    private func moveAbsences() throws -> Int {
        try db.execute(
            sql: """
                UPDATE camera_absence SET start_ms = start_ms + ?, end_ms = end_ms + ?, rev = rev + 1 WHERE clock = ?
                """, arguments: [step, step, stretch])
        let rows = try Row.fetchAll(db, sql: "SELECT * FROM camera_absence WHERE clock = ?", arguments: [stretch])
        for row in rows {
            try RecordLog.append(
                .absence, id: row.text("id"), rev: row.integer("rev"), final: row.optionalInteger("end_ms") != nil,
                body: JSONText.encode(CameraAbsence(row)), wallMilliseconds: Timestamp.milliseconds(wall),
                clock: .synced,
                in: db)
        }
        return rows.count
    }

    /// Moves kept poses in two steps as well: first to where no other piece is.
    private func movePoses(of session: String) throws {
        let elsewhere: Int64 = 1_000_000_000_000_000
        for shift in [step + elsewhere, -elsewhere] {
            try db.execute(
                sql: "UPDATE kept_pose SET start_ms = start_ms + ?, end_ms = end_ms + ? WHERE session = ?",
                arguments: [shift, shift, session])
        }
    }

    /// Moves the repetitions of a session that has its right times by now.
    private mutating func moveRepetitions(of id: String, from before: DayRepetitions, camera: String) throws {
        let now = try DayRepetitions(ofStored: id, day: { calendar.day(of: $0) }, in: db)
        var changed = try now.credit(instead: before, camera: camera, in: db)
        let sets = try Row.fetchAll(db, sql: "SELECT * FROM session_set WHERE session = ?", arguments: [id])
        for set in sets.map(SessionSet.init) {
            let (from, to) = days(Timestamp.milliseconds(set.start) - step, camera: camera)
            guard from != to else { continue }
            if try DayRows.moveZoneUse(from: set, to: nil, on: from, in: db) { changed.insert(from) }
            if try DayRows.moveZoneUse(from: nil, to: set, on: to, in: db) { changed.insert(to) }
        }
        for day in changed { try DayRows.revise(day, in: db) }
    }

    /// Moves what people corrected, set by set. The sets have their right times by now.
    private mutating func moveCorrections(_ session: Row, camera: String) throws {
        for move in try SessionReader(db).recognised(session).moves {
            let (from, to) = days(Timestamp.milliseconds(move.set.start) - step, camera: camera)
            guard from != to else { continue }
            try move.credit(-1, on: from, in: db)
            try move.credit(1, on: to, in: db)
            for day in [from, to] {
                try DayRows.dropEmpty(on: day, in: db)
                try DayRows.revise(day, in: db)
            }
        }
    }

    /// Moves predictions, also in two steps. An existing row at the same millisecond is kept, and the moved one is
    /// dropped.
    private func movePredictions() throws {
        try db.execute(
            sql: "CREATE TEMP TABLE moving AS SELECT * FROM prediction WHERE clock = ?", arguments: [stretch])
        try db.execute(sql: "DELETE FROM prediction WHERE clock = ?", arguments: [stretch])
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO prediction(end_ms, camera, track, label, confidence, frames, clock)
                SELECT end_ms + ?, camera, track, label, confidence, frames, clock FROM temp.moving
                WHERE camera IN (SELECT id FROM name) AND label IN (SELECT id FROM name)
                """, arguments: [step])
        try db.execute(sql: "DROP TABLE temp.moving")
    }

    private func append(_ type: RecordType, id: String, rev: Int, body: some Encodable) throws {
        try RecordLog.append(
            type, id: id, rev: rev, final: true, body: JSONText.encode(body),
            wallMilliseconds: Timestamp.milliseconds(wall), clock: .synced, in: db)
    }

    /// The day of a moment before and after the correction.
    private mutating func days(_ milliseconds: Int64, camera: String) -> (DayCamera, DayCamera) {
        let moments = [milliseconds, milliseconds + step].map { Timestamp.date(milliseconds: $0) }
        let days = moments.map { DayCamera(day: calendar.day(of: $0), camera: camera) }
        return (days[0], days[1])
    }
}
