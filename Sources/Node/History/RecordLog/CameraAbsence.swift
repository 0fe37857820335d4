import Contract
import Foundation
import GRDB
import Records

extension CameraAbsence {
    init(_ row: Row) {
        self.init(
            camera: row.text("camera"), start: Timestamp.text(milliseconds: row.moment("start_ms")),
            end: row.optionalInteger("end_ms") == nil ? nil : Timestamp.text(milliseconds: row.moment("end_ms")),
            reason: row.text("reason"))
    }
}

/// Something that begins or ends an absence.
public enum CameraPresence: Sendable, Equatable {
    /// The camera delivers no pictures from `at` on.
    case gone(camera: String, at: Date, reason: String)
    /// It delivers pictures.
    case present(camera: String, at: Date)
    /// Only these cameras are configured. What is open of others ends.
    case watched(cameras: [String], at: Date)
}

/// Writes absences. A camera has at most one that has not ended.
enum CameraAbsenceRows {
    /// - Returns: the number of records written.
    static func write(
        _ change: CameraPresence, clock: ClockState, stretch: Int64, wallMilliseconds: Int64, in db: Database
    ) throws -> Int {
        switch change {
        case .gone(let camera, let at, let reason):
            let open = try open(camera, in: db)
            // One outage has many failed attempts, with several reasons. Only a switch makes it another absence.
            let isSwitch = { (reason: String) in reason == CameraAbsence.switchedOff }
            if let open, isSwitch(open.text("reason")) == isSwitch(reason) { return 0 }
            var count = 0
            if let open { count += try end(open, at, clock, wallMilliseconds, in: db) }
            let start = Timestamp.milliseconds(at)
            let id = UUIDv7.string(at: at)
            try db.execute(
                sql: "INSERT INTO camera_absence(id, camera, start_ms, reason, rev, clock) VALUES(?, ?, ?, ?, 1, ?)",
                arguments: [id, camera, start, reason, stretch])
            try record(id, rev: 1, isFinal: false, clock, wallMilliseconds, in: db)
            return count + 1
        case .present(let camera, let at):
            return try open(camera, in: db).map { try end($0, at, clock, wallMilliseconds, in: db) } ?? 0
        case .watched(let cameras, let at):
            let rows = try Row.fetchAll(db, sql: "SELECT * FROM camera_absence WHERE end_ms IS NULL")
            let gone = rows.filter { !cameras.contains($0.text("camera")) }
            return try gone.reduce(0) { try $0 + end($1, at, clock, wallMilliseconds, in: db) }
        }
    }

    private static func open(_ camera: String, in db: Database) throws -> Row? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT * FROM camera_absence WHERE camera = ? AND end_ms IS NULL"),
            arguments: [camera])
    }

    private static func end(
        _ open: Row, _ at: Date, _ clock: ClockState, _ wallMilliseconds: Int64, in db: Database
    ) throws -> Int {
        let id = open.text("id")
        try db.execute(
            sql: "UPDATE camera_absence SET end_ms = max(start_ms, ?), rev = rev + 1 WHERE id = ?",
            arguments: [Timestamp.milliseconds(at), id])
        // An absence is dated by the clock it began under.
        let began = try ClockStretch.state(of: open.position("clock"), in: db)
        try record(
            id, rev: open.integer("rev") + 1, isFinal: true, began == .synced ? clock : .unsynced, wallMilliseconds,
            in: db)
        return 1
    }

    private static func record(
        _ id: String, rev: Int, isFinal: Bool, _ clock: ClockState, _ wallMilliseconds: Int64, in db: Database
    ) throws {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM camera_absence WHERE id = ?", arguments: [id]) else {
            return
        }
        try RecordLog.append(
            .absence, id: id, rev: rev, final: isFinal, body: JSONText.encode(CameraAbsence(row)),
            wallMilliseconds: wallMilliseconds, clock: clock, in: db)
    }
}

extension HistoryQuery {
    /// Passes the absences of cameras that lie in the filter's span or reach into it to `each`, newest first. A history
    /// from before they were stored has none.
    ///
    /// - Returns: how many were passed on, and how many there are.
    /// - Throws: ``HistoryError``, or the error of `each`.
    @discardableResult
    public func absences(
        _ filter: HistoryFilter = HistoryFilter(), each: (CameraAbsence) throws -> Void
    ) throws -> RowCount {
        try read { db in
            guard try db.tableExists("camera_absence") else { return RowCount(shown: 0, found: 0) }
            var condition = SQLCondition()
            condition.add("(end_ms IS NULL OR end_ms >= ?)", filter.since.map(Timestamp.milliseconds))
            condition.add("start_ms < ?", filter.until.map(Timestamp.milliseconds))
            condition.add("camera = ?", filter.camera)
            return try db.pass(
                "*", "FROM camera_absence WHERE \(condition.sql)", order: "start_ms DESC, id DESC",
                condition.arguments, limit: filter.limit
            ) { try each(CameraAbsence($0)) }
        }
    }
}
