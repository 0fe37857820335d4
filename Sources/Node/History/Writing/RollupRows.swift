import Actions
import Contract
import Foundation
import GRDB
import Records

/// Five minutes of one camera, beginning at a multiple of five minutes in UTC.
struct RollupSlot: Hashable {
    static let lengthMs: Int64 = 300_000
    let startMilliseconds: Int64
    let camera: String
    var endMilliseconds: Int64 { startMilliseconds + Self.lengthMs }

    init(holding milliseconds: Int64, camera: String) {
        let remainder = milliseconds % Self.lengthMs
        startMilliseconds = milliseconds - (remainder < 0 ? remainder + Self.lengthMs : remainder)
        self.camera = camera
    }
}

/// Five-minute sums, for receivers that keep time series. A rollup is recorded when its time is over, and again with a
/// higher revision if something is added later. Five minutes without counted frames have no rollup.
enum RollupRows {
    enum Choice { case finished, all }

    /// Adds sums to the rollup of a slot.
    ///
    /// - Parameters:
    ///   - stretch: the clock stretch of the sums. Sums dated by an unsynchronised clock are never added to those of a
    ///     trusted one.
    ///   - isTrusted: whether the stretch's clock was synchronised.
    static func add(
        _ sums: [String: FrameSum], to slot: RollupSlot, model: ModelStamp, stretch: Int64, isTrusted: Bool,
        in db: Database
    ) throws {
        let known = try String.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT id FROM rollup WHERE start_ms = ? AND camera = ?
                      AND \(isTrusted ? ClockStretch.isTrusted : "clock = ?") ORDER BY clock LIMIT 1
                    """),
            arguments: [slot.startMilliseconds, slot.camera] + (isTrusted ? [] : [stretch]))
        let id = known ?? UUIDv7.string(at: Timestamp.date(milliseconds: slot.startMilliseconds))
        if known != nil {
            try db.cachedStatement(sql: "UPDATE rollup SET dirty = 1 WHERE id = ?").execute(arguments: [id])
        } else {
            try db.cachedStatement(
                sql: "INSERT INTO rollup(start_ms, camera, id, model, fps, clock) VALUES(?, ?, ?, ?, ?, ?)"
            ).execute(arguments: [
                slot.startMilliseconds, slot.camera, id, model.id, model.framesPerSecond, stretch,
            ])
        }
        for (label, sum) in sums {
            try db.cachedStatement(
                sql: """
                    INSERT INTO rollup_action(rollup, label, frames, seconds) VALUES(?, ?, ?, ?)
                    ON CONFLICT(rollup, label) DO UPDATE
                    SET frames = frames + excluded.frames, seconds = seconds + excluded.seconds
                    """
            ).execute(arguments: [id, label, sum.frames, sum.seconds])
        }
    }

    /// Records the changed rollups: those whose time is over, or all.
    ///
    /// - Returns: how many.
    static func record(
        _ choice: Choice, wallMilliseconds: Int64, clock: ClockState, in db: Database
    ) throws -> Int {
        let latest = choice == .all ? Int64.max : wallMilliseconds - RollupSlot.lengthMs
        let rows = try Row.fetchAll(
            db, sql: "SELECT * FROM rollup WHERE dirty = 1 AND start_ms <= ? ORDER BY start_ms", arguments: [latest])
        for row in rows {
            let body = try RollupBody(row: row, in: db)
            let (id, rev, start) = (row.text("id"), row.integer("rev"), row.moment("start_ms"))
            let isTrusted = try ClockStretch.state(of: row.position("clock"), in: db) == .synced
            try db.execute(sql: "UPDATE rollup SET rev = rev + 1, dirty = 0 WHERE id = ?", arguments: [id])
            try RecordLog.append(
                .rollup, id: id, rev: rev + 1, final: start + RollupSlot.lengthMs <= wallMilliseconds,
                body: JSONText.encode(body), wallMilliseconds: wallMilliseconds, clock: isTrusted ? clock : .unsynced,
                in: db)
        }
        return rows.count
    }

    /// Records what a crashed run left unrecorded.
    static func recordLeftOvers(in pool: DatabasePool, wall: Date, clock: ClockState) throws {
        guard try pool.read({ try Bool.fetchOne($0, sql: "SELECT 1 FROM rollup WHERE dirty = 1") }) == true else {
            return
        }
        _ = try pool.write { db in
            try record(.all, wallMilliseconds: Timestamp.milliseconds(wall), clock: clock, in: db)
        }
    }
}

extension RollupBody {
    init(row: Row, in db: Database) throws {
        let start = row.moment("start_ms")
        let actions = try Row.fetchAll(
            db, sql: "SELECT label, frames, seconds FROM rollup_action WHERE rollup = ? ORDER BY label",
            arguments: [row.text("id")])
        self.init(
            camera: row.text("camera"), start: Timestamp.text(milliseconds: start),
            end: Timestamp.text(milliseconds: start + RollupSlot.lengthMs), model: row.text("model"),
            fps: row.number("fps"),
            actions: actions.map {
                Action(
                    label: $0.text("label"), frames: $0.integer("frames"),
                    seconds: $0.number("seconds").rounded(decimals: 3))
            })
    }
}
