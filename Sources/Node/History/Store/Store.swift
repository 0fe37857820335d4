import Foundation
import GRDB
import Records

/// The writer's access to the history: a SQLite file in WAL mode, where a commit is on disk when it returns.
///
/// A lock allows one store per file on the machine. Readers use ``HistoryQuery/init(path:)`` at the same time.
public final class Store: Sendable {
    /// The path of the database file.
    public let path: String
    /// How the history is kept.
    public let settings: HistorySettings
    /// The node and the epoch of all records written here.
    public let identity: NodeIdentity
    /// Whether the history was made up.
    public let isMadeUp: Bool
    /// What happened while the file was opened. Log these events, and show problems as such.
    public let openingEvents: [OpeningEvent]
    /// GRDB's connections: one writer and its readers.
    package let pool: DatabasePool
    let watch: DatabaseFileWatch
    private let lock: StoreLock
    private let counter = CommitCounter()

    /// Opens the history, or creates a new one and its directory.
    ///
    /// Migrates an older schema (after a copy to `<path>.before-v<N>`), moves a damaged file aside, and closes sessions
    /// that a crashed run left open.
    /// - Parameters:
    ///   - content: what the file may hold.
    ///   - wall: the current time, for what is recorded while opening.
    ///   - clock: the state of the machine's clock.
    /// - Throws: ``HistoryError``; the file is then unchanged.
    public convenience init(
        path: String, settings: HistorySettings = HistorySettings(), content: HistoryContent = .any,
        wall: Date = Date(), clock: ClockReading = .now()
    ) throws {
        try self.init(path: path, settings: settings, content: content, wall: wall, clock: clock) { _ in }
    }

    /// Opens the history like the public initialiser.
    ///
    /// - Parameter atStep: called at each step of the replacement of a damaged file; for tests.
    package init(
        path: String, settings: HistorySettings, content: HistoryContent = .any, wall: Date, clock: ClockReading,
        atStep: @escaping (FileReplacement.Step) throws -> Void
    ) throws {
        self.path = path
        self.settings = settings
        try Self.prepareDirectory(of: path, settings: settings)
        lock = try StoreLock(database: path)
        try content.prepare(path)
        let finished = try FileReplacement.finish(path, wall: wall)
        do {
            (pool, identity, openingEvents) = try Self.begin(
                path, settings: settings, wall: wall, clock: clock, finished: finished)
        } catch let damage where damage.isDamage {
            let (aside, saved) = try Recovery.replace(path, settings: settings, wall: wall, atStep: atStep)
            let event = OpeningEvent.setAside(path: aside, reason: damage.reason, savedSessions: saved)
            (pool, identity, openingEvents) = try Self.begin(
                path, settings: settings, wall: wall, clock: clock, after: event)
        }
        if case .newMadeUp(let seed) = content { try Self.mark(pool, madeUpWith: seed) }
        isMadeUp = try Meta(pool: pool).value(.madeUp) != nil
        watch = try DatabaseFileWatch(path: path, mark: Self.mark(pool))
        pool.add(transactionObserver: counter)
    }

    /// Transactions committed since the history was opened.
    public var commits: Int { counter.count }

    /// Queries on the history. They can run on any thread, also during a write.
    public var query: HistoryQuery { HistoryQuery(reader: pool, path: path) }

    /// Marks the shutdown as clean, empties the write-ahead log and closes the file. Later writes fail.
    ///
    /// - Throws: ``HistoryError/storage(_:path:reason:)`` when the mark cannot be written; committed data is safe.
    public func close() throws {
        do {
            try Meta(pool: pool).set(.cleanShutdown, "1")
            try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            try pool.close()
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// Moves the write-ahead log into the database file and empties it. Call this hourly, so that the log does not
    /// grow.
    ///
    /// - Throws: ``HistoryError``.
    public func checkpoint() throws {
        do {
            try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY || error.resultCode == .SQLITE_LOCKED
        {
            return  // A reader still uses older pages; the next call tries again.
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// The next connection number. It is larger than every earlier one, also those of earlier runs.
    ///
    /// - Throws: ``HistoryError``.
    public func nextConnectionId() throws -> Int64 {
        try write { db in
            let next = (Int64(try Meta.value(.connection, in: db) ?? "") ?? 0) + 1
            try Meta.set(.connection, String(next), in: db)
            return next
        }
    }

    /// Runs one transaction. A failure leaves the file unchanged.
    ///
    /// - Throws: ``HistoryError``.
    func write<T>(_ change: (Database) throws -> T) throws -> T {
        do { return try pool.write(change) } catch { throw HistoryError(error, path: path) }
    }

    /// Makes all writes fail, as on a file system that became read-only; for tests.
    package func simulateReadOnly(_ readOnly: Bool) throws {
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = \(readOnly ? "ON" : "OFF")") }
    }

    /// Prevents the file from growing, as on a full disk; for tests.
    package func simulateFullDisk(_ full: Bool) throws {
        try pool.writeWithoutTransaction { db in
            let pages = try Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            try db.execute(sql: "PRAGMA max_page_count = \(full ? pages : Self.pageLimit(settings))")
        }
    }
}

/// Something that happened while the history was opened.
public enum OpeningEvent: Sendable, Equatable {
    /// The file was damaged. It is now at `path`; `savedSessions` of its sessions were copied into a new file.
    case setAside(path: String, reason: String, savedSessions: Int)
    /// This many sessions of a crashed run were closed at their last committed moment.
    case closedOrphans(Int)
    /// This many records were corrected, because they were written before the clock was set.
    case correctedClock(Int)
    /// The last run did not close the history.
    case uncleanStart
}

extension OpeningEvent: CustomStringConvertible {
    public var description: String {
        switch self {
        case .setAside(let path, let reason, let saved):
            "the history was damaged (\(reason)): it was moved to \(path), \(saved.counted("session")) saved into a new one: "
                + "keep the old file until you have looked at it, then delete it"
        case .closedOrphans(let count):
            "\(count.counted("open session was", "open sessions were")) closed, which the last run left behind"
        case .correctedClock(let count):
            "the clock was set: \(count.counted("record")) from before now have the right time"
        case .uncleanStart:
            "the last run did not end cleanly; at most the last seconds before it ended are missing"
        }
    }
}
