import Foundation
import GRDB

/// Whether the file at a store's path still is the one that was opened.
public enum FileCondition: Sendable, Equatable {
    case sound
    /// The file was deleted or moved away; only this process still has its content.
    case missing
    /// Another file has its name, or its content was overwritten by another history's.
    case replaced
    /// The write-ahead log was deleted; only this process still has what was committed last.
    case logLost
    case damaged(String)
}

/// Looks at the files of an open database from outside of SQLite, which believes its own memory for long.
///
/// The file stays open here as long as the database is: closing it before would drop SQLite's locks.
final class DatabaseFileWatch: Sendable {
    private let path: String
    private let descriptor: Int32
    private let file: FileNumber
    /// The log and its index.
    private let companions: [String: FileNumber]
    /// What marks the file as opened by this run, in the header's application id.
    private let marks: Set<UInt32>

    /// - Parameter mark: what was written into the file; until the log was emptied into it the one before is there.
    init(path: String, mark: UInt32) throws {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0, let file = DatabaseFiles.status(path).map(FileNumber.init) else {
            throw HistoryError.notWritable(path: path, reason: String(cString: strerror(errno)))
        }
        self.file = file
        companions = ["-wal", "-shm"].reduce(into: [:]) {
            $0[$1] = DatabaseFiles.status(path + $1).map(FileNumber.init)
        }
        marks = [mark, Self.mark(Self.header(of: descriptor))]
    }

    deinit { close(descriptor) }

    func check() -> FileCondition {
        guard let status = DatabaseFiles.status(path) else {
            let code = errno
            return code == ENOENT || code == ENOTDIR ? .missing : .damaged(String(cString: strerror(code)))
        }
        guard FileNumber(status) == file else { return .replaced }
        let header = Self.header(of: descriptor)
        guard header.count == 100 else { return .damaged(header.isEmpty ? "it is empty" : "it was cut off") }
        guard header.starts(with: Array("SQLite format 3\0".utf8)) else {
            return .damaged("its beginning is no database's")
        }
        guard marks.contains(Self.mark(header)) else { return .replaced }
        let areThere = companions.allSatisfy { DatabaseFiles.status(path + $0.key).map(FileNumber.init) == $0.value }
        return areThere ? .sound : .logLost
    }

    /// Takes the log and its index away from their names, where they are still the ones that belong to this run.
    func removeCompanions() {
        for (suffix, number) in companions where DatabaseFiles.status(path + suffix).map(FileNumber.init) == number {
            unlink(path + suffix)
        }
    }

    /// The file's first 100 bytes (https://www.sqlite.org/fileformat2.html, section 1.3); fewer of a shorter file.
    private static func header(of descriptor: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = pread(descriptor, &bytes, 100, 0)
        return Array(bytes.prefix(max(0, count)))
    }

    private static func mark(_ header: [UInt8]) -> UInt32 {
        header.dropFirst(68).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// Which file it is, whatever its name.
private struct FileNumber: Equatable {
    let device: UInt64
    let inode: UInt64

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }
}

extension Store {
    /// Whether the database still is the one that was opened: three stat(2), one pread(2) and a look at the schema by
    /// the writer's connection. To be asked every few seconds; waits for a commit that is under way.
    public func fileCondition() -> FileCondition {
        let condition = watch.check()
        guard condition == .sound else { return condition }
        do {
            let sql = "SELECT count(*) FROM sqlite_schema WHERE name IN ('meta', 'session', 'record', 'prediction')"
            let tables = try pool.writeWithoutTransaction { try Int.fetchOne($0, sql: sql) }
            return tables == 4 ? .sound : .damaged("its tables are gone")
        } catch {
            return error.isDamage ? .damaged(error.reason) : .sound
        }
    }

    /// What a file that is not sound is to a caller: the end of this run. The next start puts it in order.
    public func failure(of condition: FileCondition) -> HistoryError? {
        let reason: String? =
            switch condition {
            case .sound: nil
            case .missing: "it was deleted while the node ran"
            case .replaced: "another file was put in its place while the node ran"
            case .logLost: "its log was deleted while the node ran"
            case .damaged(let reason): "\(reason), since the node opened it"
            }
        return reason.map { .unreadable(path: path, reason: $0) }
    }

    /// Saves what only this process still has: a deleted file is written into its place again, with its epoch and
    /// positions; one that another took the place of is written beside it; a deleted log goes into the file. To be
    /// called after the last write, right before the process ends: this store goes on with the file that is gone.
    ///
    /// - Returns: the file that holds it; `nil` where there was nothing to save.
    public func rescue() throws -> String? {
        switch fileCondition() {
        case .sound, .damaged: return nil
        case .logLost:
            do { try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) } } catch {
                throw HistoryError(error, path: path)
            }
            return path
        case .missing: return try write(into: path)
        case .replaced: return try write(into: DatabaseFiles.unusedName(path, "replaced", wall: Date()))
        }
    }

    private func write(into target: String) throws -> String {
        try Self.prepareDirectory(of: path, settings: settings)
        let part = path + ".rescuing"
        DatabaseFiles.removeDatabase(part)
        do {
            try pool.writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [part]) }
        } catch {
            DatabaseFiles.removeDatabase(part)
            throw HistoryError(error, path: part)
        }
        DatabaseFiles.restrict(part, isNew: true)
        try DatabaseFiles.sync(part)
        // The old file's log must not meet the new one.
        watch.removeCompanions()
        try DatabaseFiles.move(part, to: target)
        return target
    }
}
