import Foundation
import GRDB
import Records

/// The record log and the cursors of its receivers.
///
/// Records are sent directly from the log. There is no other queue, so waiting records survive the end of the process.
public struct RecordLog: Sendable {
    /// The name of the cursor that the broker's own acknowledgements move.
    public static let broker = "broker"

    let pool: DatabasePool
    let identity: NodeIdentity
    let path: String

    /// The epoch the positions belong to.
    public var epoch: String { identity.epoch }

    /// The next records after a position, in order.
    ///
    /// - Throws: ``HistoryError``.
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
    ///
    /// - Throws: ``HistoryError``.
    public func records(in range: ClosedRange<Int64>, limit: Int) throws -> [Record] {
        try records(after: range.lowerBound - 1, limit: limit).filter { $0.seq <= range.upperBound }
    }

    /// The newest position ever used in this epoch; 0 before the first record.
    ///
    /// - Throws: ``HistoryError``.
    public func lastSeq() throws -> Int64 {
        try read { try Int64.fetchOne($0, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'record'") ?? 0 }.clamped
    }

    /// How many records come after a position, and when the oldest of them was written.
    ///
    /// - Throws: ``HistoryError``.
    public func pending(after seq: Int64) throws -> (count: Int, oldestMilliseconds: Int64?) {
        try read { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT count(*) AS n, min(ts_ms) AS oldest FROM record WHERE seq > ?", arguments: [seq])
            return (row?.integer("n") ?? 0, row?.optionalInteger("oldest").map(Int64.init))
        }
    }

    /// The position up to which a receiver has everything; 0 for one that never acknowledged in this epoch.
    ///
    /// - Throws: ``HistoryError``.
    public func cursor(of consumer: String = broker) throws -> Int64 {
        try read { db in
            try Int64.fetchOne(
                db, sql: "SELECT acked_seq FROM cursor WHERE consumer = ? AND epoch = ?",
                arguments: [consumer, identity.epoch]) ?? 0
        }.clamped
    }

    /// Stores that a receiver has everything up to `seq`. A cursor never moves back within an epoch.
    ///
    /// - Throws: ``HistoryError``.
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

    /// Writes one record inside the caller's transaction. If the revision exists already, the record gets the next one.
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
    /// The record log.
    public var records: RecordLog { RecordLog(pool: pool, identity: identity, path: path) }
}

extension Record {
    /// Reads a row of `record`; `nil` for an unknown type or clock state.
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
