import Foundation
import GRDB

/// The answers to commands, kept for ten minutes: a command that comes twice is answered twice and carried out once,
/// also across a restart.
public struct CommandLog: Sendable {
    public static let memory = Duration.seconds(600)
    private static let memoryMs: Int64 = 600_000

    let store: Store

    /// The answer that was given to the command of this id within the last ten minutes.
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

    /// Remembers an answer, and forgets the old ones.
    public func remember(_ response: String, to id: String, wall: Date) throws {
        let now = Timestamp.milliseconds(wall)
        try store.write { db in
            try db.execute(
                sql: "DELETE FROM cmd_seen WHERE at_ms NOT BETWEEN ? AND ?",
                arguments: [now - Self.memoryMs, now + Self.memoryMs])
            try db.execute(
                sql: "INSERT OR REPLACE INTO cmd_seen(id, at_ms, response) VALUES(?, ?, ?)",
                arguments: [id, now, response])
        }
    }
}

extension Store {
    public var commands: CommandLog { CommandLog(store: self) }

    /// Notes that outlive the process.
    public enum Note: Sendable {
        /// Cameras switched by command.
        case cameraSwitches
        /// The model chosen by command; empty for none.
        case model
        /// What Home Assistant was told.
        case discovery
        /// Up to where records were sent: epoch and position.
        case sent

        fileprivate var key: Meta.Key {
            switch self {
            case .cameraSwitches: .cameraSwitches
            case .model: .model
            case .discovery: .discovery
            case .sent: .sent
            }
        }
    }

    public func value(of note: Note) throws -> String? {
        do {
            return try pool.read { try Meta.value(note.key, in: $0) }
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    public func write(_ text: String, as note: Note) throws {
        try write { try Meta.set(note.key, text, in: $0) }
    }
}
