import Foundation
import GRDB
import Records

/// Rows written in one boot before the clock was set.
///
/// A machine without a battery-backed clock starts with a wrong time, until the network sets it. Rows stored until then
/// are corrected once, when the history is next opened in the same boot: their times move by the clock's step, and they
/// are recorded again with a higher revision and `clock: synced`. Such rows of an earlier boot cannot be dated; they
/// stay as they are, marked as unsynchronised.
public struct UnsyncedClockStretch: Sendable, Equatable {
    /// The number of the stretch, as the rows refer to it.
    let id: Int64
    /// The boot the rows belong to.
    public let boot: String
    /// What the wall clock would have shown at boot, milliseconds since 1970. Setting the clock changes it; the passing
    /// of time does not.
    public let base: Int64
    /// The position of the stretch's first record.
    public let fromSeq: Int64

    /// How far the clock was set since these rows were written, milliseconds; `nil` if it was not set in this boot.
    func step(_ clock: ClockReading, wall: Date) -> Int64? {
        guard clock.state == .synced, clock.boot == boot else { return nil }
        return Timestamp.milliseconds(wall) - clock.uptimeMs - base
    }

    /// The uncorrected stretches of a boot, oldest first.
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
    /// - Returns: how many records were written again.
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
    /// The newest stretch of a boot that waits for the clock to be set; `nil` if there is none.
    ///
    /// - Throws: ``HistoryError``.
    public func unsynced(boot: String = BootId.current()) throws -> UnsyncedClockStretch? {
        do { return try pool.read { try UnsyncedClockStretch.all(of: boot, in: $0).last } } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// Whether the clock was set since rows of this boot were written, so that opening the history again corrects them.
    ///
    /// - Throws: ``HistoryError``.
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
