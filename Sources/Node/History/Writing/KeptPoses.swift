import Foundation
import GRDB

/// A few seconds of the joints of one session's person, as they are stored: without pictures.
///
/// The history does not read the joints themselves.
public struct KeptPoses: Sendable, Equatable {
    /// The session's id.
    public internal(set) var session: String
    /// When the first and the last frame were seen, milliseconds since 1970.
    public let startMilliseconds, endMilliseconds: Int64
    /// The joints, packed.
    public let data: [UInt8]

    /// The poses of these seconds.
    public init(session: String, startMilliseconds: Int64, endMilliseconds: Int64, data: [UInt8]) {
        self.session = session
        self.startMilliseconds = startMilliseconds
        self.endMilliseconds = endMilliseconds
        self.data = data
    }

    /// Above this share of the largest size of the file no poses are written, so that they never keep a session from
    /// the disk. Retention begins to make room below it.
    private static let fullest = 0.95

    /// Inserts poses. Those of a session that was deleted meanwhile are left out.
    ///
    /// - Returns: how many did not fit.
    static func insert(_ all: [KeptPoses], in db: Database) throws -> Int {
        var dropped = 0
        for poses in all {
            guard try usedShare(db) <= fullest else {
                dropped += 1
                continue
            }
            // A missing session would otherwise make the batch fail at every attempt.
            try db.cachedStatement(
                sql: """
                    INSERT OR IGNORE INTO kept_pose(session, start_ms, end_ms, data)
                    SELECT id, ?, ?, ? FROM session WHERE id = ?
                    """
            ).execute(arguments: [
                poses.startMilliseconds, poses.endMilliseconds, Data(poses.data), poses.session,
            ])
        }
        return dropped
    }

    private static func usedShare(_ db: Database) throws -> Double {
        func pragma(_ name: String) throws -> Double { Double(try Int64.fetchOne(db, sql: "PRAGMA \(name)") ?? 0) }
        return try (pragma("page_count") - pragma("freelist_count")) / max(1, pragma("max_page_count"))
    }
}
