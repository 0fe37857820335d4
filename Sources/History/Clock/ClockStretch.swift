import GRDB

/// A stretch of one boot under one state of its clock. Each row with moments carries the number of the stretch it was
/// written in, so that it knows its boot and whether its time can be believed; 0 is for rows that were imported or are
/// from before they knew.
enum ClockStretch {
    /// Clocks that differ by less are one clock that is kept right.
    static let smallestStepMs: Int64 = 2000

    /// A condition on the rows whose time can be believed.
    static let isTrusted = "clock NOT IN (SELECT id FROM clock_stretch WHERE state = 'unsynced')"

    /// The number of the stretch that now is; a new one where this boot had none like it.
    static func current(_ clock: ClockReading, wallMilliseconds: Int64, in db: Database) throws -> Int64 {
        let base = wallMilliseconds - clock.uptimeMs
        let known = try Int64.fetchOne(
            db,
            sql: """
                SELECT id FROM clock_stretch
                WHERE boot = ? AND state = ? AND (state = 'synced' OR abs(base_ms - ?) < ?) ORDER BY id DESC LIMIT 1
                """, arguments: [clock.boot, clock.state.rawValue, base, smallestStepMs])
        if let known { return known }
        let last = try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'record'") ?? 0
        try db.execute(
            sql: "INSERT INTO clock_stretch(boot, state, base_ms, from_seq) VALUES(?, ?, ?, ?)",
            arguments: [clock.boot, clock.state.rawValue, base, last.clamped + 1])
        return db.lastInsertedRowID
    }

    /// Whether the time of rows of this number can be believed.
    static func state(of stretch: Int64, in db: Database) throws -> ClockState {
        let word = try String.fetchOne(db, sql: "SELECT state FROM clock_stretch WHERE id = ?", arguments: [stretch])
        return word == ClockState.unsynced.rawValue ? .unsynced : .synced
    }

    /// The rows of these stretches have their right time.
    static func trust(_ id: Int64, in db: Database) throws {
        try db.execute(sql: "UPDATE clock_stretch SET state = 'synced' WHERE id = ?", arguments: [id])
    }
}

/// By which clock a run dates what it sees.
///
/// A run that began while nobody kept the clock goes on by that clock, also right after it was set: its sources were
/// dated before. It begins anew then; where it cannot (a recording plays), its cameras follow the new time after 20 s.
struct RunClock {
    /// How long sources may go on by the time from before the clock was set.
    private static let settling = Duration.seconds(30)

    /// What the wall clock showed when the machine had been up for nothing, as long as nobody keeps the clock.
    private var unsyncedBase: Int64?
    private var syncedSince: ContinuousClock.Instant?

    init(unsyncedBase: Int64?) { self.unsyncedBase = unsyncedBase }

    /// The clock that a batch was dated by, and its time now.
    mutating func reading(
        _ kernel: ClockReading, wallMilliseconds: Int64, now: ContinuousClock.Instant
    ) -> (clock: ClockReading, wallMilliseconds: Int64) {
        guard kernel.state == .synced else {
            unsyncedBase = wallMilliseconds - kernel.uptimeMs
            syncedSince = nil
            return (kernel, wallMilliseconds)
        }
        guard let base = unsyncedBase else { return (kernel, wallMilliseconds) }
        let step = wallMilliseconds - kernel.uptimeMs - base
        let since = syncedSince ?? now
        syncedSince = since
        guard abs(step) >= ClockStretch.smallestStepMs, now - since < Self.settling else {
            unsyncedBase = nil
            return (kernel, wallMilliseconds)
        }
        var clock = kernel
        clock.state = .unsynced
        return (clock, base + kernel.uptimeMs)
    }
}
