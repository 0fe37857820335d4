import Foundation
import GRDB
import Records

/// What a program of this machine asks the running node to do, and the answer.
///
/// The database is the place where both meet, so that a command works without a broker and without the page. Whoever may
/// write the database may ask.
public struct NodeRequest: Sendable, Equatable {
    /// A UUIDv7.
    public let id: String
    /// The command as JSON: `{"cmd": …, "args": …}`.
    public let command: String
}

/// Asks the node that writes a database.
public struct NodeRequests: Sendable {
    /// A request is forgotten after this many seconds, answered or not.
    static let longestSeconds = 60.0

    private let path: String

    /// Why a request got no answer.
    public struct Failure: Error, CustomStringConvertible {
        /// A sentence that says what to do.
        public let description: String
    }

    /// - Parameter path: the node's database.
    public init(path: String) { self.path = path }

    /// Sends a command, and waits for the answer.
    ///
    /// - Returns: the answer as JSON.
    /// - Throws: ``Failure`` when no node runs or none answers in time, ``HistoryError``.
    public func ask(_ command: String, seconds: Double = 15) throws -> String {
        guard Store.holder(of: path) != nil else {
            throw Failure(description: "no node runs with \(path): start it with 'spotter run' or its service")
        }
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            let id = UUIDv7.string(at: Date())
            try queue.write { db in
                try db.execute(
                    sql: "INSERT INTO request(id, at_ms, command) VALUES(?, ?, ?)",
                    arguments: [id, Timestamp.milliseconds(Date()), command])
            }
            defer {
                _ = try? queue.write { try $0.execute(sql: "DELETE FROM request WHERE id = ?", arguments: [id]) }
            }
            let end = ContinuousClock.now + .seconds(seconds)
            while ContinuousClock.now < end {
                let answer = try queue.read { db in
                    try String.fetchOne(db, sql: "SELECT answer FROM request WHERE id = ?", arguments: [id])
                }
                if let answer { return answer }
                usleep(50_000)
            }
        } catch let error as DatabaseError {
            throw HistoryError(error, path: path)
        }
        throw Failure(
            description: "the node has not answered within \(Int(seconds)) s; look at it with 'spotter status'")
    }
}

extension Store {
    /// The requests that wait for an answer, oldest first. Old ones are deleted.
    ///
    /// - Throws: ``HistoryError``.
    package func waitingRequests(wall: Date) throws -> [NodeRequest] {
        let sql = "SELECT id, at_ms, command FROM request WHERE answer IS NULL ORDER BY id LIMIT 16"
        do {
            let rows = try pool.read { try Row.fetchAll($0, sql: sql) }
            let limit = Timestamp.milliseconds(wall) - Int64(NodeRequests.longestSeconds * 1000)
            if rows.contains(where: { $0.moment("at_ms") < limit }) {
                try write { try $0.execute(sql: "DELETE FROM request WHERE at_ms < ?", arguments: [limit]) }
            }
            return rows.filter { $0.moment("at_ms") >= limit }
                .map { NodeRequest(id: $0.text("id"), command: $0.text("command")) }
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// Answers a request.
    ///
    /// - Throws: ``HistoryError``.
    package func answer(_ request: String, _ answer: String) throws {
        try write { db in
            try db.execute(sql: "UPDATE request SET answer = ? WHERE id = ?", arguments: [answer, request])
        }
    }
}
