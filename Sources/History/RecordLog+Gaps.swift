import Actions
import Foundation
import GRDB

extension RecordLog {
    /// Losses that were declared behind a position and are still told, and the log's last position.
    public func gaps(after seq: Int64) throws -> (count: Int, last: Int64) {
        try read { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT count(*) FILTER (WHERE type = 'gap'), max(seq) FROM record WHERE seq > ?",
                arguments: [seq])
            return (row?[0] ?? 0, row?[1] ?? seq)
        }
    }

    /// Positions in a range that hold no record any more, as ranges.
    public func holes(in range: ClosedRange<Int64>) throws -> [ClosedRange<Int64>] {
        do {
            return try pool.read { try Self.holes(in: range, in: $0) }
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// Declares positions that hold no record any more, for whoever asked for them: in new records of the log, unless a
    /// standing one says it already.
    ///
    /// - Returns: the gap records that cover the range's holes.
    public func declareHoles(in range: ClosedRange<Int64>, wall: Date, clock: ClockState = .now()) throws -> [Record] {
        do {
            return try pool.write { db in
                for hole in try Self.holes(in: range, in: db) where try !Self.isDeclared(hole, in: db) {
                    let body = GapBody(
                        fromSeq: hole.lowerBound, toSeq: hole.upperBound, reason: "retention",
                        records: hole.count)
                    try Self.append(
                        .gap, id: UUIDv7.string(at: wall), rev: 1, final: true, body: JSONText.encode(body),
                        wallMilliseconds: Timestamp.milliseconds(wall), clock: clock, in: db)
                }
                return try Self.gaps(touching: range, in: db)
            }
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// Deletes undelivered records, oldest first, and says so in the log: the gap that ends where this one begins grows
    /// by a revision, so that one loss is one record.
    ///
    /// - Returns: how many records went.
    static func evict(
        through seq: Int64, limit: Int, wallMilliseconds: Int64, clock: ClockState, in db: Database
    ) throws -> Int {
        let rows = try Row.fetchAll(
            db, sql: "SELECT seq, type FROM record WHERE seq <= ? ORDER BY seq LIMIT ?", arguments: [seq, limit])
        guard let first = rows.first?["seq"] as Int64?, let last = rows.last?["seq"] as Int64? else { return 0 }
        let lost = rows.filter { ($0["type"] as String) != RecordType.gap.rawValue }.count
        let growing = try growingGap(before: first, in: db)
        try db.execute(sql: "DELETE FROM record WHERE seq <= ?", arguments: [last])
        guard lost > 0 else { return rows.count }
        let body = GapBody(
            fromSeq: growing?.body.fromSeq ?? first, toSeq: last, reason: "retention",
            records: lost + (growing?.body.records ?? 0))
        let date = Timestamp.date(milliseconds: wallMilliseconds)
        try append(
            .gap, id: growing?.id ?? UUIDv7.string(at: date), rev: (growing?.rev ?? 0) + 1, final: true,
            body: JSONText.encode(body), wallMilliseconds: wallMilliseconds, clock: clock, in: db)
        return rows.count
    }

    /// The newest gap of this epoch with nothing left between it and a position.
    private static func growingGap(
        before seq: Int64, in db: Database
    ) throws -> (id: String, rev: Int, body: GapBody)? {
        let row = try Row.fetchOne(
            db, sql: "SELECT id, rev, body FROM record WHERE type = 'gap' ORDER BY seq DESC LIMIT 1")
        guard let row, let body = GapBody(json: row["body"]), body.epoch == nil, body.reason == "retention" else {
            return nil
        }
        return body.toSeq < seq ? (row["id"], row["rev"], body) : nil
    }

    private static func holes(in range: ClosedRange<Int64>, in db: Database) throws -> [ClosedRange<Int64>] {
        var next = range.lowerBound
        var holes: [ClosedRange<Int64>] = []
        let present = try Int64.fetchCursor(
            db, sql: "SELECT seq FROM record WHERE seq BETWEEN ? AND ? ORDER BY seq",
            arguments: [range.lowerBound, range.upperBound])
        while let seq = try present.next() {
            if seq > next { holes.append(next...seq - 1) }
            next = seq + 1
        }
        if next <= range.upperBound { holes.append(next...range.upperBound) }
        return holes
    }

    private static func isDeclared(_ hole: ClosedRange<Int64>, in db: Database) throws -> Bool {
        try gaps(touching: hole, in: db).contains { record in
            guard let body = GapBody(json: record.body) else { return false }
            return body.fromSeq <= hole.lowerBound && hole.upperBound <= body.toSeq
        }
    }

    private static func gaps(touching range: ClosedRange<Int64>, in db: Database) throws -> [Record] {
        let sql = "SELECT seq, type, id, rev, final, ts_ms, clock, body FROM record WHERE type = 'gap' ORDER BY seq"
        return try Row.fetchAll(db, sql: sql).compactMap(Record.init(row:)).filter { record in
            guard let body = GapBody(json: record.body), body.epoch == nil else { return false }
            return body.fromSeq <= range.upperBound && range.lowerBound <= body.toSeq
        }
    }
}
