import Actions
import GRDB
import Records

/// One day of one camera.
struct DayCamera: Hashable {
    let day: String
    let camera: String
}

/// Adds to the totals of a day. All of them are sums, so a batch must be applied exactly once.
enum DayRows {
    /// The tables with the totals of days.
    static let tables = ["day_camera", "day_action", "day_excluded", "day_zone"]

    static func credit(
        frames: Int, seconds: Double, label: String, on day: DayCamera, in db: Database
    ) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO day_action(day, camera, label, frames, seconds) VALUES(?, ?, ?, ?, ?)
                ON CONFLICT(day, camera, label) DO UPDATE
                SET frames = frames + excluded.frames, seconds = seconds + excluded.seconds
                """
        ).execute(arguments: [day.day, day.camera, label, frames, seconds])
    }

    /// Adds repetitions. `reps` is negative when a session's count was corrected downwards.
    static func addReps(_ reps: Int, label: String, on day: DayCamera, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO day_action(day, camera, label, reps) VALUES(?, ?, ?, ?)
                ON CONFLICT(day, camera, label) DO UPDATE SET reps = ifnull(reps, 0) + excluded.reps
                """
        ).execute(arguments: [day.day, day.camera, label, reps])
    }

    /// Adds a set to the use of its zone: what changed since it was stored last.
    ///
    /// - Parameters:
    ///   - old: the set as it is stored; `nil` for a new one.
    ///   - new: the set as it is now; `nil` takes it out.
    /// - Returns: whether the use of any zone changed.
    static func moveZoneUse(
        from old: SessionSet?, to new: SessionSet?, on day: DayCamera, in db: Database
    ) throws -> Bool {
        let before = old.map(ZoneUse.init), now = new.map(ZoneUse.init)
        guard before != now else { return false }
        if let before { try add(before, times: -1, on: day, in: db) }
        if let now { try add(now, times: 1, on: day, in: db) }
        return before?.zone != nil || now?.zone != nil
    }

    private static func add(_ use: ZoneUse, times: Int, on day: DayCamera, in db: Database) throws {
        guard let zone = use.zone else { return }
        try db.cachedStatement(
            sql: """
                INSERT INTO day_zone(day, camera, zone, sets, reps, seconds) VALUES(?, ?, ?, ?, ?, ?)
                ON CONFLICT(day, camera, zone) DO UPDATE SET sets = sets + excluded.sets,
                  reps = reps + excluded.reps, seconds = seconds + excluded.seconds
                """
        ).execute(arguments: [
            day.day, day.camera, zone, times, times * use.reps, Double(times) * use.seconds,
        ])
    }

    /// What one set adds to the use of its zone.
    private struct ZoneUse: Equatable {
        let zone: String?
        let reps: Int
        let seconds: Double

        init(_ set: SessionSet) {
            zone = set.zone
            reps = set.reps
            let milliseconds = Timestamp.milliseconds(set.end) - Timestamp.milliseconds(set.start)
            seconds = max(0, Double(milliseconds) / 1000)
        }
    }

    static func exclude(frames: Int, reason: String, on day: DayCamera, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO day_excluded(day, camera, reason, frames) VALUES(?, ?, ?, ?)
                ON CONFLICT(day, camera, reason) DO UPDATE SET frames = frames + excluded.frames
                """
        ).execute(arguments: [day.day, day.camera, reason, frames])
    }

    /// Adds to the number of sessions that began on a day.
    static func countSessions(_ count: Int, on day: DayCamera, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO day_camera(day, camera, sessions) VALUES(?, ?, ?)
                ON CONFLICT(day, camera) DO UPDATE SET sessions = max(0, sessions + excluded.sessions)
                """
        ).execute(arguments: [day.day, day.camera, count])
    }

    /// Removes what corrections left empty: counts of 0, as if they had never been counted, and labels without anything.
    /// A label with less than nothing stays, because its rest is on the neighbouring day.
    static func dropEmpty(on day: DayCamera, in db: Database) throws {
        let key: StatementArguments = [day.day, day.camera]
        try db.execute(
            sql: "UPDATE day_action SET reps = NULL WHERE day = ? AND camera = ? AND reps = 0", arguments: key)
        try db.execute(
            sql: """
                DELETE FROM day_action
                WHERE day = ? AND camera = ? AND frames = 0 AND abs(seconds) < 0.0005 AND reps IS NULL
                """, arguments: key)
    }

    /// Increments the day's revision, by which receivers notice changes.
    static func revise(_ day: DayCamera, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO day_camera(day, camera, rev) VALUES(?, ?, 1)
                ON CONFLICT(day, camera) DO UPDATE SET rev = rev + 1
                """
        ).execute(arguments: [day.day, day.camera])
    }
}
