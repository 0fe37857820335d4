import Foundation
import GRDB

/// The condition of the file at a store's path, compared with the file that was opened.
public enum FileCondition: Sendable, Equatable {
    /// It is the file that was opened.
    case sound
    /// The file was deleted or moved. Only this process still has its content.
    case missing
    /// Another file has its name, or another history overwrote its content.
    case replaced
    /// The write-ahead log was deleted. Only this process still has the latest commits.
    case logLost
    /// The file is damaged; the text says how.
    case damaged(String)
}

/// Checks the files of an open database from outside of SQLite, which relies on its cache for a long time.
///
/// The descriptor stays open as long as the database is: closing it earlier would drop SQLite's locks.
final class DatabaseFileWatch: Sendable {
    private let path: String
    private let descriptor: Int32
    private let file: FileNumber
    /// The write-ahead log and its index.
    private let companions: [String: FileNumber]
    /// The marks of this run in the header's application id.
    private let marks: Set<UInt32>

    /// - Parameter mark: the mark written by this run. Until the log is emptied, the file still has the previous mark.
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
            return .damaged("its header is not that of a SQLite database")
        }
        guard marks.contains(Self.mark(header)) else { return .replaced }
        let areThere = companions.allSatisfy { DatabaseFiles.status(path + $0.key).map(FileNumber.init) == $0.value }
        return areThere ? .sound : .logLost
    }

    /// Deletes the log and its index, if they still belong to this run.
    func removeCompanions() {
        for (suffix, number) in companions where DatabaseFiles.status(path + suffix).map(FileNumber.init) == number {
            unlink(path + suffix)
        }
    }

    /// The file's first 100 bytes (https://www.sqlite.org/fileformat2.html, section 1.3), or fewer if it is shorter.
    private static func header(of descriptor: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = pread(descriptor, &bytes, 100, 0)
        return Array(bytes.prefix(max(0, count)))
    }

    private static func mark(_ header: [UInt8]) -> UInt32 {
        header.dropFirst(68).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// The identity of a file, independent of its name.
private struct FileNumber: Equatable {
    let device: UInt64
    let inode: UInt64

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }
}

extension Store {
    /// Checks whether the database is still the one that was opened: three stat(2), one pread(2) and a query on the
    /// schema by the writer's connection. Call this every few seconds. It waits for a commit in progress.
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

    /// The error that ends this run for a file in this condition; `nil` if it is sound. The next start repairs the
    /// file.
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

    /// Saves data that only this process still has. A deleted file is written again, with its epoch and positions. If
    /// another file took its place, the data is written next to it. A deleted log is written into the database file.
    ///
    /// Call this after the last write, right before the process ends: this store keeps using the lost file.
    /// - Returns: the file that now holds the data; `nil` if there was nothing to save.
    /// - Throws: ``HistoryError``.
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
        // The old log must not be applied to the new file.
        watch.removeCompanions()
        try DatabaseFiles.move(part, to: target)
        return target
    }
}
