import GRDB

/// Writes how full the floor was. Rows of a trusted clock have the clock 0; the others are moved once their clock is set.
enum OccupancyRows {
    static func add(_ sum: OccupancySum, to slot: OccupancySlot, stretch: Int64, isTrusted: Bool, in db: Database)
        throws
    {
        let clock = isTrusted ? 0 : stretch
        try db.cachedStatement(
            sql: """
                INSERT INTO occupancy(start_ms, camera, clock, watched_seconds, person_seconds, most, most_of_all)
                VALUES(?, ?, ?, ?, ?, ?, ?) \(merging)
                """
        ).execute(arguments: [
            slot.startMilliseconds, slot.camera, clock, sum.watchedSeconds, sum.personSeconds, sum.most, sum.mostOfAll,
        ])
        for (name, zone) in sum.zones {
            try db.cachedStatement(
                sql: """
                    INSERT INTO occupancy_zone(start_ms, camera, zone, clock, person_seconds, waiting_seconds, most)
                    VALUES(?, ?, ?, ?, ?, ?, ?) \(mergingZones)
                    """
            ).execute(arguments: [
                slot.startMilliseconds, slot.camera, name, clock, zone.personSeconds, zone.waitingSeconds, zone.most,
            ])
        }
    }

    /// Moves the rows of a stretch whose clock was set, and adds them to what is there. Slots begin at multiples of their
    /// length, so all of them move by the same number of slots.
    ///
    /// - Parameter step: how far the clock was set, milliseconds.
    static func move(stretch: Int64, by step: Int64, in db: Database) throws {
        let length = OccupancySlot.lengthMs
        let (slots, rest) = step.quotientAndRemainder(dividingBy: length)
        let shift = (rest * 2 >= length ? slots + 1 : rest * 2 < -length ? slots - 1 : slots) * length
        for (table, columns, merging) in [
            ("occupancy", "watched_seconds, person_seconds, most, most_of_all", merging),
            ("occupancy_zone", "zone, person_seconds, waiting_seconds, most", mergingZones),
        ] {
            try db.execute(
                sql: "CREATE TEMP TABLE moving AS SELECT * FROM \(table) WHERE clock = ?", arguments: [stretch])
            try db.execute(sql: "DELETE FROM \(table) WHERE clock = ?", arguments: [stretch])
            // Without WHERE, SQLite takes ON CONFLICT for the condition of a join.
            try db.execute(
                sql: """
                    INSERT INTO \(table)(start_ms, camera, clock, \(columns))
                    SELECT start_ms + ?, camera, 0, \(columns) FROM temp.moving WHERE 1 \(merging)
                    """, arguments: [shift])
            try db.execute(sql: "DROP TABLE temp.moving")
        }
    }

    private static let merging = """
        ON CONFLICT(start_ms, camera, clock) DO UPDATE SET watched_seconds = watched_seconds + excluded.watched_seconds,
          person_seconds = person_seconds + excluded.person_seconds, most = max(most, excluded.most),
          most_of_all = max(most_of_all, excluded.most_of_all)
        """
    private static let mergingZones = """
        ON CONFLICT(start_ms, camera, zone, clock) DO UPDATE SET
          person_seconds = person_seconds + excluded.person_seconds,
          waiting_seconds = waiting_seconds + excluded.waiting_seconds, most = max(most, excluded.most)
        """
}
