import Actions
import Contract
import Foundation
import GRDB
import Records

/// The corrections of sessions that are in the history already: people corrected them after an earlier export.
///
/// The sessions stay as they are. Their corrections, and with them the totals of the days, follow the export with the higher
/// revision, as long as it has the same sets.
struct ImportedCorrections {
    private let db: Database
    private var calendar: DayCalendar
    /// What the export says of the sessions that it knows in a higher revision, by their ids.
    private var later: [String: (revision: Int64, sets: Int, corrections: [Int: Made])] = [:]

    /// A correction, and when it was made, in milliseconds since 1970.
    private struct Made {
        let correction: SetCorrection
        let milliseconds: Int64
    }

    /// - Parameter timeZone: the time zone by whose midnights the history divides its days.
    init(_ db: Database, timeZone: TimeZone) { (self.db, calendar) = (db, DayCalendar(timeZone: timeZone)) }

    /// Takes over a session of the export that is in the history.
    mutating func note(session row: ExportRow) throws {
        guard case .text(let id) = row["id"], case .integer(let revision) = row["rev"] else { return }
        let stored = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT rev FROM session WHERE id = ? AND end_reason IS NOT NULL"), arguments: [id])
        if let stored, stored < revision { later[id] = (revision, 0, [:]) }
    }

    /// Takes over a set of the export. One that the history does not have means that the session has changed otherwise.
    mutating func note(set row: ExportRow) throws {
        guard case .text(let id) = row["session"], later[id] != nil, case .integer(let number) = row["number"],
            case .text(let label) = row["label"], case .integer(let reps) = row["reps"]
        else { return }
        let isStored = try Bool.fetchOne(
            db.cachedStatement(
                sql: "SELECT 1 FROM session_set WHERE session = ? AND number = ? AND label = ? AND reps = ?"),
            arguments: [id, number, label, reps])
        if isStored == true { later[id]?.sets += 1 } else { later[id] = nil }
    }

    /// Takes over a correction of the export.
    mutating func note(correction row: ExportRow) {
        guard case .text(let id) = row["session"], later[id] != nil, case .integer(let number) = row["number"],
            case .text(let label) = row["label"], case .integer(let reps) = row["reps"],
            case .text(let made) = row["made"], let milliseconds = Timestamp.milliseconds(text: made)
        else { return }
        let correction = SetCorrection(
            label: label, reps: Int(reps), loadKg: Self.number(row["load_kg"]), rpe: Self.number(row["rpe"]))
        later[id]?.corrections[Int(number)] = Made(correction: correction, milliseconds: milliseconds)
    }

    private static func number(_ value: ExportValue) -> Double? {
        switch value {
        case .number(let number): number
        case .integer(let number): Double(number)
        default: nil
        }
    }

    /// Stores what was taken over. The totals of days that come with the export must come after this.
    ///
    /// - Returns: how many sets changed, how many of them by a correction of the export, and how many days changed by it.
    mutating func apply() throws -> (sets: Int, corrections: Int, days: Int) {
        var days: Set<DayCamera> = []
        var (sets, stored) = (0, 0)
        for (id, told) in later.sorted(by: { $0.key < $1.key }) {
            let row = try Row.fetchOne(db, sql: "SELECT * FROM session WHERE id = ?", arguments: [id])
            guard let row else { continue }
            let before = try SessionReader(db).recognised(row)
            guard before.sets.count == told.sets else { continue }
            let numbers = Set(before.corrections.keys).union(told.corrections.keys)
            for number in numbers {
                let made = told.corrections[number]
                guard before.corrections[number] != made?.correction else { continue }
                try SetCorrection.store(
                    made?.correction, set: number, session: id, wallMilliseconds: made?.milliseconds ?? 0, in: db)
                sets += 1
                stored += made == nil ? 0 : 1
            }
            try db.execute(sql: "UPDATE session SET rev = ? WHERE id = ?", arguments: [told.revision, id])
            let after = try SessionReader(db).recognised(row)
            var calendar = self.calendar
            days.formUnion(
                try SetMove.credit(
                    before.moves, after.moves, camera: row.text("camera"), day: { calendar.day(of: $0) }, in: db))
            self.calendar = calendar
        }
        later = [:]
        for day in days {
            try DayRows.dropEmpty(on: day, in: db)
            try DayRows.revise(day, in: db)
        }
        return (sets, stored, days.count)
    }
}
