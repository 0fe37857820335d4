import Foundation
import GRDB

/// When a machine without a battery clock starts, its clock is wrong until the network has told the time. What was
/// stored meanwhile is corrected once, at the first opening after that in the same boot: moments move by the clock's
/// step, and what was recorded is recorded again with a higher revision and `clock: synced`. What an earlier boot left
/// like that can be dated by nobody: it stays as it is, marked.
public struct UnsyncedClockStretch: Sendable, Equatable {
    /// Number of the stretch, as it stands in the rows.
    let id: Int64
    /// The start of the machine they belong to.
    public let boot: String
    /// What the wall clock showed when the machine had been up for nothing, milliseconds since 1970: a step of the
    /// clock moves it, the passing of time does not.
    public let base: Int64
    /// The first record of this stretch.
    public let fromSeq: Int64

    /// How far the clock was set since these rows were written; `nil` while it was not.
    func step(_ clock: ClockReading, wall: Date) -> Int64? {
        guard clock.state == .synced, clock.boot == boot else { return nil }
        return Timestamp.milliseconds(wall) - clock.uptimeMs - base
    }

    /// What waits for its correction in a boot, oldest first.
    static func all(of boot: String, in db: Database) throws -> [UnsyncedClockStretch] {
        guard boot != BootId.unknown else { return [] }
        let sql = "SELECT * FROM clock_stretch WHERE boot = ? AND state = 'unsynced' ORDER BY id"
        return try Row.fetchAll(db, sql: sql, arguments: [boot]).map { row in
            UnsyncedClockStretch(
                id: row.position("id"), boot: boot, base: row.moment("base_ms"), fromSeq: row.position("from_seq"))
        }
    }

    /// Corrects what earlier runs of this boot stored.
    ///
    /// - Returns: how many records were written anew.
    static func correct(
        _ clock: ClockReading, wall: Date, calendar: DayCalendar, in db: Database
    ) throws -> Int {
        var count = 0
        for rows in try all(of: clock.boot, in: db) {
            guard let step = rows.step(clock, wall: wall) else { return 0 }
            if abs(step) >= ClockStretch.smallestStepMs {
                var correction = ClockCorrection(
                    stretch: rows.id, step: step, wall: wall, calendar: calendar, db: db)
                count += try correction.run()
            }
            try ClockStretch.trust(rows.id, in: db)
        }
        return count
    }
}

extension Store {
    /// What waits for the clock to be set in a boot; `nil` when nothing does.
    public func unsynced(boot: String = BootId.current()) throws -> UnsyncedClockStretch? {
        do { return try pool.read { try UnsyncedClockStretch.all(of: boot, in: $0).last } } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// Whether the clock was set since rows of this boot were written, so that opening the history anew corrects them.
    public func needsCorrection(_ clock: ClockReading = .now(), wall: Date = Date()) throws -> Bool {
        do {
            return try pool.read { db in
                try UnsyncedClockStretch.all(of: clock.boot, in: db).contains { rows in
                    abs(rows.step(clock, wall: wall) ?? 0) >= ClockStretch.smallestStepMs
                }
            }
        } catch {
            throw HistoryError(error, path: path)
        }
    }
}
