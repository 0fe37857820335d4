import Foundation
import GRDB
import Records

/// A set of which poses are kept: `kept_poses` of `GET /api/v1/sessions/{id}`.
public struct KeptSet: Sendable, Encodable, Equatable {
    /// The set's number.
    public let number: Int
    /// When the set began: RFC 3339, UTC.
    public let start: String
}

/// What a set shows and when it was, for cutting poses.
public struct SetSpan: Sendable, Equatable {
    /// The corrected label, or else the recognised one.
    public let label: String
    /// When the set began and ended, milliseconds since 1970.
    public let startMilliseconds, endMilliseconds: Int64
}

extension HistoryQuery {
    /// From when to when poses of a session are kept, milliseconds since 1970; `nil` when none are.
    ///
    /// - Parameter from: earlier poses do not count.
    /// - Throws: ``HistoryError``.
    public func keptSpan(ofSession id: String, from: Int64 = .min) throws -> ClosedRange<Int64>? {
        try read { db in
            let sql = """
                SELECT min(start_ms) AS earliest, max(end_ms) AS latest FROM kept_pose WHERE session = ? AND end_ms >= ?
                """
            guard let row = try Row.fetchOne(db, sql: sql, arguments: [id, from]),
                row.optionalInteger("earliest") != nil
            else { return nil }
            let (first, last) = (row.moment("earliest"), row.moment("latest"))
            return first <= last ? first...last : nil
        }
    }

    /// Passes the kept poses of a session to `each`, oldest first: all pieces that reach into `span`. Memory use does
    /// not grow with their number.
    ///
    /// - Parameter span: milliseconds since 1970.
    /// - Throws: ``HistoryError``, or the error of `each`.
    public func keptPoses(
        ofSession id: String, in span: ClosedRange<Int64>, each: (KeptPoses) throws -> Void
    ) throws {
        try read { db in
            let sql = """
                SELECT * FROM kept_pose WHERE session = ? AND start_ms <= ? AND end_ms >= ? ORDER BY start_ms
                """
            let rows = try Row.fetchCursor(db, sql: sql, arguments: [id, span.upperBound, span.lowerBound])
            while let row = try rows.next() {
                try each(
                    KeptPoses(
                        session: id, startMilliseconds: row.moment("start_ms"), endMilliseconds: row.moment("end_ms"),
                        data: row.bytes("data")))
            }
        }
    }

    /// The sets of a session of which poses are kept, in their order.
    ///
    /// - Throws: ``HistoryError``.
    public func keptSets(ofSession id: String) throws -> [KeptSet] {
        try read { db in
            let sql = """
                SELECT number, start_ms FROM session_set s WHERE session = ? AND EXISTS (
                  SELECT 1 FROM kept_pose k
                  WHERE k.session = s.session AND k.start_ms <= s.end_ms AND k.end_ms >= s.start_ms)
                ORDER BY number
                """
            return try Row.fetchAll(db, sql: sql, arguments: [id]).map { row in
                KeptSet(number: row.integer("number"), start: Timestamp.text(milliseconds: row.moment("start_ms")))
            }
        }
    }

    /// What a set shows and when it was; `nil` if the session has no such set.
    ///
    /// - Throws: ``HistoryError``.
    public func setSpan(_ number: Int, ofSession id: String) throws -> SetSpan? {
        try read { db in
            let sql = """
                SELECT s.start_ms, s.end_ms, ifnull(c.label, s.label) AS label
                FROM session_set s LEFT JOIN set_correction c ON c.session = s.session AND c.number = s.number
                WHERE s.session = ? AND s.number = ?
                """
            return try Row.fetchOne(db, sql: sql, arguments: [id, number]).map { row in
                SetSpan(
                    label: row.text("label"), startMilliseconds: row.moment("start_ms"),
                    endMilliseconds: max(row.moment("start_ms"), row.moment("end_ms")))
            }
        }
    }
}
