import GRDB

/// Facts about the database file itself: one row each in `meta`.
struct Meta {
    enum Key: String {
        case nodeId = "node_id"
        case epoch
        /// The last connection number used.
        case connection = "sid"
        /// `1` after a clean shutdown, `0` while a writer is at work, ``Meta/restored`` after a restore.
        case cleanShutdown = "clean_shutdown"
        /// The number of the last committed batch, so that no batch is applied twice.
        case batch
        /// The time zone whose midnights separate the days.
        case timeZone = "tz"
        /// When the file was created, milliseconds since 1970.
        case created = "created_ms"
        /// When the last commit was made, milliseconds since 1970.
        case committed = "committed_ms"
        /// Cameras switched by command against the configuration (JSON).
        case cameraSwitches = "camera_switches"
        /// The model chosen by command against the configuration.
        case model
        /// The components announced to Home Assistant, and the removed ones (JSON).
        case discovery
        /// The newest position sent: epoch and position.
        case sent
        /// Where the node publishes, and where it did before (JSON).
        case homes
        /// Present where the history was made up.
        case madeUp = "made_up"
    }

    /// The value of ``Key/cleanShutdown`` in a restored backup.
    static let restored = "restored"

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
