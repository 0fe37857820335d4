import Foundation
import GRDB

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

    /// The numbers of a session's sets of which poses are kept, in their order.
    ///
    /// - Throws: ``HistoryError``.
    public func keptSets(ofSession id: String) throws -> [Int] {
        try read { db in
            let sql = """
                SELECT number FROM session_set s WHERE session = ? AND EXISTS (
                  SELECT 1 FROM kept_pose k
                  WHERE k.session = s.session AND k.start_ms <= s.end_ms AND k.end_ms >= s.start_ms)
                ORDER BY number
                """
            return try Row.fetchAll(db, sql: sql, arguments: [id]).map { $0.integer("number") }
        }
    }
}
