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
    package static let longestSeconds = 60.0
    /// A node that restarts comes back within this time, even on a busy machine.
    private static let restartTime = Duration.seconds(10)

    private let path: String

    /// Why a request got no answer.
    public enum Failure: Error, CustomStringConvertible {
        /// No node runs with this database.
        case noNode(path: String)
        /// A node runs, but has not answered for this long.
        case noAnswer(seconds: Double)

        /// A sentence that says what to do.
        public var description: String {
            switch self {
            case .noNode(let path): "no node runs with \(path): start it with 'spotter run' or its service"
            case .noAnswer(let seconds):
                "the node has not answered within \(Int(seconds)) s; look at it with 'spotter status'"
            }
        }
    }

    /// - Parameter path: the node's database.
    public init(path: String) { self.path = path }

    /// Sends a command, and waits for the answer. A node that restarts meanwhile answers when it is back.
    ///
    /// - Returns: the answer as JSON.
    /// - Throws: ``Failure`` when no node runs or none answers in time, ``HistoryError``.
    public func ask(_ command: String, seconds: Double = 45) throws -> String {
        guard Store.hasNode(at: path) else { throw Failure.noNode(path: path) }
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
            return try answer(to: id, in: queue, seconds: seconds)
        } catch let error as DatabaseError {
            throw HistoryError(error, path: path)
        }
    }

    private func answer(to id: String, in queue: DatabaseQueue, seconds: Double) throws -> String {
        let began = ContinuousClock.now
        var lastSeen = began
        while began.duration(to: .now) < .seconds(seconds) {
            let answer = try queue.read { db in
                try String.fetchOne(db, sql: "SELECT answer FROM request WHERE id = ?", arguments: [id])
            }
            if let answer { return answer }
            if Store.holder(of: path) != nil {
                lastSeen = .now
            } else if lastSeen.duration(to: .now) > Self.restartTime || !StoreLock.lastHolderRuns(database: path) {
                throw Failure.noNode(path: path)
            }
            usleep(50_000)
        }
        throw Failure.noAnswer(seconds: seconds)
    }
}

extension Store {
    /// The requests that wait for an answer, oldest first.
    ///
    /// - Throws: ``HistoryError``.
    package func waitingRequests(wall: Date) throws -> [NodeRequest] {
        let sql = "SELECT id, command FROM request WHERE answer IS NULL AND at_ms >= ? ORDER BY id LIMIT 16"
        do {
            let limit = Timestamp.milliseconds(wall) - Int64(NodeRequests.longestSeconds * 1000)
            return try pool.read { try Row.fetchAll($0, sql: sql, arguments: [limit]) }
                .map { NodeRequest(id: $0.text("id"), command: $0.text("command")) }
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// Answers a request. What was asked is not needed any more, and may hold a name.
    ///
    /// - Throws: ``HistoryError``.
    package func answer(_ request: String, _ answer: String) throws {
        try write { db in
            try db.execute(
                sql: "UPDATE request SET answer = ?, command = '{}' WHERE id = ?", arguments: [answer, request])
        }
    }

    /// Deletes requests and the responses to commands that nobody asks for any more. Call it every few seconds; without
    /// any it costs two small queries.
    ///
    /// - Returns: how many were deleted.
    /// - Throws: ``HistoryError``.
    @discardableResult
    package func forgetCommands(wall: Date) throws -> Int {
        do {
            let isDue = try pool.read { db in
                try Self.oldCommands(wall).contains { table, span in
                    let sql = "SELECT EXISTS (SELECT 1 FROM \(table) WHERE at_ms < ? OR at_ms > ?)"
                    return try Bool.fetchOne(db, sql: sql, arguments: span) == true
                }
            }
            return isDue ? try pool.write { try Self.forgetCommands(wall: wall, in: $0) } : 0
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// Does the same inside the caller's transaction.
    static func forgetCommands(wall: Date, in db: Database) throws -> Int {
        try oldCommands(wall).reduce(0) { count, part in
            try db.execute(sql: "DELETE FROM \(part.table) WHERE at_ms < ? OR at_ms > ?", arguments: part.span)
            return count + db.changesCount
        }
    }

    /// The tables of commands, and from when to when their rows are kept. A clock that was set back must not keep them for
    /// longer.
    private static func oldCommands(_ wall: Date) -> [(table: String, span: StatementArguments)] {
        let (now, requests) = (Timestamp.milliseconds(wall), Int64(NodeRequests.longestSeconds * 1000))
        return [
            ("request", [now - requests, now + requests]),
            ("cmd_seen", [now - CommandLog.memoryMs, now + CommandLog.memoryMs]),
        ]
    }
}
