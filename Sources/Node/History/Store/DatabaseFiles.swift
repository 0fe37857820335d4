import Foundation
import GRDB
import Records

/// Operations on database files as files. While this process has a database open, it must not open and close the same
/// file separately: that would drop SQLite's locks (https://www.sqlite.org/howtocorrupt.html, section 2.2).
package enum DatabaseFiles {
    static func exists(_ path: String) -> Bool { status(path) != nil }

    /// The file's status; `nil` when it does not exist or cannot be read.
    static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    /// The files of a history that belong to root although their folder belongs to another user; `nil` for none.
    package static func ofRoot(_ path: String) -> (files: [String], owner: String)? {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard let owner = status(folder)?.st_uid, owner != 0 else { return nil }
        let files = ["", "-wal", "-shm", ".lock", ".socket"].map { path + $0 }.filter { status($0)?.st_uid == 0 }
        return files.isEmpty ? nil : (files, name(of: owner))
    }

    /// The name of a user; the number of one without a name.
    static func name(of user: uid_t) -> String {
        getpwuid(user).flatMap { $0.pointee.pw_name }.map { String(cString: $0) } ?? "#\(user)"
    }

    /// Renames a file, and waits until the directory is on disk.
    static func move(_ path: String, to other: String) throws {
        guard rename(path, other) == 0 else { throw notWritable(other) }
        try sync(URL(fileURLWithPath: other).deletingLastPathComponent().path)
    }

    /// Waits until a file or directory is on disk.
    static func sync(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw notWritable(path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw notWritable(path) }
    }

    /// Undoes an import that a crash interrupted. SQLite does it by the journal when a connection that may write opens the
    /// file; one that only reads is refused until then. Without a journal nothing is done.
    static func undoInterruptedImport(_ path: String) {
        guard let journal = status(path + "-journal"), journal.st_size > 0, access(path, W_OK) == 0 else { return }
        // What cannot be undone is found when the file is opened next.
        guard let queue = try? DatabaseQueue(path: path) else { return }
        _ = try? queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") }
        try? queue.close()
    }

    /// Whether there is a folder at a path.
    static func isFolder(_ path: String) -> Bool { status(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }

    /// Deletes a database and its log, if they exist.
    static func removeDatabase(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }

    /// Sets permissions: only the owner may write a database, and only the group may read it. Stricter permissions of
    /// an existing file are kept; a file of another owner is not changed.
    static func restrict(_ path: String, isNew: Bool = false) {
        guard let status = status(path), status.st_uid == geteuid() else { return }
        let mode = status.st_mode & 0o7777
        let wanted = isNew ? 0o640 : mode & 0o640
        if mode != wanted { chmod(path, wanted) }
    }

    /// An unused name: `<path>.<why>-20261121T110000`, with a number appended if that exists.
    static func unusedName(_ path: String, _ why: String, wall: Date) -> String {
        let stamp = Timestamp.text(wall).prefix(19).filter { $0.isNumber || $0 == "T" }
        let name = "\(path).\(why)-\(stamp)"
        guard exists(name) else { return name }
        var attempt = 2
        while exists("\(name)-\(attempt)") { attempt += 1 }
        return "\(name)-\(attempt)"
    }

    /// The file that was moved aside last; `nil` if there is none.
    static func newestName(_ path: String, _ why: String) -> String? {
        let url = URL(fileURLWithPath: path)
        let prefix = "\(url.lastPathComponent).\(why)-"
        let folder = url.deletingLastPathComponent()
        // A directory that cannot be listed counts as empty.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let asides = names.filter { $0.hasPrefix(prefix) && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
        return asides.max().map { folder.appendingPathComponent($0).path }
    }

    private static func notWritable(_ path: String) -> HistoryError {
        .notWritable(path: path, reason: String(cString: strerror(errno)))
    }
}
