import Actions
import Foundation
import GRDB
import Records

extension Store {
    /// Creates the directory and checks that it is writable and on a local disk.
    static func prepareDirectory(of path: String, settings: HistorySettings) throws {
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try refuseRoot(in: directory)
        do {
            let isNew = !DatabaseFiles.exists(directory)
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o750])
            if isNew { chmod(directory, 0o750) }
        } catch {
            throw HistoryError.notWritable(path: path, reason: error.fileReason)
        }
        guard settings.allowNetworkFilesystem || networkFilesystem(at: directory) == nil else {
            throw HistoryError.networkFilesystem(path: path, kind: networkFilesystem(at: directory) ?? "a network disk")
        }
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue {
            throw HistoryError.notWritable(path: path, reason: "it is a directory")
        }
        guard access(directory, W_OK) == 0, access(path, F_OK) != 0 || access(path, W_OK) == 0 else {
            let reason = String(cString: strerror(errno))
            let mend = DatabaseFiles.ofRoot(path).map { "; `sudo chown \($0.owner): \(path)*` mends it" } ?? ""
            throw HistoryError.notWritable(path: path, reason: reason + mend)
        }
    }

    /// Root writes nothing where the files of another user lie, such as those of the service.
    private static func refuseRoot(in directory: String) throws {
        guard geteuid() == 0 else { return }
        var folder = URL(fileURLWithPath: directory)
        while !DatabaseFiles.exists(folder.path), folder.path != "/" { folder.deleteLastPathComponent() }
        guard let owner = DatabaseFiles.status(folder.path)?.st_uid, owner != 0 else { return }
        throw HistoryError.ownedByOther(path: folder.path, owner: DatabaseFiles.name(of: owner))
    }

    /// Opens the file and prepares it: identity, sessions of a crashed run, clock corrections, and the mark of an
    /// unclean shutdown.
    ///
    /// - Throws: SQLite's own error for a damaged file, which is then closed; ``HistoryError`` for everything else.
    static func begin(
        _ path: String, settings: HistorySettings, wall: Date, clock: ClockReading,
        finished aside: String? = nil, after recovery: OpeningEvent? = nil
    ) throws -> (DatabasePool, NodeIdentity, [OpeningEvent]) {
        do {
            let pool = try open(path, settings: settings)
            var events = [recovery].compactMap { $0 }
            if let aside {
                let saved = try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM session") ?? 0 }
                events.append(.setAside(path: aside, reason: "found at an earlier start", savedSessions: saved))
            }
            let identity = try NodeIdentity.establish(in: pool, configured: settings.nodeId, wall: wall)
            let meta = Meta(pool: pool)
            let shutdown = try meta.value(.cleanShutdown)
            if shutdown == "0" { events.append(.uncleanStart) }
            let reason: Session.EndReason = shutdown == Meta.restored ? .restored : .crash
            let closed = try OrphanedSessions.close(in: pool, as: reason, wall: wall, clock: clock.state)
            if closed > 0 { events.append(.closedOrphans(closed)) }
            try RollupRows.recordLeftOvers(in: pool, wall: wall, clock: clock.state)
            let corrected = try pool.write {
                try UnsyncedClockStretch.correct(
                    clock, wall: wall, calendar: DayCalendar(timeZone: settings.timeZone), in: $0)
            }
            if corrected > 0 { events.append(.correctedClock(corrected)) }
            if clock.state == .unsynced {
                _ = try pool.write {
                    try ClockStretch.current(clock, wallMilliseconds: Timestamp.milliseconds(wall), in: $0)
                }
            }
            try meta.set(.cleanShutdown, "0")
            try meta.set(.timeZone, settings.timeZone.identifier)
            return (pool, identity, events)
        } catch  where error.isDamage && recovery == nil {
            throw error
        } catch {
            throw HistoryError(error, path: path, opening: true)
        }
    }

    /// The pages that a connection keeps.
    private static let cacheKilobytes = 512

    /// Opens the file, checks it, copies an older schema, and migrates.
    static func open(_ path: String, settings: HistorySettings) throws -> DatabasePool {
        let isNew = !DatabaseFiles.exists(path)
        // SQLite treats an empty file as a new database and deletes its log.
        if DatabaseFiles.status(path)?.st_size == 0 {
            throw DatabaseError(resultCode: .SQLITE_NOTADB, message: "it is empty")
        }
        DatabaseFiles.undoInterruptedImport(path)
        if !isNew { try refuseNewer(path) }
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = 2
        // SQLite takes each page of its cache from the heap, for as long as the connection lasts, and what is freed between
        // them cannot go back to the system. The system has the file in its own cache.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -\(cacheKilobytes)") }
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.writeWithoutTransaction { db in
            // GRDB sets NORMAL for WAL files. With NORMAL a power failure can undo a commit that was already published.
            try db.execute(sql: "PRAGMA synchronous = FULL")
            try db.execute(sql: "PRAGMA max_page_count = \(pageLimit(settings))")
            // A deleted session must not be recoverable from the file.
            try db.execute(sql: "PRAGMA secure_delete = ON")
            try checkHealth(db)
        }
        for suffix in ["", "-wal", "-shm"] { DatabaseFiles.restrict(path + suffix, isNew: isNew) }
        let migrator = Migrations.migrator()
        if try !isNew && pool.read({ try !migrator.hasCompletedMigrations($0) }) { try snapshot(pool, path: path) }
        try migrator.migrate(pool)
        return pool
    }

    /// Refuses a file with a newer schema before GRDB opens it for writing, because that already changes the file.
    private static func refuseNewer(_ path: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.read { try checkSchema($0, path: path) }
        try queue.close()
    }

    static func pageLimit(_ settings: HistorySettings) -> Int64 { max(16, settings.maximumBytes / 4096) }

    /// Checks the whole file, about 1 s per 100 MB. A large file that was closed cleanly is not checked: damage in it
    /// shows during operation, ends the run, and is found at the next start.
    private static func checkHealth(_ db: Database) throws {
        let isSmall = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0 < 8192
        let isTrusted = try db.tableExists("meta") && Meta.value(.cleanShutdown, in: db) == "1"
        guard isSmall || !isTrusted else { return }
        let verdict = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "no answer"
        guard verdict == "ok" else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: verdict) }
    }

    static func checkSchema(_ db: Database, path: String) throws {
        let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard found > Migrations.version else { return }
        let copies = (max(1, found - 50)...found).map { "\(path).before-v\($0)" }
        let snapshot = copies.last { FileManager.default.fileExists(atPath: $0) }
        throw HistoryError.newerSchema(path: path, found: found, known: Migrations.version, snapshot: snapshot)
    }

    /// Makes a copy that an older program can use. An earlier copy for the same schema is replaced.
    private static func snapshot(_ pool: DatabasePool, path: String) throws {
        let copy = "\(path).before-v\(Migrations.version)"
        if FileManager.default.fileExists(atPath: copy) { try FileManager.default.removeItem(atPath: copy) }
        try pool.writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [copy]) }
        DatabaseFiles.restrict(copy, isNew: true)
    }

    /// Writes this run's mark into the file and empties the log, so that the mark is in the file itself.
    static func mark(_ pool: DatabasePool) throws -> UInt32 {
        let mark = UInt32.random(in: 1...UInt32(Int32.max))
        try pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA application_id = \(mark)")
            do { _ = try db.checkpoint(.truncate) } catch let error as DatabaseError
                where error.resultCode == .SQLITE_BUSY || error.resultCode == .SQLITE_LOCKED
            {
                return  // A reader still uses older pages; a later checkpoint writes the mark.
            }
        }
        return mark
    }

    /// The type of the network file system at `directory`, according to the mount table; `nil` for a local one.
    package static func networkFilesystem(at directory: String, mounts: String? = nil) -> String? {
        let kinds: Set<String> = [
            "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs", "afs", "ceph", "glusterfs",
        ]
        let place = URL(fileURLWithPath: directory).resolvingSymlinksInPath().path
        let table =
            mounts
            ?? FileManager.default.contents(atPath: "/proc/self/mounts").map {
                String(decoding: $0, as: UTF8.self)
            }
        let holding = (table ?? "").split(separator: "\n").compactMap { line -> (point: String, kind: String)? in
            let fields = line.split(separator: " ")
            guard fields.count > 2 else { return nil }
            let point = fields[1].replacingOccurrences(of: "\\040", with: " ")
            let isAbove = point == "/" || place == point || place.hasPrefix(point + "/")
            return isAbove ? (point, String(fields[2])) : nil
        }
        // The deepest mount point contains the directory. Of two mounts on the same point the later one is visible.
        guard let depth = holding.map(\.point.count).max() else { return nil }
        let kind = holding.last { $0.point.count == depth }?.kind
        return kind.flatMap { kinds.contains($0) ? $0 : nil }
    }
}

extension Error {
    /// Whether SQLite reports that the file is damaged or no database.
    var isDamage: Bool {
        guard let error = self as? DatabaseError else { return false }
        return error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_NOTADB
    }

    var reason: String { (self as? DatabaseError)?.message ?? self.fileReason }
}

extension HistoryError {
    /// Converts an error of SQLite or the file system. A ``HistoryError`` is kept.
    init(_ error: any Error, path: String, opening: Bool = false) {
        if let known = error as? HistoryError {
            self = known
            return
        }
        guard let failure = error as? DatabaseError else {
            self = .storage(.failing, path: path, reason: error.fileReason)
            return
        }
        let reason = failure.message ?? "SQLite error \(failure.resultCode.rawValue)"
        switch failure.resultCode {
        case .SQLITE_FULL: self = .storage(.diskFull, path: path, reason: reason)
        case .SQLITE_READONLY where !opening: self = .storage(.readOnly, path: path, reason: reason)
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
            self = .notWritable(path: path, reason: reason)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .unreadable(path: path, reason: reason)
        case .SQLITE_ERROR where opening && reason.hasPrefix("no such table"):
            self = .unreadable(path: path, reason: "it is no history of Spotter: \(reason)")
        case .SQLITE_IOERR where opening && DatabaseFiles.isFolder(path):
            self = .unreadable(path: path, reason: "it is a folder")
        default: self = .storage(.failing, path: path, reason: reason)
        }
    }
}
