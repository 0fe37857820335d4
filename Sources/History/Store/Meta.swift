import GRDB

/// The few facts about the file itself: one row each in `meta`.
struct Meta {
    enum Key: String {
        case nodeId = "node_id"
        case epoch
        /// The last connection number handed out.
        case connection = "sid"
        /// `1` after a clean end, `0` while a writer is at work.
        case cleanShutdown = "clean_shutdown"
        /// The number of the last batch that was committed; a batch is never applied twice.
        case batch
        /// The zone whose midnights cut the days.
        case timeZone = "tz"
        /// Milliseconds since 1970 at which the file was begun.
        case created = "created_ms"
        /// Milliseconds since 1970 of the last commit.
        case committed = "committed_ms"
        /// Cameras that were switched by command, over what the configuration says (JSON).
        case cameraSwitches = "camera_switches"
        /// The model that was chosen by command, over what the configuration says.
        case model
        /// What Home Assistant was told there is, and was there (JSON).
        case discovery
        /// Up to where records were sent: epoch and position.
        case sent
    }

    let pool: DatabasePool

    func value(_ key: Key) throws -> String? { try pool.read { try Self.value(key, in: $0) } }

    func set(_ key: Key, _ value: String) throws { try pool.write { try Self.set(key, value, in: $0) } }

    static func value(_ key: Key, in db: Database) throws -> String? {
        try String.fetchOne(db, sql: "SELECT v FROM meta WHERE k = ?", arguments: [key.rawValue])
    }

    static func set(_ key: Key, _ value: String, in db: Database) throws {
        try db.cachedStatement(sql: "INSERT INTO meta(k, v) VALUES(?, ?) ON CONFLICT(k) DO UPDATE SET v = excluded.v")
            .execute(arguments: [key.rawValue, value])
    }
}
