/// The schema of the database: numbered migrations, which are part of the program.
package enum SchemaFiles {
    /// One step of the schema.
    package struct Migration: Sendable {
        /// Its number, from 1.
        package let number: Int
        /// Its name. The names in a database tell whether this program's migrations made it.
        package let name: String
        /// Its statements, of all its files.
        package let sql: String

        fileprivate init(number: Int, name: String, files: [[UInt8]]) {
            self.number = number
            self.name = name
            sql = files.map(SchemaFiles.text).joined(separator: "\n")
        }
    }

    /// All migrations, in order. A released one is never changed: what comes later has files of its own.
    package static let migrations = [
        Migration(
            number: 1, name: "schema",
            files: [
                PackageResources.tables_sql, PackageResources.packing_sql, PackageResources.bodies_sql,
                PackageResources.batch_sql, PackageResources.records_sql, PackageResources.sums_sql,
                PackageResources.days_sql,
                PackageResources.partitions_sql, PackageResources.views_sql, PackageResources.node_views_sql,
                PackageResources.rights_sql,
            ]),
        Migration(number: 2, name: "sides", files: [PackageResources.sides_sql]),
    ]

    /// The roles and rights that an administrator makes.
    package static let roles = text(PackageResources.roles_sql)
    /// The temporary tables of a connection.
    package static let incoming = text(PackageResources.incoming_sql)

    /// The oldest version of PostgreSQL that has what the schema needs.
    package static let oldestServer = 150_000

    /// Checks that the server is new enough, and that all migrations are applied.
    ///
    /// - Throws: ``PostgresError``, ``SchemaError``.
    package static func checkVersion(_ connection: PostgresConnection) throws {
        guard connection.serverVersion >= oldestServer else {
            throw SchemaError.oldServer(version: connection.serverVersion / 10_000)
        }
        let applied = try version(connection)
        guard applied == migrations.count else {
            throw SchemaError.otherVersion(found: applied, expected: migrations.count)
        }
    }

    /// The version of a database in which migrations of these names were applied.
    ///
    /// - Throws: ``SchemaError`` when they are not those of this program.
    package static func version(applied names: [String]) throws -> Int {
        for (name, migration) in zip(names, migrations) where name != migration.name {
            throw SchemaError.otherOrigin(name: name)
        }
        return names.count
    }

    /// The database's version: the number of its last migration, or 0 for an empty database.
    private static func version(_ connection: PostgresConnection) throws -> Int {
        let exists = try connection.rows(
            "SELECT to_regclass('spotter.migration') IS NOT NULL", [], "looking for the schema")
        guard exists.first?.first == "t" else { return 0 }
        let rows = try connection.rows(
            "SELECT name FROM spotter.migration ORDER BY number", [], "reading the schema's version")
        return try version(applied: rows.map { ($0.first ?? nil) ?? "" })
    }

    /// Applies the migrations that are missing, each in a transaction.
    ///
    /// - Returns: those that were applied.
    /// - Throws: ``PostgresError``, ``SchemaError``; what was applied before stays.
    package static func migrate(_ connection: PostgresConnection) throws -> [Migration] {
        guard connection.serverVersion >= oldestServer else {
            throw SchemaError.oldServer(version: connection.serverVersion / 10_000)
        }
        // Two migrations at once would both apply the same step.
        _ = try connection.rows("SELECT pg_advisory_lock(hashtext('spotter-sink migrate'))", [], "taking the lock")
        let applied = try version(connection)
        guard applied <= migrations.count else {
            throw SchemaError.otherVersion(found: applied, expected: migrations.count)
        }
        let missing = migrations.filter { $0.number > applied }
        for migration in missing {
            try connection.execute(
                """
                BEGIN;
                \(migration.sql)
                INSERT INTO spotter.migration(number, name, applied)
                VALUES(\(migration.number), '\(migration.name)', now());
                COMMIT;
                """, "applying \(migration.name)")
        }
        return missing
    }

    static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// The database's schema does not fit the program.
package enum SchemaError: Error, Equatable, CustomStringConvertible {
    /// The schema has another version than this program.
    case otherVersion(found: Int, expected: Int)
    /// Another program's migrations made the schema, such as those of a development version; the name is of the first one.
    case otherOrigin(name: String)
    /// PostgreSQL is too old.
    case oldServer(version: Int)

    package var description: String {
        switch self {
        case .otherVersion(0, _):
            "the database has no schema yet: run spotter-sink migrate as its owner, see spotter-sink migrate --help"
        case .otherVersion(let found, let expected) where found < expected:
            "the database has schema \(found), this program needs \(expected): run spotter-sink migrate as its owner"
        case .otherVersion(let found, let expected):
            "the database has schema \(found), newer than this program's \(expected): install the newer spotter-sink"
        case .otherOrigin(let name):
            """
            the database has the schema of a development version (\(name)) and cannot be brought up to date: dump it to \
            keep what it has, make a new database and run spotter-sink migrate; the nodes send again what they still keep
            """
        case .oldServer(let version):
            "PostgreSQL \(version) is too old: use version 15 or later"
        }
    }
}
