import Actions
import Contract
import Foundation
import GRDB
import Records

/// A session that became part of another one of the same person.
struct SessionMerge: Sendable, Equatable {
    /// The session that goes on.
    let kept: String
    /// The one that is part of it now.
    let absorbed: AbsorbedSession
}

extension SessionMerge {
    /// Moves what refers to the absorbed session to the other one, and removes it. Both were written before, so that the other
    /// one holds its sets already.
    ///
    /// Receivers get a record with a higher revision that says into which session it was merged. Its earlier records are
    /// emptied, because the person's deletion of the session that goes on must reach them.
    ///
    /// - Returns: the days whose totals changed, and whether a record was written.
    func apply(_ context: Batch.Context, in db: Database) throws -> (changed: Set<DayCamera>, recorded: Bool) {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM session WHERE id = ?", arguments: [absorbed.id]) else {
            return ([], false)
        }
        // The session that goes on was deleted meanwhile, and stays so. What was stored of the other one ends here.
        guard try Bool.fetchOne(db, sql: "SELECT 1 FROM session WHERE id = ?", arguments: [kept]) == true else {
            guard row.optionalText("end_reason") == nil else { return ([], false) }
            try OrphanedSessions.close(
                row, as: .left, wallMilliseconds: context.wallMilliseconds, clock: context.clock.state, in: db)
            return ([], true)
        }
        let camera = row.text("camera")
        var changed = try takeFromDays(row, camera: camera, day: context.day, in: db)
        changed.insert(
            DayCamera(day: context.day(Timestamp.date(milliseconds: row.moment("start_ms"))), camera: camera))
        for (table, number) in [("question", true), ("set_correction", true), ("kept_pose", false)] {
            let sets = number ? ", number = number + :offset" : ""
            try db.execute(
                sql: "UPDATE OR IGNORE \(table) SET session = :kept\(sets) WHERE session = :absorbed",
                arguments: number
                    ? ["kept": kept, "absorbed": absorbed.id, "offset": absorbed.setOffset]
                    : ["kept": kept, "absorbed": absorbed.id])
        }
        try db.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [absorbed.id])
        let body = SessionDeletion.tombstone(mergedInto: kept)
        try db.execute(
            sql: "UPDATE record SET body = ? WHERE type = 'session' AND id = ?", arguments: [body, absorbed.id])
        try RecordLog.append(
            .session, id: absorbed.id, rev: row.integer("rev") + 1, final: true, body: body,
            wallMilliseconds: context.wallMilliseconds,
            clock: ClockStretch.state(of: row.position("clock"), in: db), in: db)
        return (changed, true)
    }

    /// The days hold the absorbed session's repetitions twice until this.
    private func takeFromDays(
        _ row: Row, camera: String, day: (Date) -> String, in db: Database
    ) throws -> Set<DayCamera> {
        let stored = try DayRepetitions(ofStored: absorbed.id, day: day, in: db)
        let nothing = DayRepetitions([], actions: [], end: Date(timeIntervalSince1970: 0), day: day)
        var changed = try nothing.credit(instead: stored, camera: camera, in: db)
        let sets = try Row.fetchAll(db, sql: "SELECT * FROM session_set WHERE session = ?", arguments: [absorbed.id])
        for set in sets.map(SessionSet.init) {
            let place = DayCamera(day: day(set.start), camera: camera)
            if try DayRows.moveZoneUse(from: set, to: nil, on: place, in: db) { changed.insert(place) }
        }
        let start = DayCamera(day: day(Timestamp.date(milliseconds: row.moment("start_ms"))), camera: camera)
        try DayRows.countSessions(-1, on: start, in: db)
        return changed
    }
}
