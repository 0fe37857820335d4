import Foundation

/// The exclusive right to write one database: an advisory lock on `<database>.lock`, held as long as the object lives.
///
/// The kernel releases the lock when the process ends for any reason. The lock file stays; its existence means nothing.
final class StoreLock: Sendable {
    /// Microseconds between two tries, and the number of tries. A process that only looks for the holder has a shared lock for a
    /// moment, which must not keep a node from starting.
    private static let pause: UInt32 = 20_000
    private static let tries = 15

    private let descriptor: Int32

    /// - Throws: ``HistoryError/locked(path:holder:)`` when another process (or another store of this one) holds the
    ///   lock, ``HistoryError/notWritable(path:reason:)`` when the lock file cannot be created.
    init(database path: String) throws {
        let file = path + ".lock"
        descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else {
            throw HistoryError.notWritable(path: path, reason: String(cString: strerror(errno)))
        }
        var left = Self.tries
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0, left > 0, errno == EWOULDBLOCK || errno == EINTR {
            left -= 1
            usleep(Self.pause)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            let holder = Self.holder(of: file)
            // The descriptor is closed by `deinit`, which runs when a whole object's `init` throws.
            guard code == EWOULDBLOCK else {
                throw HistoryError.notWritable(path: path, reason: String(cString: strerror(code)))
            }
            throw HistoryError.locked(path: path, holder: holder)
        }
        fchmod(descriptor, 0o640)
        writeHolder()
    }

    /// A child process that is just being started shares the lock until it runs its program, so closing alone is not
    /// enough.
    deinit {
        guard descriptor >= 0 else { return }
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// The process id is only for the error message; the lock does not depend on it.
    private func writeHolder() {
        let text = Array("\(getpid())\n".utf8)
        // In this order the first line always names a process, for another process that asks meanwhile.
        _ = pwrite(descriptor, text, text.count, 0)
        _ = ftruncate(descriptor, off_t(text.count))
    }

    /// The process that holds the lock of a database; `nil` when it is free. Holds a shared lock for a moment to find
    /// out.
    static func holder(database path: String) -> Int32? {
        let file = path + ".lock"
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) == 0 ? nil : holder(of: file)
    }

    /// Whether the process that held the lock last still runs, and is not this one. A node that restarts holds no lock for
    /// a moment. Another process may have the same id after a reboot, so this is a hint.
    static func lastHolderRuns(database path: String) -> Bool {
        guard let last = holder(of: path + ".lock"), last > 0, last != getpid() else { return false }
        return kill(last, 0) == 0 || errno == EPERM
    }

    private static func holder(of file: String) -> Int32? {
        guard let data = FileManager.default.contents(atPath: file) else { return nil }
        return Int32(String(decoding: data.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}

extension Store {
    /// The process that writes the history at `path` now; `nil` when there is none, or when the lock file cannot be
    /// read.
    public static func holder(of path: String) -> Int32? { StoreLock.holder(database: path) }

    /// Where the node that writes the history at `path` answers programs of this machine: the file of a Unix socket.
    public static func socketPath(database path: String) -> String { path + ".socket" }

    /// Whether a node writes the history at `path`, or probably does so in a moment because it restarts.
    public static func hasNode(at path: String) -> Bool {
        holder(of: path) != nil || StoreLock.lastHolderRuns(database: path)
    }
}
