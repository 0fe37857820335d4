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
            DatabaseFiles.removeDatabase(copy)
            throw error.isDamage
                ? HistoryError.unreadable(path: path, reason: error.reason)
                : HistoryError.notWritable(path: copy, reason: error.reason)
        }
        DatabaseFiles.restrict(copy, isNew: true)
    }
}

extension Store {
    /// Puts a sound copy in the place of a history nobody writes: a new epoch, and connection numbers that go on. The
    /// copy is made and checked beside the history first; until then the history stays as it is.
    ///
    /// - Returns: where the file lies that was there before.
    /// - Throws: ``HistoryError/locked(path:holder:)`` while a node runs, ``HistoryError/unreadable(path:reason:)`` for
    ///   a copy that is no sound history.
    public static func restore(_ copy: String, to path: String, wall: Date = Date()) throws -> String? {
        try restore(copy, to: path, wall: wall) { _ in }
    }

    /// - Parameter atStep: called at each step of the replacement; for tests.
    package static func restore(
        _ copy: String, to path: String, wall: Date, atStep: @escaping (FileReplacement.Step) throws -> Void
    ) throws -> String? {
        try prepareDirectory(of: path, settings: HistorySettings())
        let lock = try StoreLock(database: path)
        defer { withExtendedLifetime(lock) {} }
        _ = try FileReplacement.finish(path, wall: wall)
        let replacement = FileReplacement(kind: .restore, path: path, wall: wall, atStep: atStep)
        do {
            try HistoryQuery(path: copy).backup(to: replacement.part)
            try atStep(.halfBuilt)
            try checkCopy(replacement.part, of: copy)
            try beginEpoch(replacement.part, connection: lastConnection(path))
            return try replacement.install()
        } catch {
            DatabaseFiles.removeDatabase(replacement.part)
            throw HistoryError(error, path: path, opening: true)
        }
    }

    private static func checkCopy(_ part: String, of copy: String) throws {
        let queue = try DatabaseQueue(path: part)
        try queue.read { db in
            try checkSchema(db, path: copy)
            for table in ["meta", "session", "record", "prediction"] where try !db.tableExists(table) {
                throw HistoryError.unreadable(path: copy, reason: "it is no history: it has no table '\(table)'")
            }
        }
        try queue.close()
        if let problem = try HistoryQuery(path: part).check().problems.first {
            throw HistoryError.unreadable(path: copy, reason: problem)
        }
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
        guard let status = DatabaseFiles.status(path), status.st_size > 0 else { return nil }
        var configuration = Configuration()
        configuration.readonly = true
        guard let queue = try? DatabaseQueue(path: path, configuration: configuration) else { return nil }
        return (try? queue.read { try Meta.value(.connection, in: $0) }).flatMap { Int64($0) }
    }
}
