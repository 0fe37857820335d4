import Contract
import Foundation
import GRDB
import Records

/// Adds up a part of a day, for which no totals are stored.
///
/// Time comes from the five-minute sums that lie within the part, and at its ends from single predictions. Repetitions and
/// the use of zones come from the sets that began in it. Frames that were not counted are stored by whole days only, and
/// are left out.
struct PartTotals {
    private let db: Database
    private let part: DaySpan.Part
    private let camera: String?
    private let (start, end): (Int64, Int64)
    private var days: [String: DayRow] = [:]

    /// The totals of the part, by camera.
    ///
    /// - Throws: ``HistoryError/tooFine(since:)`` where what is needed is stored no more.
    static func rows(_ part: DaySpan.Part, camera: String?, in db: Database) throws -> [DayRow] {
        var totals = PartTotals(part, camera: camera, in: db)
        try totals.addTime()
        try totals.addSessions()
        try totals.addSets()
        return totals.days.values.map(\.rounded).sorted { $0.camera < $1.camera }
    }

    /// The use of the zones in the part, by camera. It needs the sets alone, which are kept as long as the sessions.
    static func zones(
        _ part: DaySpan.Part, camera: String?, in db: Database
    ) throws -> [String: [String: DayRow.ZoneUse]] {
        var totals = PartTotals(part, camera: camera, in: db)
        try totals.addSets()
        return totals.days.compactMapValues(\.zones)
    }

    private init(_ part: DaySpan.Part, camera: String?, in db: Database) {
        (self.db, self.part, self.camera) = (db, part, camera)
        (start, end) = (Timestamp.milliseconds(part.start), Timestamp.milliseconds(part.end))
    }

    private mutating func change(_ camera: String, _ body: (inout DayRow) -> Void) {
        body(&days[camera, default: DayRow(day: part.day, camera: camera)])
    }

    private mutating func addTime() throws {
        let length = RollupSlot.lengthMs
        // The first and the last whole slot.
        let first = (start + length - 1) / length * length
        let last = end / length * length
        if first < last { try addRollups(from: first, to: last) }
        if first > last {
            try addPredictions(from: start, to: end)
        } else {
            if start < first { try addPredictions(from: start, to: first) }
            if last < end { try addPredictions(from: last, to: end) }
        }
    }

    private mutating func addRollups(from first: Int64, to last: Int64) throws {
        try checkRollups(since: first)
        var condition = SQLCondition()
        condition.add("start_ms >= ?", first)
        condition.add("start_ms < ?", last)
        condition.add("camera = ?", camera)
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT camera, label, sum(frames) AS frames, sum(seconds) AS seconds
                FROM rollup CROSS JOIN rollup_action ON rollup = id WHERE \(condition.sql) GROUP BY camera, label
                """, arguments: condition.arguments)
        for row in rows { add(row) }
    }

    /// Adds predictions of one slot. Their rate is that of the slot's sums.
    private mutating func addPredictions(from start: Int64, to end: Int64) throws {
        try checkPredictions(of: start / RollupSlot.lengthMs * RollupSlot.lengthMs)
        var condition = SQLCondition()
        condition.add("end_ms >= ?", start)
        condition.add("end_ms < ?", end)
        condition.add("c.text = ?", camera)
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT c.text AS camera, l.text AS label, sum(frames) AS frames, sum(frames) / max(r.fps, 0.001) AS seconds
                FROM prediction p JOIN name c ON c.id = p.camera JOIN name l ON l.id = p.label
                  JOIN rollup r ON r.camera = c.text AND r.start_ms = p.end_ms / \(RollupSlot.lengthMs) * \(RollupSlot.lengthMs)
                    AND r.clock = (SELECT min(clock) FROM rollup o WHERE o.start_ms = r.start_ms AND o.camera = r.camera)
                WHERE \(condition.sql) AND EXISTS (SELECT 1 FROM rollup_action a JOIN rollup o ON o.id = a.rollup
                  WHERE o.start_ms = r.start_ms AND o.camera = r.camera AND a.label = l.text)
                GROUP BY c.text, l.text
                """, arguments: condition.arguments)
        for row in rows { add(row) }
    }

    private mutating func add(_ row: Row) {
        let label = row.text("label")
        change(row.text("camera")) { day in
            day.frames[label, default: 0] += row.integer("frames")
            day.seconds[label, default: 0] += row.number("seconds")
        }
    }

    /// Refuses five-minute sums that are older than what is stored, if a person was seen then.
    private func checkRollups(since first: Int64) throws {
        let kept = try Int64.fetchOne(db, sql: "SELECT min(start_ms) FROM rollup") ?? .max
        guard kept > first else { return }
        // The first window of a session may end in the slot after its beginning.
        let wasSeen = try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM session WHERE start_ms < ?1 AND end_ms >= ?2
                  AND (end_ms < ?3 OR start_ms < ?3 - \(RollupSlot.lengthMs)))
                """, arguments: [end, first, min(kept, .max / 2)])
        if wasSeen == true { throw HistoryError.tooFine(since: Self.date(kept)) }
    }

    /// Refuses predictions of one slot that are not stored any more: the slot has more frames than they have.
    private func checkPredictions(of slot: Int64) throws {
        let kept = try Int64.fetchOne(db, sql: "SELECT min(end_ms) FROM prediction") ?? .max
        guard kept >= slot else { return }
        let length = RollupSlot.lengthMs
        let counted = try Int64.fetchOne(
            db,
            sql: "SELECT total(frames) FROM rollup CROSS JOIN rollup_action ON rollup = id WHERE start_ms = ?",
            arguments: [slot])
        let stored = try Int64.fetchOne(
            db,
            sql: """
                SELECT total(frames) FROM prediction p JOIN name l ON l.id = p.label
                WHERE end_ms >= ?1 AND end_ms < ?1 + \(length) AND l.text IN
                  (SELECT label FROM rollup CROSS JOIN rollup_action ON rollup = id WHERE start_ms = ?1)
                """, arguments: [slot])
        if stored ?? 0 < counted ?? 0 { throw HistoryError.tooFine(since: Self.date(kept)) }
        // Where the sums are gone as well, the sessions say whether anybody was there.
        if counted == 0 { try checkRollups(since: slot) }
    }

    private static func date(_ milliseconds: Int64) -> Date? {
        milliseconds == .max ? nil : Timestamp.date(milliseconds: milliseconds)
    }

    private mutating func addSessions() throws {
        let rows = try Row.fetchAll(
            db,
            sql:
                "SELECT camera, count(*) AS sessions FROM session WHERE start_ms >= ? AND start_ms < ? GROUP BY camera",
            arguments: [start, end])
        for row in rows where camera == nil || camera == row.text("camera") {
            change(row.text("camera")) { $0.sessions = row.integer("sessions") }
        }
    }

    private mutating func addSets() throws {
        let filter = HistoryFilter(since: part.start, until: part.end, camera: camera)
        var corrected: Set<String> = []
        try SetRow.each(filter, in: db) { row in
            let set = row.body
            if set.corrected != nil { corrected.insert(row.session) }
            guard set.label != SetCorrection.nothing else { return }
            change(row.camera) { day in
                if set.reps != 0 { day.reps[set.label, default: 0] += set.reps }
                guard let zone = set.zone else { return }
                day.zones = (day.zones ?? [:]).merging([zone: DayRow.ZoneUse(set)], uniquingKeysWith: +)
            }
        }
        for session in corrected.sorted() { try addCorrections(of: session) }
    }

    /// Moves time between labels where sets of the part were corrected.
    private mutating func addCorrections(of session: String) throws {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM session WHERE id = ?", arguments: [session]) else {
            return
        }
        let moves = try SessionReader(db).recognised(row).moves
        for move in moves where move.set.start >= part.start && move.set.start < part.end {
            change(row.text("camera")) { day in
                day.frames[move.set.label, default: 0] -= move.frames
                day.seconds[move.set.label, default: 0] -= move.seconds
                guard let label = move.correction.countedLabel else { return }
                day.frames[label, default: 0] += move.frames
                day.seconds[label, default: 0] += move.seconds
            }
        }
    }
}

extension DayRow.ZoneUse {
    fileprivate init(_ set: SetBody) {
        let seconds = (Timestamp.milliseconds(text: set.end) ?? 0) - (Timestamp.milliseconds(text: set.start) ?? 0)
        self.init(sets: 1, reps: set.reps, seconds: max(0, Double(seconds) / 1000))
    }

    fileprivate static func + (one: Self, other: Self) -> Self {
        Self(sets: one.sets + other.sets, reps: one.reps + other.reps, seconds: one.seconds + other.seconds)
    }
}
