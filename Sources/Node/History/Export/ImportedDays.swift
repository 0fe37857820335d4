import Foundation
import GRDB
import Records

/// The totals of days that an import finds in the history already.
///
/// A day's totals are sums, and an import cannot tell which part of them is in the history. Two cases can be told by the sessions:
/// the export knows all of the history's sessions of that day and more has happened since, so its totals take the place of the
/// old ones; or it has sessions of its own, so what these did is added.
struct ImportedDays {
    private let db: Database
    private var calendar: DayCalendar

    /// - Parameter timeZone: the time zone by whose midnights the history divides its days.
    init(_ db: Database, timeZone: TimeZone) { (self.db, calendar) = (db, DayCalendar(timeZone: timeZone)) }

    /// Deletes the totals of a day if those of the export go on with them: the export has every stored session of the day, as it
    /// is stored, and a higher revision. The sessions of the export are imported already.
    mutating func makeRoom(for day: DayCamera, revision: Int64) throws {
        let key: StatementArguments = [day.day, day.camera]
        let stored = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT rev FROM day_camera WHERE day = ? AND camera = ?"), arguments: key)
        guard let stored, stored < revision, try isKnownToExport(day) else { return }
        for table in DayRows.tables {
            try db.execute(sql: "DELETE FROM \(table) WHERE day = ? AND camera = ?", arguments: key)
        }
    }

    private mutating func isKnownToExport(_ day: DayCamera) throws -> Bool {
        // A session of the day began within a day and a half of the day's noon in UTC, in every time zone.
        guard let noon = Timestamp.milliseconds(text: day.day + "T12:00:00.000Z") else { return false }
        let reach: Int64 = 36 * 3_600_000
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT s.start_ms, t.rev IS s.rev AS is_same FROM session s
                      LEFT JOIN temp.taken t ON t.kind = 'session' AND t.key = s.id
                    WHERE s.camera = ? AND s.start_ms BETWEEN ? AND ? AND t.is_new IS NOT 1
                    """), arguments: [day.camera, noon - reach, noon + reach])
        let own = rows.filter { calendar.day(of: Timestamp.date(milliseconds: $0.moment("start_ms"))) == day.day }
        return !own.isEmpty && own.allSatisfy { $0.integer("is_same") == 1 }
    }

    /// Adds the imported sessions to those of their days that were there before and whose totals stayed.
    ///
    /// - Returns: the number of days that changed.
    mutating func addSessions() throws -> Int {
        let old = try Set(
            String.fetchAll(
                db,
                sql: """
                    SELECT day || ' ' || camera FROM day_camera
                    EXCEPT SELECT key FROM temp.taken WHERE kind = 'day' AND is_new = 1
                    """))
        guard !old.isEmpty else { return 0 }
        let sessions = try Row.fetchCursor(
            db,
            sql: """
                SELECT s.* FROM temp.taken t JOIN session s ON s.id = t.key
                WHERE t.kind = 'session' AND t.is_new = 1
                """)
        var changed: Set<DayCamera> = []
        while let session = try sessions.next() {
            let isOld = { (day: String) in old.contains("\(day) \(session.text("camera"))") }
            changed.formUnion(try add(session, toDays: isOld))
        }
        for day in changed { try DayRows.revise(day, in: db) }
        return changed.count
    }

    private mutating func add(_ session: Row, toDays isOld: (String) -> Bool) throws -> Set<DayCamera> {
        var calendar = self.calendar
        defer { self.calendar = calendar }
        let (id, camera) = (session.text("id"), session.text("camera"))
        let first = calendar.day(of: Timestamp.date(milliseconds: session.moment("start_ms")))
        let last = calendar.day(of: Timestamp.date(milliseconds: session.moment("end_ms")))
        guard isOld(first) || isOld(last) else { return [] }
        let recognised = try SessionReader(db).recognised(session)
        let none = DayRepetitions([], actions: [], end: .distantPast) { _ in first }
        let repetitions = try DayRepetitions(ofStored: id, day: { calendar.day(of: $0) }, in: db).filtered(isOld)
        var changed = try repetitions.credit(instead: none, camera: camera, in: db)
        for set in recognised.sets {
            let day = DayCamera(day: calendar.day(of: set.start), camera: camera)
            guard isOld(day.day) else { continue }
            _ = try DayRows.moveZoneUse(from: nil, to: set, on: day, in: db)
        }
        let moves = recognised.moves.filter { isOld(calendar.day(of: $0.set.start)) }
        changed.formUnion(try SetMove.credit([], moves, camera: camera, day: { calendar.day(of: $0) }, in: db))
        guard isOld(first) else { return changed }
        // Which of a session's frames belong to the day after it is not stored.
        let day = DayCamera(day: first, camera: camera)
        try DayRows.countSessions(1, on: day, in: db)
        for action in recognised.actions {
            try DayRows.credit(frames: action.frames, seconds: action.seconds, label: action.label, on: day, in: db)
        }
        return changed.union([day])
    }
}
