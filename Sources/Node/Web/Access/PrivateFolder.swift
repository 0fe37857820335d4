import Foundation
import Records

/// A folder whose files here are only for their owner.
///
/// Files are reached through the folder's descriptor and never through links, because `sudo spotter web` works in a
/// folder that belongs to the user of the node. What root makes is given to the folder's owner, so that the node can
/// read it.
final class PrivateFolder {
    /// Tells two states of a file apart: ``write(_:to:)`` puts a new file in its place.
    struct Fingerprint: Equatable {
        let inode: UInt
        let size: Int
        let seconds: Int
        let nanoseconds: Int

        fileprivate init(_ status: stat) {
            (inode, size) = (UInt(status.st_ino), Int(status.st_size))
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        }
    }

    /// No file here is larger, in bytes.
    static let maximumSize = 65_536

    let path: String
    /// The command that makes new files, for messages.
    private let remedy: String
    private let descriptor: Int32

    /// Opens a folder; `nil` when there is none.
    init?(_ path: String, remedy: String) throws(AccessError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        let code = errno
        guard descriptor >= 0 || code == ENOENT else {
            throw .unreachable(path: path, cause: String(cString: strerror(code)))
        }
        guard descriptor >= 0 else { return nil }
        (self.path, self.remedy, self.descriptor) = (path, remedy, descriptor)
    }

    /// Opens a folder, and makes it when there is none.
    static func make(_ path: String, remedy: String) throws(AccessError) -> PrivateFolder {
        if let folder = try PrivateFolder(path, remedy: remedy) { return folder }
        do {
            // As the history makes it.
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o750])
        } catch { throw .unreachable(path: path, cause: error.fileReason) }
        guard let folder = try PrivateFolder(path, remedy: remedy) else {
            throw .unreachable(path: path, cause: "it was removed at once")
        }
        return folder
    }

    private init(descriptor: Int32, path: String, remedy: String) {
        (self.path, self.remedy, self.descriptor) = (path, remedy, descriptor)
    }

    deinit { close(descriptor) }

    /// Opens a folder in this one; `nil` when there is none.
    func subfolder(_ name: String, remedy: String) throws(AccessError) -> PrivateFolder? {
        let inner = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if inner < 0, errno == ENOENT { return nil }
        guard inner >= 0 else { throw unreadable(name, errno) }
        return PrivateFolder(descriptor: inner, path: path(of: name), remedy: remedy)
    }

    /// Makes a folder in this one that only its owner may enter, and opens it.
    func makeSubfolder(_ name: String, remedy: String) throws(AccessError) -> PrivateFolder {
        if mkdirat(descriptor, name, 0o700) != 0, errno != EEXIST { throw unwritable(name, Self.failure) }
        guard let folder = try subfolder(name, remedy: remedy) else { throw unwritable(name, POSIXError(.ENOENT)) }
        do {
            try giveToOwner(folder.descriptor)
            try Self.check(fchmod(folder.descriptor, 0o700))
        } catch { throw unwritable(name, error) }
        return folder
    }

    /// Waits until no other process or thread holds the lock of this folder. It is held as long as the object lives.
    func lock() throws(AccessError) {
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw unwritable("", Self.failure) }
        }
    }

    /// The names of its files.
    func names() throws(AccessError) -> [String] {
        do { return try FileManager.default.contentsOfDirectory(atPath: path) } catch {
            throw .unreadable(path: path, cause: error.fileReason, remedy: remedy)
        }
    }

    /// The state of a file; `nil` when there is none.
    func fingerprint(of name: String) throws(AccessError) -> Fingerprint? {
        var status = stat()
        if fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return Fingerprint(status) }
        guard errno == ENOENT else { throw unreadable(name, errno) }
        return nil
    }

    /// A file's content and the state it was read in; `nil` when there is none.
    func read(_ name: String) throws(AccessError) -> (content: Data, fingerprint: Fingerprint)? {
        // Opening a pipe would otherwise wait for a writer.
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        if file < 0, errno == ENOENT { return nil }
        guard file >= 0 else { throw unreadable(name, errno) }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.maximumSize else {
            throw .damaged(path: path(of: name), cause: "it is not a small file", remedy: remedy)
        }
        do {
            return (try handle.read(upToCount: Self.maximumSize) ?? Data(), Fingerprint(status))
        } catch {
            throw .unreadable(path: path(of: name), cause: error.fileReason, remedy: remedy)
        }
    }

    /// Replaces a file, and waits until it is on disk. Readers see the old content or the new. Hold the lock.
    func write(_ text: String, to name: String) throws(AccessError) {
        let part = name + ".new"
        // A crash may have left it.
        unlinkat(descriptor, part, 0)
        do {
            let file = try Self.check(openat(descriptor, part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
            let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
            try giveToOwner(file)
            try handle.write(contentsOf: Data(text.utf8))
            try handle.synchronize()
            try Self.check(renameat(descriptor, part, descriptor, name))
            try Self.check(fsync(descriptor))
        } catch {
            unlinkat(descriptor, part, 0)
            throw unwritable(name, error)
        }
    }

    /// Removes a file.
    ///
    /// - Returns: whether it was there. Of several at once, one gets `true`.
    @discardableResult
    func remove(_ name: String) throws(AccessError) -> Bool {
        if unlinkat(descriptor, name, 0) == 0 { return true }
        guard errno == ENOENT else { throw unwritable(name, Self.failure) }
        return false
    }

    private func giveToOwner(_ file: Int32) throws {
        guard geteuid() == 0 else { return }
        var owner = stat()
        try Self.check(fstat(descriptor, &owner))
        try Self.check(fchown(file, owner.st_uid, owner.st_gid))
    }

    private func path(of name: String) -> String { name.isEmpty ? path : "\(path)/\(name)" }

    private func unreadable(_ name: String, _ code: Int32) -> AccessError {
        .unreadable(path: path(of: name), cause: String(cString: strerror(code)), remedy: remedy)
    }

    private func unwritable(_ name: String, _ error: any Error) -> AccessError {
        .unwritable(path: path(of: name), cause: error.fileReason, remedy: remedy)
    }

    private static var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    @discardableResult
    private static func check(_ result: Int32) throws -> Int32 {
        guard result >= 0 else { throw failure }
        return result
    }
}
