import Actions
import Foundation
import GRDB
import Records

/// Somebody lay on the floor and did not move.
package struct Alarm: Sendable, Equatable, Codable {
    /// The alarm's id, a UUIDv7.
    package let id: String
    /// The camera that saw it.
    package let camera: String
    /// The zone; `nil` outside all zones.
    package let zone: String?
    /// What was seen before: a fall, or nothing.
    package let cause: LyingPerson.Cause
    /// Since when the person lay there.
    package let since: Date
    /// When the alarm was raised.
    package let raised: Date
    /// When the person was seen to be up again; `nil` until then.
    package var ended: Date?
    /// When an operator acknowledged it; `nil` until then.
    package var acknowledged: Date?

    /// A new alarm.
    package init(
        id: String, camera: String, zone: String?, cause: LyingPerson.Cause, since: Date, raised: Date,
        ended: Date? = nil, acknowledged: Date? = nil
    ) {
        (self.id, self.camera, self.zone, self.cause) = (id, camera, zone, cause)
        (self.since, self.raised, self.ended, self.acknowledged) = (since, raised, ended, acknowledged)
    }

    /// Whether somebody must look: nobody has acknowledged it, and the person is not up again.
    package var isOpen: Bool { ended == nil && acknowledged == nil }

    /// What to do.
    package var advice: String {
        let verb = cause == .fall ? "fell" : "lies"
        let place = zone.map { " in \($0)" } ?? ""
        return "Somebody \(verb)\(place) and does not move. Look at once, and acknowledge the alarm."
    }
}

extension Alarm {
    /// The schema of an alarm.
    package static let schema = Schema.object([
        ("id", .required(.uuid)), ("camera", .required(.id)), ("zone", .optional(.id)),
        (
            "cause",
            .required(
                .text(words: LyingPerson.Cause.allCases.map(\.rawValue)),
                "fall: the person fell. still: the person lay there for long.")
        ),
        ("since", .required(.moment, "Since when the person lay there.")),
        ("raised", .required(.moment, "When the alarm was raised.")),
        ("ended", .optional(.moment, "When the person was seen to be up again.")),
        ("acknowledged", .optional(.moment, "When an operator acknowledged it.")),
    ])
}

extension Alarm {
    init?(_ row: Row) {
        guard let cause = LyingPerson.Cause(rawValue: row.text("cause")) else { return nil }
        func moment(_ column: String) -> Date? {
            row.optionalInteger(column) == nil ? nil : Timestamp.date(milliseconds: row.moment(column))
        }
        self.init(
            id: row.text("id"), camera: row.text("camera"), zone: row.optionalText("zone"), cause: cause,
            since: Timestamp.date(milliseconds: row.moment("since_ms")),
            raised: Timestamp.date(milliseconds: row.moment("start_ms")), ended: moment("ended_ms"),
            acknowledged: moment("acknowledged_ms"))
    }
}

extension HistoryQuery {
    /// Passes the alarms that were raised in the filter's span to `each`, newest first. A history from before they were
    /// stored has none.
    ///
    /// - Returns: how many were passed on, and how many there are.
    /// - Throws: ``HistoryError``, or the error of `each`.
    @discardableResult
    package func alarms(
        _ filter: HistoryFilter = HistoryFilter(), onlyOpen: Bool = false, each: (Alarm) throws -> Void
    ) throws -> RowCount {
        try read { db in
            guard try db.tableExists("alarm") else { return RowCount(shown: 0, found: 0) }
            var condition = filter.startCondition()
            condition.add("zone = ?", filter.zone)
            let open = onlyOpen ? " AND ended_ms IS NULL AND acknowledged_ms IS NULL" : ""
            return try db.pass(
                "*", "FROM alarm WHERE (\(condition.sql))\(open)", order: "start_ms DESC, id DESC",
                condition.arguments, limit: filter.limit
            ) { row in try Alarm(row).map(each) }
        }
    }
}

extension HistoryQuery {
    /// The alarms that somebody must look at.
    ///
    /// - Throws: ``HistoryError``.
    package func openAlarms() throws -> [Alarm] {
        var open: [Alarm] = []
        try alarms(onlyOpen: true) { open.append($0) }
        return open
    }
}

extension Store {
    /// Acknowledges open alarms, where no node runs that would do it.
    ///
    /// - Throws: ``HistoryError``; nothing is stored then.
    package func acknowledge(_ alarms: [Alarm], at moment: Date) throws {
        try save(
            alarms.map { alarm in
                var alarm = alarm
                alarm.acknowledged = moment
                return alarm
            })
    }

    /// Stores alarms: new ones, and what has changed of others.
    ///
    /// - Parameters:
    ///   - wall: the current time.
    ///   - clock: the state of the machine's clock, by which the alarms are dated.
    /// - Throws: ``HistoryError``; nothing is stored then.
    package func save(_ alarms: [Alarm], wall: Date = Date(), clock: ClockReading = .now()) throws {
        try write { db in
            let stretch = try ClockStretch.current(clock, wallMilliseconds: Timestamp.milliseconds(wall), in: db)
            for alarm in alarms {
                try db.execute(
                    // Whoever stores an end does not know of an acknowledgement in the same moment, nor the other way round.
                    sql: """
                        INSERT INTO alarm VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)
                        ON CONFLICT(id) DO UPDATE SET ended_ms = coalesce(excluded.ended_ms, ended_ms),
                          acknowledged_ms = coalesce(excluded.acknowledged_ms, acknowledged_ms)
                        """,
                    arguments: [
                        alarm.id, alarm.camera, alarm.zone, alarm.cause.rawValue, Timestamp.milliseconds(alarm.since),
                        Timestamp.milliseconds(alarm.raised), alarm.ended.map(Timestamp.milliseconds),
                        alarm.acknowledged.map(Timestamp.milliseconds), stretch,
                    ])
            }
        }
    }

    /// Deletes alarms that were raised before a moment, or while the file is nearly full the oldest. Open ones stay.
    ///
    /// - Parameter moment: milliseconds since 1970; `nil` to make room.
    func deleteAlarms(before moment: Int64?) throws -> Int {
        let age = moment == nil ? "" : "AND \(ClockStretch.isTrusted) "
        return try delete(
            """
            DELETE FROM alarm WHERE id IN
              (SELECT id FROM alarm WHERE start_ms < ? \(age)AND (ended_ms IS NOT NULL OR acknowledged_ms IS NOT NULL)
               ORDER BY start_ms LIMIT ?)
            """, [moment ?? .max, Self.slice])
    }
}
