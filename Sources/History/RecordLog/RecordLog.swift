import Foundation
import GRDB

/// The record log and the cursors over it: what was recorded, and up to where each receiver has it.
///
/// Sending is reading: nothing is queued anywhere else, so nothing that waits can be lost with the process.
public struct RecordLog: Sendable {
    /// The cursor that the broker's own acknowledgement moves.
    public static let broker = "broker"

    let pool: DatabasePool
    let identity: NodeIdentity
    let path: String

    /// Which life of the database the positions belong to.
    public var epoch: String { identity.epoch }

    /// The next records after a position, in order.
    public func records(after seq: Int64, limit: Int) throws -> [Record] {
        try read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT seq, type, id, rev, final, ts_ms, clock, body FROM record WHERE seq > ? ORDER BY seq LIMIT ?
                    """, arguments: [seq, limit])
            return rows.compactMap(Record.init(row:))
        }
    }

    /// The records between two positions, both included, in order.
    public func records(in range: ClosedRange<Int64>, limit: Int) throws -> [Record] {
        try records(after: range.lowerBound - 1, limit: limit).filter { $0.seq <= range.upperBound }
    }

    /// The newest position ever used in this epoch; 0 before the first record.
    public func lastSeq() throws -> Int64 {
        try read { try Int64.fetchOne($0, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'record'") ?? 0 }.clamped
    }

    /// How many records a receiver does not have yet, and when the oldest of them was written.
    public func pending(after seq: Int64) throws -> (count: Int, oldestMilliseconds: Int64?) {
        try read { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT count(*) AS n, min(ts_ms) AS oldest FROM record WHERE seq > ?", arguments: [seq])
            return (row?.integer("n") ?? 0, row?.optionalInteger("oldest").map(Int64.init))
        }
    }

    /// Up to where a receiver has everything; 0 for one that never acknowledged in this epoch.
    public func cursor(of consumer: String = broker) throws -> Int64 {
        try read { db in
            try Int64.fetchOne(
                db, sql: "SELECT acked_seq FROM cursor WHERE consumer = ? AND epoch = ?",
                arguments: [consumer, identity.epoch]) ?? 0
        }.clamped
    }

    /// Remembers that a receiver has everything up to `seq`. A cursor never goes back within an epoch.
    public func advance(_ consumer: String = broker, to seq: Int64, wall: Date) throws {
        do {
            try pool.write { db in
                try db.execute(
                    sql: """
                        INSERT INTO cursor(consumer, epoch, acked_seq, at_ms) VALUES(?, ?, ?, ?)
                        ON CONFLICT(consumer) DO UPDATE SET epoch = excluded.epoch, at_ms = excluded.at_ms,
                          acked_seq = CASE WHEN epoch = excluded.epoch THEN max(acked_seq, excluded.acked_seq)
                                           ELSE excluded.acked_seq END
                        """, arguments: [consumer, identity.epoch, seq, Timestamp.milliseconds(wall)])
            }
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// Writes one record inside the caller's transaction; of a revision that is there already, as the next one.
    @discardableResult
    static func append(
        _ type: RecordType, id: String, rev: Int, final: Bool, body: String, wallMilliseconds: Int64,
        clock: ClockState, in db: Database
    ) throws -> Int64 {
        try db.cachedStatement(
            sql: """
                INSERT INTO record(type, id, rev, final, ts_ms, clock, body)
                SELECT t, i, CASE WHEN EXISTS (SELECT 1 FROM record WHERE type = t AND id = i AND rev = r)
                  THEN (SELECT max(rev) + 1 FROM record WHERE type = t AND id = i) ELSE r END, f, ms, c, b
                FROM (SELECT ? AS t, ? AS i, ? AS r, ? AS f, ? AS ms, ? AS c, ? AS b)
                """
        ).execute(arguments: [type.rawValue, id, rev, final, wallMilliseconds, clock.rawValue, body])
        return db.lastInsertedRowID
    }

    func read<T>(_ value: (Database) throws -> T) throws -> T {
        do { return try pool.read(value) } catch { throw HistoryError(error, path: path) }
    }
}

extension Store {
    public var records: RecordLog { RecordLog(pool: pool, identity: identity, path: path) }
}

extension Record {
    /// `nil` for a type or clock this program does not know.
    init?(row: Row) {
        guard let type = RecordType(rawValue: row.text("type")), let clock = ClockState(rawValue: row.text("clock"))
        else {
            return nil
        }
        self.init(
            seq: row.position("seq"), type: type, id: row.text("id"), rev: row.integer("rev"),
            final: row.integer("final") != 0, milliseconds: row.moment("ts_ms"), clock: clock, body: row.text("body"))
    }
}
