import Foundation
import GRDB
import Records

/// The responses to commands, kept for ten minutes. A repeated command is answered again but carried out only once,
/// also across a restart.
public struct CommandLog: Sendable {
    /// How long a response is kept.
    public static let memory = Duration.seconds(600)
    static let memoryMs: Int64 = 600_000

    let store: Store

    /// The response sent for this command id within the last ten minutes; `nil` if there is none.
    ///
    /// - Throws: ``HistoryError``.
    public func response(to id: String, wall: Date) throws -> String? {
        let now = Timestamp.milliseconds(wall)
        do {
            return try store.pool.read { db in
                try String.fetchOne(
                    db, sql: "SELECT response FROM cmd_seen WHERE id = ? AND at_ms BETWEEN ? AND ?",
                    arguments: [id, now - Self.memoryMs, now + Self.memoryMs])
            }
        } catch {
            throw HistoryError(error, path: store.path)
        }
    }

    /// Stores a response. ``Store/forgetCommands(wall:)`` deletes old ones.
    ///
    /// - Throws: ``HistoryError``.
    public func remember(_ response: String, to id: String, wall: Date) throws {
        let now = Timestamp.milliseconds(wall)
        try store.write { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO cmd_seen(id, at_ms, response) VALUES(?, ?, ?)",
                arguments: [id, now, response])
        }
    }
}

extension Store {
    /// Deletes the responses to commands that nobody asks for any more. Call it every few seconds; without any it costs a
    /// small query.
    ///
    /// - Returns: how many were deleted.
    /// - Throws: ``HistoryError``.
    @discardableResult
    package func forgetCommands(wall: Date) throws -> Int {
        do {
            let isDue = try pool.read { db in
                let sql = "SELECT EXISTS (SELECT 1 FROM cmd_seen WHERE at_ms < ? OR at_ms > ?)"
                return try Bool.fetchOne(db, sql: sql, arguments: Self.remembered(wall)) == true
            }
            return isDue ? try pool.write { try Self.forgetCommands(wall: wall, in: $0) } : 0
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// Does the same inside the caller's transaction.
    static func forgetCommands(wall: Date, in db: Database) throws -> Int {
        try db.execute(sql: "DELETE FROM cmd_seen WHERE at_ms < ? OR at_ms > ?", arguments: remembered(wall))
        return db.changesCount
    }

    /// From when to when responses are kept. A clock that was set back must not keep them for longer.
    private static func remembered(_ wall: Date) -> StatementArguments {
        let now = Timestamp.milliseconds(wall)
        return [now - CommandLog.memoryMs, now + CommandLog.memoryMs]
    }
}

extension Store {
    /// The responses to commands.
    public var commands: CommandLog { CommandLog(store: self) }

    /// Texts that are stored across restarts.
    public enum Note: Sendable {
        /// Cameras switched by command (JSON).
        case cameraSwitches
        /// The model chosen by command; empty for none.
        case model
        /// The components announced to Home Assistant (JSON).
        case discovery
        /// The newest position sent: epoch and position.
        case sent
        /// Where the node publishes, and where it did before (JSON).
        case homes

        fileprivate var key: Meta.Key {
            switch self {
            case .cameraSwitches: .cameraSwitches
            case .model: .model
            case .discovery: .discovery
            case .sent: .sent
            case .homes: .homes
            }
        }
    }

    /// The stored text; `nil` if there is none.
    ///
    /// - Throws: ``HistoryError``.
    public func value(of note: Note) throws -> String? {
        do {
            return try pool.read { try Meta.value(note.key, in: $0) }
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// The stored text of a history that a node may write meanwhile; `nil` if there is none.
    ///
    /// - Throws: ``HistoryError``.
    public static func value(of note: Note, in query: HistoryQuery) throws -> String? {
        try query.read { try Meta.value(note.key, in: $0) }
    }

    /// Stores a text in place of the last one.
    ///
    /// - Throws: ``HistoryError``.
    public func write(_ text: String, as note: Note) throws {
        try write { try Meta.set(note.key, text, in: $0) }
    }
}
