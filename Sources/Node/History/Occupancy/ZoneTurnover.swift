import Contract
import Foundation
import GRDB
import Records

/// How zones change hands. A use is the time from a person's first set in a zone to their last one there, within a session.
struct ZoneTurnover {
    /// The number of uses.
    private(set) var uses = 0
    /// The median length of a use, seconds; `nil` without uses.
    private(set) var useSeconds: Double?
    /// The median time between two uses on the same day, seconds; `nil` without two uses. Uses at the same time have none.
    private(set) var idleSeconds: Double?

    /// The zones that were used, by camera and name. A set that people corrected away is no use.
    static func all(
        _ filter: HistoryFilter, zone: TimeZone, in db: Database
    ) throws -> [ZonePlace: ZoneTurnover] {
        var condition = SQLCondition()
        condition.add("b.zone IS NOT NULL")
        condition.add("b.start_ms >= ?", filter.since.map(Timestamp.milliseconds))
        condition.add("b.start_ms < ?", filter.until.map(Timestamp.milliseconds))
        condition.add("camera = ?", filter.camera)
        condition.add("b.zone = ?", filter.zone)
        let nothing = """
            (b.session, b.number) NOT IN
              (SELECT session, number FROM \(try SetCorrection.table(in: db)) WHERE label = '\(SetCorrection.nothing)')
            """
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT camera, b.zone AS zone, min(b.start_ms) AS start, max(b.end_ms) AS end
                FROM session_set b CROSS JOIN session ON session.id = b.session
                WHERE \(condition.sql) AND \(nothing) GROUP BY b.session, b.zone
                """, arguments: condition.arguments)
        var uses: [ZonePlace: [Range<Int64>]] = [:]
        while let row = try rows.next() {
            let start = Int64(row.number(at: 2))
            uses[ZonePlace(camera: row.text("camera"), zone: row.text("zone")), default: []]
                .append(start..<max(start, Int64(row.number(at: 3))))
        }
        let first = uses.values.lazy.flatMap { $0 }.map(\.lowerBound).min() ?? 0
        let last = uses.values.lazy.flatMap { $0 }.map(\.upperBound).max() ?? 0
        let hours = LocalHours(zone, from: first, to: last)
        return uses.mapValues { ZoneTurnover($0.sorted { $0.lowerBound < $1.lowerBound }, hours) }
    }

    /// - Parameter spans: the uses of one zone, milliseconds since 1970, by their beginning.
    private init(_ spans: [Range<Int64>], _ hours: LocalHours) {
        uses = spans.count
        useSeconds = spans.map { Double($0.upperBound - $0.lowerBound) / 1000 }.median
        var (pauses, free) = ([Double](), spans.first?.upperBound ?? 0)
        for span in spans.dropFirst() {
            if span.lowerBound > free, hours.place(of: span.lowerBound).day == hours.place(of: free).day {
                pauses.append(Double(span.lowerBound - free) / 1000)
            }
            free = max(free, span.upperBound)
        }
        idleSeconds = pauses.median
    }
}

/// A zone of a camera.
struct ZonePlace: Hashable {
    let camera: String
    let zone: String
}

/// For how long places were open, and how long people waited there.
struct ZoneWaiting {
    /// For how long each camera watched while it saw anybody, in whole quarters of an hour, seconds.
    private(set) var openSeconds: [String: Double] = [:]
    /// The time that people waited, added up over them, seconds.
    private(set) var waitingSeconds: [ZonePlace: Double] = [:]

    /// Reads a span. A history from before it was stored has nothing.
    init(_ filter: HistoryFilter, in db: Database) throws {
        guard try db.tableExists("occupancy_zone") else { return }
        var condition = filter.startCondition()
        let open = try Row.fetchAll(
            db,
            sql: """
                SELECT camera, total(watched_seconds) AS seconds FROM occupancy
                WHERE person_seconds > 0 AND \(condition.sql) GROUP BY camera
                """, arguments: condition.arguments)
        for row in open { openSeconds[row.text("camera")] = row.number("seconds") }
        condition.add("zone = ?", filter.zone)
        let waited = try Row.fetchAll(
            db,
            sql: """
                SELECT camera, zone, total(waiting_seconds) AS seconds FROM occupancy_zone
                WHERE \(condition.sql) GROUP BY camera, zone
                """, arguments: condition.arguments)
        for row in waited {
            waitingSeconds[ZonePlace(camera: row.text("camera"), zone: row.text("zone"))] = row.number("seconds")
        }
    }
}
