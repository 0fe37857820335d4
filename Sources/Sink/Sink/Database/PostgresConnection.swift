import CPostgres
import Foundation

/// One connection to PostgreSQL over libpq. It belongs to one thread; calls block.
package final class PostgresConnection {
    private let handle: OpaquePointer

    /// The server, too, notices a dead client within half a minute, and frees its lock. Its own defaults are those of the
    /// system: two hours.
    private static let options = """
        -c statement_timeout=120s -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 \
        -c tcp_user_timeout=25000
        """

    /// Connects.
    ///
    /// - Parameters:
    ///   - settings: libpq's connection string. A password belongs in `~/.pgpass` or `PGPASSFILE`.
    ///   - name: what the server's lists of connections show.
    /// - Throws: ``PostgresError``.
    package init(_ settings: String, name: String = "spotter-sink") throws {
        // A dead server is noticed within half a minute, and an attempt gives up after five seconds. Later keywords win,
        // so the operator's own string may say otherwise.
        let parameters = [
            ("connect_timeout", "5"), ("keepalives_idle", "10"), ("keepalives_interval", "5"),
            ("keepalives_count", "3"), ("tcp_user_timeout", "25000"), ("options", Self.options),
            ("fallback_application_name", name), ("dbname", settings), ("client_encoding", "UTF8"),
        ]
        let opened = Self.withCStrings(parameters.map(\.0)) { keywords in
            Self.withCStrings(parameters.map(\.1)) { PQconnectdbParams(keywords, $0, 1) }
        }
        guard let opened else {
            throw PostgresError(action: "connecting to PostgreSQL", state: "53000", reason: "out of memory")
        }
        handle = opened
        guard PQstatus(opened) == CONNECTION_OK else { throw error("connecting to PostgreSQL", state: "") }
        PQsetNoticeProcessor(opened, { _, _ in }, nil)
    }

    deinit { PQfinish(handle) }

    /// Whether the connection still stood after the last call.
    package var isOpen: Bool { PQstatus(handle) == CONNECTION_OK }

    /// The server's version, such as 150004.
    package var serverVersion: Int { Int(PQserverVersion(handle)) }

    /// Runs one or more statements without parameters.
    ///
    /// - Throws: ``PostgresError``.
    package func execute(_ sql: String, _ action: String) throws {
        let result = PQexec(handle, sql)
        defer { PQclear(result) }
        try check(result, action)
    }

    /// Runs one statement and returns its rows as text.
    ///
    /// - Throws: ``PostgresError``.
    package func rows(_ sql: String, _ parameters: [String?] = [], _ action: String) throws -> [[String?]] {
        let result = Self.withCStrings(parameters) {
            PQexecParams(handle, sql, Int32(parameters.count), nil, $0, nil, nil, 0)
        }
        defer { PQclear(result) }
        try check(result, action)
        return (0..<PQntuples(result)).map { row in
            (0..<PQnfields(result)).map { column in
                PQgetisnull(result, row, column) == 1 ? nil : String(cString: PQgetvalue(result, row, column))
            }
        }
    }

    /// Fills a table.
    ///
    /// - Throws: ``PostgresError``.
    package func copy(_ text: CopyText, into table: String) throws {
        let action = "copying into \(table)"
        let begun = PQexec(handle, "COPY \(table) FROM STDIN")
        defer { PQclear(begun) }
        guard PQresultStatus(begun) == PGRES_COPY_IN else { return try check(begun, action) }
        let sent = text.bytes.withUnsafeBytes { bytes in
            PQputCopyData(handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
        }
        guard sent == 1, PQputCopyEnd(handle, nil) == 1 else { throw error(action, state: "") }
        var failure: PostgresError?
        while let result = PQgetResult(handle) {
            do { try check(result, action) } catch let error as PostgresError { failure = error }
            PQclear(result)
        }
        if let failure { throw failure }
    }

    private func check(_ result: OpaquePointer?, _ action: String) throws {
        let status = PQresultStatus(result)
        guard status != PGRES_COMMAND_OK, status != PGRES_TUPLES_OK else { return }
        let field = PQresultErrorField(result, Int32(UInt8(ascii: "C")))
        let state = field.map { String(cString: $0) } ?? ""
        let message = PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) }
        throw message.map { PostgresError(action: action, state: state, reason: $0) } ?? error(action, state: state)
    }

    private func error(_ action: String, state: String) -> PostgresError {
        let lines = String(cString: PQerrorMessage(handle)).split(whereSeparator: \.isNewline)
        let words = lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "; ")
        return PostgresError(action: action, state: state, reason: words.isEmpty ? "no answer" : words)
    }

    private static func withCStrings<Result>(
        _ texts: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = texts.map { $0.map { strdup($0) } ?? nil }
        defer { for copy in copies { free(copy) } }
        return (copies.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { list in
            guard let first = list.baseAddress else { preconditionFailure("the list has at least its end") }
            return body(first)
        }
    }
}
