import GRDB

/// Stretches of a boot with one state of the clock. Each row with times has the number of the stretch it was written
/// in, which says the boot and whether the time can be trusted. Imported rows and rows of earlier versions have 0.
enum ClockStretch {
    /// Smaller differences do not count as setting the clock, milliseconds.
    static let smallestStepMs: Int64 = 2000

    /// An SQL condition for rows whose time can be trusted.
    static let isTrusted = "clock NOT IN (SELECT id FROM clock_stretch WHERE state = 'unsynced')"

    /// The number of the current stretch; a new one if this boot has none like it.
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

    /// Whether the time of rows with this number can be trusted.
    static func state(of stretch: Int64, in db: Database) throws -> ClockState {
        let word = try String.fetchOne(db, sql: "SELECT state FROM clock_stretch WHERE id = ?", arguments: [stretch])
        return word == ClockState.unsynced.rawValue ? .unsynced : .synced
    }

    /// Marks the rows of a stretch as correctly dated.
    static func trust(_ id: Int64, in db: Database) throws {
        try db.execute(sql: "UPDATE clock_stretch SET state = 'synced' WHERE id = ?", arguments: [id])
    }
}

/// The clock by which a run dates what it sees.
///
/// A run that began before the clock was set keeps the old time for a while, because its sources still date frames by
/// it. The node then starts again. If it cannot (a recording is playing), its cameras use the new time after 20 s.
struct RunClock {
    /// How long sources may use the old time after the clock was set.
    private static let settling = Duration.seconds(30)

    /// What the wall clock would have shown at boot, as long as the clock is not synchronised.
    private var unsyncedBase: Int64?
    private var syncedSince: ContinuousClock.Instant?

    init(unsyncedBase: Int64?) { self.unsyncedBase = unsyncedBase }

    /// The clock by which a batch was dated, and its current time.
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
