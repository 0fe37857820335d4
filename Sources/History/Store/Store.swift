import Foundation
import GRDB

/// The one writer's hold on the history: a SQLite file in WAL mode, where a commit is on disk when it returns.
///
/// At most one store per file exists on the machine, by a lock; readers use ``HistoryQuery/init(path:)`` beside it.
public final class Store: Sendable {
    public let path: String
    public let settings: HistorySettings
    /// Who this node is in every record it makes.
    public let identity: NodeIdentity
    /// What had to be mended when the file was opened; to be logged, and shown as a problem where it is one.
    public let openingEvents: [OpeningEvent]
    package let pool: DatabasePool
    let watch: DatabaseFileWatch
    private let lock: StoreLock
    private let counter = CommitCounter()

    /// Opens the history, or makes a new one with its directory.
    ///
    /// Brings an older schema up to date (after a copy `<path>.before-v<N>`), sets a damaged file aside, and closes the
    /// sessions a dead run left open.
    /// - Parameters:
    ///   - wall: the time now, for what has to be recorded while opening.
    ///   - clock: whether it can be believed.
    /// - Throws: ``HistoryError``; the file is then as it was.
    public convenience init(
        path: String, settings: HistorySettings = HistorySettings(), wall: Date = Date(), clock: ClockReading = .now()
    ) throws {
        try self.init(path: path, settings: settings, wall: wall, clock: clock) { _ in }
    }

    /// - Parameter atStep: called at each step of the replacement of a damaged file; for tests.
    package init(
        path: String, settings: HistorySettings, wall: Date, clock: ClockReading,
        atStep: @escaping (FileReplacement.Step) throws -> Void
    ) throws {
        self.path = path
        self.settings = settings
        try Self.prepareDirectory(of: path, settings: settings)
        lock = try StoreLock(database: path)
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
        watch = try DatabaseFileWatch(path: path, mark: Self.mark(pool))
        pool.add(transactionObserver: counter)
    }

    /// Transactions written since the history was opened.
    public var commits: Int { counter.count }

    /// What is in the history; may be asked from any thread while the writer writes.
    public var query: HistoryQuery { HistoryQuery(reader: pool, path: path) }

    /// Marks the end as clean, empties the write-ahead log and closes the file. Writes fail from here on.
    ///
    /// - Throws: ``HistoryError/storage(_:path:reason:)`` when the mark cannot be written; what was committed is safe.
    public func close() throws {
        do {
            try Meta(pool: pool).set(.cleanShutdown, "1")
            try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            try pool.close()
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// Moves the write-ahead log into the database file and empties it: hourly, so that it does not grow.
    public func checkpoint() throws {
        do {
            try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY || error.resultCode == .SQLITE_LOCKED
        {
            return  // A reader holds on to older pages; the next hour will do.
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    /// The next connection number: larger than every one handed out before, also by earlier runs.
    public func nextConnectionId() throws -> Int64 {
        try write { db in
            let next = (Int64(try Meta.value(.connection, in: db) ?? "") ?? 0) + 1
            try Meta.set(.connection, String(next), in: db)
            return next
        }
    }

    /// One transaction; a failure leaves the file as it was and is told in this room's words.
    func write<T>(_ change: (Database) throws -> T) throws -> T {
        do { return try pool.write(change) } catch { throw HistoryError(error, path: path) }
    }

    /// Lets nothing be written, as a file system that became read-only does; for tests.
    package func simulateReadOnly(_ readOnly: Bool) throws {
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = \(readOnly ? "ON" : "OFF")") }
    }

    /// Lets the file grow by no page more, as a full disk does; for tests.
    package func simulateFullDisk(_ full: Bool) throws {
        try pool.writeWithoutTransaction { db in
            let pages = try Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            try db.execute(sql: "PRAGMA max_page_count = \(full ? pages : Self.pageLimit(settings))")
        }
    }
}

/// Something that happened while the history was opened.
public enum OpeningEvent: Sendable, Equatable {
    /// The file was damaged: it now stands at `path`, a new one was begun, and so many sessions were saved into it.
    case setAside(path: String, reason: String, savedSessions: Int)
    /// So many sessions of a run that died were closed at their last committed moment.
    case closedOrphans(Int)
    /// So many records were corrected: they were written before the clock was set.
    case correctedClock(Int)
    /// The last run did not close the history.
    case uncleanStart
}

extension OpeningEvent: CustomStringConvertible {
    public var description: String {
        switch self {
        case .setAside(let path, let reason, let saved):
            "the history was damaged (\(reason)): it was moved to \(path), \(saved) sessions saved into a new one: "
                + "keep the old file until you have looked at it, then delete it"
        case .closedOrphans(let count):
            "\(count) open sessions of the last run were closed with the reason crash"
        case .correctedClock(let count):
            "\(count) records from before the clock was set have their right time now"
        case .uncleanStart:
            "the last run did not end cleanly; at most the last seconds before it ended are missing"
        }
    }
}
