import Foundation
import GRDB

/// What a history holds: what was seen, or what was made up to look at. The two never mix in one file.
public enum HistoryContent: Sendable, Equatable {
    /// Either of both, as for a look or a correction.
    case any
    /// What was seen. A made-up history is refused.
    case seen
    /// What was made up. A history of what was seen is refused, and so is a missing one.
    case madeUp
    /// A new made-up history in the place of an earlier one. A history of what was seen is refused.
    case newMadeUp(seed: UInt64)

    /// Refuses a file that holds something else, and removes an earlier made-up one. Call this under the lock of the file.
    ///
    /// - Throws: ``HistoryError/madeUp(path:)``, ``HistoryError/notMadeUp(path:)``, ``HistoryError/missing(path:)``.
    func prepare(_ path: String) throws {
        if self == .any { return }
        let isThere = DatabaseFiles.exists(path)
        // A damaged file is nothing that was made up: whoever keeps what is seen saves what is left of it.
        let isMadeUp = isThere && (try? HistoryQuery(path: path).isMadeUp()) ?? false
        switch self {
        case .any: break
        case .seen: if isMadeUp { throw HistoryError.madeUp(path: path) }
        case .madeUp:
            if !isThere { throw HistoryError.missing(path: path) }
            if !isMadeUp { throw HistoryError.notMadeUp(path: path) }
        case .newMadeUp:
            if isThere, !isMadeUp { throw HistoryError.notMadeUp(path: path) }
            if isThere { DatabaseFiles.removeDatabase(path) }
        }
    }
}

extension Store {
    /// Marks a new history as made up. It is made in seconds and can be made again, so nothing waits for the disk.
    static func mark(_ pool: DatabasePool, madeUpWith seed: UInt64) throws {
        try Meta(pool: pool).set(.madeUp, String(seed))
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = OFF") }
    }
}

extension HistoryQuery {
    /// Whether the history was made up, so that nothing in it was seen.
    ///
    /// - Throws: ``HistoryError``.
    public func isMadeUp() throws -> Bool {
        try read { try $0.tableExists("meta") && Meta.value(.madeUp, in: $0) != nil }
    }
}
