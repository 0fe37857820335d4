import Foundation
import GRDB
import Records

/// What an import added, and what it left unchanged.
public struct ImportReport: Sendable, Codable, Equatable {
    /// The rows that were added, by table.
    public var added: [String: Int] = [:]
    /// The rows that existed already, by table.
    public var present: [String: Int] = [:]
    /// The sessions that were open when the export was written. They are not imported; a later export has their end.
    public var openSessions = 0
    /// The sessions that were deleted on this node earlier, and stay deleted.
    public var deletedSessions = 0
    /// The workouts that went on when the export was written. They are not imported.
    public var openWorkouts = 0
    /// The days that were there already and whose sums changed, by imported sessions or corrections.
    public var changedDays = 0
    /// The sets of sessions that were there already and that the export corrects otherwise.
    public var changedSets = 0

    enum CodingKeys: String, CodingKey {
        case added, present
        case openSessions = "open_sessions"
        case deletedSessions = "deleted_sessions"
        case openWorkouts = "open_workouts"
        case changedDays = "changed_days"
        case changedSets = "changed_sets"
    }
}

/// Why a row of an export cannot be imported. Nothing of the export was imported then.
public struct ImportError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public let reason: String
    /// What to do.
    public let advice: String

    /// An error with this reason.
    public init(_ reason: String, advice: String = "give an export of `spotter export`, whole and unchanged") {
        (self.reason, self.advice) = (reason, advice)
    }

    public var description: String { "\(reason); nothing was imported: \(advice)" }
}

extension Store {
    /// The memory for pages that are not written yet, kB. SQLite's own 2 MB would write many of them twice.
    private static let cacheKilobytes = 16_000

    /// Adds an export to the history, in one transaction. Existing rows stay as they are, so importing twice has no
    /// further effect: a session, a workout, a rollup and an absence are identified by their ids, a day by its date and camera, a
    /// prediction by its moment, camera and person. The totals of a day and of five minutes follow later exports, and so do the
    /// corrections of a session.
    ///
    /// Importing publishes nothing and leaves positions, cursors and the epoch unchanged. The node that recorded the
    /// sessions has already published them under the same ids and revisions.
    ///
    /// Every row is checked by ``ImportCheck`` before it is stored. If you can read an export twice, check all of it
    /// first.
    /// - Parameter next: returns the rows in the order of an export; `nil` at the end.
    /// - Throws: ``ImportError``, ``HistoryError``, or the error of `next`; nothing was then changed.
    public func importing(_ next: () throws -> ExportRow?) throws -> ImportReport {
        do {
            return try withRollbackJournal {
                try pool.write { db in
                    var importer = try Importer(
                        db, idleMilliseconds: SessionDeletion.idleMilliseconds(settings.sessionIdle),
                        timeZone: settings.timeZone)
                    while let row = try next() { try importer.insert(row) }
                    return try importer.finish()
                }
            }
        } catch let error as DatabaseError {
            throw HistoryError(error, path: path)
        }
    }

    /// Runs one large transaction with a rollback journal in place of the write-ahead log. The log would hold every new
    /// page until the end, so it would be as large as the import. The journal holds only the old pages that change, and
    /// new pages go to their place at once. A crash is undone by the journal when the file is opened next.
    ///
    /// While another program reads the history, the log cannot be left, and the transaction runs in it.
    private func withRollbackJournal<T>(_ work: () throws -> T) throws -> T {
        pool.invalidateReadOnlyConnections()
        let usual = try pool.writeWithoutTransaction { db in
            // Refused while another process reads; the mode then stays. A journal needs a folder that takes it.
            if access(URL(filePath: path).deletingLastPathComponent().path, W_OK) == 0 {
                _ = try? String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE")
            }
            let usual = try Int.fetchOne(db, sql: "PRAGMA cache_size") ?? -2000
            try db.execute(sql: "PRAGMA cache_size = -\(Self.cacheKilobytes)")
            return usual
        }
        defer {
            try? pool.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA cache_size = \(usual)")
                _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
            }
        }
        return try work()
    }
}
