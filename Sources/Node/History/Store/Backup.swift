import Foundation
import GRDB
import Records

/// The result of checking the whole file: `spotter db check --json`.
public struct DatabaseReport: Sendable, Codable, Equatable {
    /// The path of the database file.
    public let path: String
    /// The number of sessions.
    public let sessions: Int
    /// The number of single predictions.
    public let predictions: Int
    /// The number of records in the log.
    public let records: Int
    /// SQLite's messages; empty if the file is sound.
    public let problems: [String]
}

extension HistoryQuery {
    /// Checks every page and index.
    ///
    /// - Throws: ``HistoryError`` when the file cannot be read.
    public func check() throws -> DatabaseReport {
        try read { db in
            let lines = try String.fetchAll(db, sql: "PRAGMA integrity_check(20)")
            let orphans = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").count
            let count = { (table: String) in try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0 }
            let strays = orphans > 0 ? [orphans.counted("row") + " without their session"] : []
            return DatabaseReport(
                path: path, sessions: try count("session"), predictions: try count("prediction"),
                records: try count("record"), problems: lines.filter { $0 != "ok" } + strays)
        }
    }

    /// Writes a complete, compact copy. The writer can continue meanwhile.
    ///
    /// - Throws: ``HistoryError/notWritable(path:reason:)`` when the copy exists already or cannot be written,
    ///   ``HistoryError/unreadable(path:reason:)`` when the history is damaged.
    public func backup(to copy: String) throws {
        guard !FileManager.default.fileExists(atPath: copy) else {
            throw HistoryError.notWritable(path: copy, reason: "it exists already")
        }
        do {
            try reader.unsafeRead { try $0.execute(sql: "VACUUM INTO ?", arguments: [copy]) }
        } catch {
            DatabaseFiles.removeDatabase(copy)
            guard !error.isDamage else { throw HistoryError.unreadable(path: path, reason: error.reason) }
            guard (error as? DatabaseError)?.resultCode != .SQLITE_FULL else { throw HistoryError(error, path: copy) }
            throw HistoryError.notWritable(path: copy, reason: error.reason)
        }
        DatabaseFiles.restrict(copy, isNew: true)
    }
}

extension Store {
    /// Deletes the files of a history that was begun and not finished. No process may have it open.
    package static func removeFiles(_ path: String) { DatabaseFiles.removeDatabase(path) }

    /// Replaces a history that no process writes by a backup. It gets a new epoch; connection numbers continue. The
    /// backup is copied and checked first, and until then the history is not changed.
    ///
    /// - Returns: the new path of the replaced file; `nil` if there was none.
    /// - Throws: ``HistoryError/locked(path:holder:)`` while a node runs, ``HistoryError/unreadable(path:reason:)`` for
    ///   a backup that is damaged or no history.
    public static func restore(_ copy: String, to path: String, wall: Date = Date()) throws -> String? {
        try restore(copy, to: path, wall: wall) { _ in }
    }

    /// Restores a backup like the public method.
    ///
    /// - Parameter atStep: called at each step of the replacement; for tests.
    package static func restore(
        _ copy: String, to path: String, wall: Date, atStep: @escaping (FileReplacement.Step) throws -> Void
    ) throws -> String? {
        guard DatabaseFiles.exists(copy) else { throw HistoryError.missing(path: copy).ofBackup }
        try prepareDirectory(of: path, settings: HistorySettings())
        let lock = try StoreLock(database: path)
        defer { withExtendedLifetime(lock) {} }
        _ = try FileReplacement.finish(path, wall: wall)
        if DatabaseFiles.exists(path) {
            try (HistoryQuery(path: copy).isMadeUp() ? HistoryContent.madeUp : .seen).prepare(path)
        }
        let replacement = FileReplacement(kind: .restore, path: path, wall: wall, atStep: atStep)
        do {
            try HistoryQuery(path: copy).backup(to: replacement.part)
            try atStep(.halfBuilt)
            try checkCopy(replacement.part, of: copy)
            try beginEpoch(replacement.part, connection: lastConnection(path))
            return try replacement.install()
        } catch {
            DatabaseFiles.removeDatabase(replacement.part)
            let reason = HistoryError(error, path: path, opening: true)
            if case .unreadable(copy, _) = reason { throw reason.ofBackup }
            throw reason
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
            try Meta.set(.cleanShutdown, Meta.restored, in: db)
            let own = Int64(try Meta.value(.connection, in: db) ?? "") ?? 0
            try Meta.set(.connection, String(max(own, connection ?? 0)), in: db)
        }
        try queue.close()
    }

    /// The last connection number of a history; `nil` if the file cannot be read.
    private static func lastConnection(_ path: String) -> Int64? {
        guard let status = DatabaseFiles.status(path), status.st_size > 0 else { return nil }
        var configuration = Configuration()
        configuration.readonly = true
        guard let queue = try? DatabaseQueue(path: path, configuration: configuration) else { return nil }
        return (try? queue.read { try Meta.value(.connection, in: $0) }).flatMap { Int64($0) }
    }
}
