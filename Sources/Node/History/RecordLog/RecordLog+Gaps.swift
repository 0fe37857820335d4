import Actions
import Contract
import Foundation
import GRDB
import Records

extension RecordLog {
    /// The number of gap records after a position, and the log's last position.
    ///
    /// - Throws: ``HistoryError``.
    public func gaps(after seq: Int64) throws -> (count: Int, last: Int64) {
        try read { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT count(*) FILTER (WHERE type = 'gap') AS n, max(seq) AS last FROM record WHERE seq > ?",
                arguments: [seq])
            return (row?.integer("n") ?? 0, row?.optionalInteger("last").map(Int64.init) ?? seq)
        }
    }

    /// The positions in a range that no longer hold a record, as ranges.
    ///
    /// - Throws: ``HistoryError``.
    public func holes(in range: ClosedRange<Int64>) throws -> [ClosedRange<Int64>] {
        do {
            return try pool.read { try Self.holes(in: range, in: $0) }
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// Declares positions without a record as lost, in new gap records, unless an existing one covers them.
    ///
    /// - Returns: the gap records that cover the range's holes.
    /// - Throws: ``HistoryError``.
    public func declareHoles(in range: ClosedRange<Int64>, wall: Date, clock: ClockState = .now()) throws -> [Record] {
        do {
            return try pool.write { db in
                let declared = try Self.declared(touching: range, in: db)
                for hole in try Self.holes(in: range, in: db) where !Self.isCovered(hole, by: declared) {
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

    /// Deletes undelivered records and declares the loss in the log. A gap that ends where these records begin gets a
    /// new revision, so that one loss is one record.
    ///
    /// - Parameters:
    ///   - seqs: positions of records that are no gaps, in ascending order.
    ///   - gapsBefore: gaps from before this moment leave as well, so the new one may cover their positions.
    /// - Returns: how many records were deleted.
    static func evict(
        _ seqs: [Int64], wall: Date, clock: ClockState, gapsBefore: Int64, in db: Database
    ) throws -> Int {
        let delete = try db.makeStatement(sql: "DELETE FROM record WHERE seq = ?")
        for seq in seqs { try delete.execute(arguments: [seq]) }
        var rest = seqs[...]
        while let first = rest.first {
            let growing = try growingGap(before: first, gapsBefore, in: db)
            var (last, lost) = (first, 0)
            while let next = rest.first,
                try lost == 0 || isEmpty(last + 1..<next, besides: growing?.id, gapsBefore, in: db)
            {
                (last, lost) = (next, lost + 1)
                rest.removeFirst()
            }
            let body = GapBody(
                fromSeq: growing?.body.fromSeq ?? first, toSeq: last, reason: "retention",
                records: [lost, growing?.body.records ?? 0].clampedSum)
            let id = growing?.id ?? UUIDv7.string(at: wall)
            try append(
                .gap, id: id, rev: (growing?.rev ?? 0) + 1, final: true, body: JSONText.encode(body),
                wallMilliseconds: Timestamp.milliseconds(wall), clock: clock, in: db)
            // The new revision contains the earlier one, whose own position becomes part of the gap.
            try db.execute(
                sql: "DELETE FROM record WHERE type = 'gap' AND id = ? AND seq BETWEEN ? AND ?",
                arguments: [id, body.fromSeq, body.toSeq])
        }
        return seqs.count
    }

    /// The newest gap of this epoch with no other record between it and a position.
    private static func growingGap(
        before seq: Int64, _ gapsBefore: Int64, in db: Database
    ) throws -> (id: String, rev: Int, body: GapBody)? {
        let rows = try Row.fetchCursor(
            db, sql: "SELECT id, rev, body FROM record WHERE type = 'gap' ORDER BY seq DESC LIMIT 100")
        while let row = try rows.next() {
            guard let body = GapBody(json: row.text("body")), body.epoch == nil, body.reason == "retention",
                body.toSeq < seq, try isEmpty(body.toSeq + 1..<seq, besides: row.text("id"), gapsBefore, in: db)
            else { continue }
            return (row.text("id"), row.integer("rev"), body)
        }
        return nil
    }

    /// Whether these positions hold no records except revisions of one gap, and old gaps.
    private static func isEmpty(
        _ range: Range<Int64>, besides gap: String?, _ gapsBefore: Int64, in db: Database
    ) throws -> Bool {
        guard !range.isEmpty else { return true }
        let sql = """
            SELECT 1 FROM record WHERE seq >= ? AND seq < ? AND NOT (type = 'gap' AND (id = ? OR ts_ms < ?)) LIMIT 1
            """
        let isThere = try Bool.fetchOne(
            db.cachedStatement(sql: sql), arguments: [range.lowerBound, range.upperBound, gap ?? "", gapsBefore])
        return isThere != true
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

    /// The positions that gaps declare in and around a range: sorted, and joined where they touch.
    private static func declared(
        touching range: ClosedRange<Int64>, in db: Database
    ) throws -> [ClosedRange<Int64>] {
        let bodies = try gaps(touching: range, in: db).compactMap { GapBody(json: $0.body) }
        return bodies.filter { $0.fromSeq <= $0.toSeq }.map { $0.fromSeq...$0.toSeq }
            .sorted { $0.lowerBound < $1.lowerBound }
            .reduce(into: []) { joined, gap in
                if let last = joined.last, gap.lowerBound <= last.upperBound {
                    joined[joined.count - 1] = last.lowerBound...max(last.upperBound, gap.upperBound)
                } else {
                    joined.append(gap)
                }
            }
    }

    /// Whether one of some sorted ranges covers a hole. Thousands of holes meet thousands of gaps, so it is searched for by
    /// halves.
    private static func isCovered(_ hole: ClosedRange<Int64>, by ranges: [ClosedRange<Int64>]) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].lowerBound <= hole.lowerBound { low = middle + 1 } else { high = middle }
        }
        return low > 0 && ranges[low - 1].upperBound >= hole.upperBound
    }

    private static func gaps(touching range: ClosedRange<Int64>, in db: Database) throws -> [Record] {
        let sql = "SELECT seq, type, id, rev, final, ts_ms, clock, body FROM record WHERE type = 'gap' ORDER BY seq"
        return try Row.fetchAll(db, sql: sql).compactMap(Record.init(row:)).filter { record in
            guard let body = GapBody(json: record.body), body.epoch == nil else { return false }
            return body.fromSeq <= range.upperBound && range.lowerBound <= body.toSeq
        }
    }
}
