import Foundation
import GRDB

/// What a look at the whole file found: `spotter db check --json`.
public struct DatabaseReport: Sendable, Codable, Equatable {
    public let path: String
    public let sessions: Int
    public let predictions: Int
    public let records: Int
    /// SQLite's own words; empty when all is well.
    public let problems: [String]
}

extension HistoryQuery {
    /// Reads every page and index.
    public func check() throws -> DatabaseReport {
        try read { db in
            let lines = try String.fetchAll(db, sql: "PRAGMA integrity_check(20)")
            let orphans = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").count
            let count = { (table: String) in try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0 }
            return DatabaseReport(
                path: path, sessions: try count("session"), predictions: try count("prediction"),
                records: try count("record"),
                problems: lines.filter { $0 != "ok" } + (orphans > 0 ? ["\(orphans) rows without their session"] : []))
        }
    }

    /// Writes a whole, compact copy; the writer goes on meanwhile.
    ///
    /// - Throws: ``HistoryError/notWritable(path:reason:)`` when the copy exists or cannot be written.
    public func backup(to copy: String) throws {
        guard !FileManager.default.fileExists(atPath: copy) else {
            throw HistoryError.notWritable(path: copy, reason: "it exists already")
        }
        do {
            try reader.unsafeRead { try $0.execute(sql: "VACUUM INTO ?", arguments: [copy]) }
        } catch {
            throw HistoryError.notWritable(path: copy, reason: error.reason)
        }
    }
}

extension Store {
    /// Puts a sound copy in the place of a history nobody writes: a new epoch, and connection numbers that go on.
    ///
    /// - Returns: where the file lies that was there before.
    /// - Throws: ``HistoryError/locked(path:holder:)`` while a node runs.
    public static func restore(_ copy: String, to path: String, wall: Date = Date()) throws -> String? {
        try prepareDirectory(of: path, settings: HistorySettings())
        let lock = try StoreLock(database: path)
        defer { withExtendedLifetime(lock) {} }
        let before =
            FileManager.default.fileExists(atPath: path) ? try setAside(path, "before-restore", wall: wall) : nil
        do {
            // First beside its place, then into it: a torn copy never has the history's name.
            let half = path + ".restoring"
            try? FileManager.default.removeItem(atPath: half)
            try FileManager.default.copyItem(atPath: copy, toPath: half)
            try beginEpoch(half, connection: before.flatMap(lastConnection))
            try FileManager.default.moveItem(atPath: half, toPath: path)
        } catch {
            throw HistoryError(error, path: path, opening: true)
        }
        return before
    }

    private static func beginEpoch(_ path: String, connection: Int64?) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            try db.execute(sql: "DELETE FROM meta WHERE k = ?", arguments: [Meta.Key.epoch.rawValue])
            let own = Int64(try Meta.value(.connection, in: db) ?? "") ?? 0
            try Meta.set(.connection, String(max(own, connection ?? 0)), in: db)
        }
        try queue.close()
    }

    /// A file that is unreadable has no number to go on from.
    private static func lastConnection(_ path: String) -> Int64? {
        guard let queue = try? DatabaseQueue(path: path) else { return nil }
        return (try? queue.read { try Meta.value(.connection, in: $0) }).flatMap { Int64($0) }
    }
}
