import Actions
import Foundation
import GRDB

/// Five minutes in front of one camera, beginning at a full five minutes of UTC.
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

/// Sums over five minutes, for receivers that keep time series: recorded once when the time is over, and again with a
/// higher revision should something be added later. Five minutes in which nothing was counted have none.
enum RollupRows {
    enum Choice { case finished, all }

    /// - Parameters:
    ///   - stretch: under which clock the sums were made. What a clock that nobody kept dated is never added to what a
    ///     trusted one did.
    ///   - isTrusted: whether that stretch's clock was kept right.
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

    /// Writes the records of the rollups that changed and whose time is over, or of all that changed.
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

    /// What a dead run did not come to record.
    static func recordLeftOvers(in pool: DatabasePool, wall: Date, clock: ClockState) throws {
        guard try pool.read({ try Bool.fetchOne($0, sql: "SELECT 1 FROM rollup WHERE dirty = 1") }) == true else {
            return
        }
        _ = try pool.write { db in
            try record(.all, wallMilliseconds: Timestamp.milliseconds(wall), clock: clock, in: db)
        }
    }
}

/// The `body` of a rollup record: what was counted in five minutes.
public struct RollupBody: Sendable, Codable, Equatable {
    public var camera: String
    public var start: String
    public var end: String
    public var model: String
    public var fps: Double
    public var actions: [Action]

    public struct Action: Sendable, Codable, Equatable {
        public var label: String
        public var frames: Int
        public var seconds: Double
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
