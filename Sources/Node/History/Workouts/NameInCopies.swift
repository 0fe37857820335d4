import Foundation
import GRDB
import Records

/// One database that lies beside a history, and what became of a name in it.
public struct HistoryCopy: Sendable, Encodable, Equatable {
    /// Where it lies.
    public var path: String
    /// How many of its workouts have, or had, the name.
    public var workouts: Int
    /// Why it could not be read or changed; `nil` when it could.
    public var problem: String?
}

extension Store {
    /// The copies that lie beside a history and hold a name: what an upgrade, a restore or a repair set aside, and backups.
    ///
    /// - Parameters:
    ///   - path: the history, which is left alone.
    ///   - deleting: whether the name is deleted from them.
    /// - Returns: the copies that hold the name, and those that cannot be read.
    public static func copies(beside path: String, with name: String, deleting: Bool) -> [HistoryCopy] {
        copies(beside: path).compactMap { copy in
            do {
                let count = try search(copy, for: name, deleting: deleting)
                return count > 0 ? HistoryCopy(path: copy, workouts: count) : nil
            } catch {
                return HistoryCopy(path: copy, workouts: 0, problem: "\(HistoryError(error, path: copy))")
            }
        }
    }

    /// The databases beside a history that are of the same node. A history that a node writes is none.
    static func copies(beside path: String) -> [String] {
        let url = URL(fileURLWithPath: path)
        let folder = url.deletingLastPathComponent().path
        let own = DatabaseFiles.status(path)
        // A folder that cannot be listed holds nothing that could be changed.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let node = nodeId(of: path)
        return names.sorted().map { "\(folder)/\($0)" }.filter { copy in
            guard let status = DatabaseFiles.status(copy), status.st_mode & S_IFMT == S_IFREG,
                status.st_ino != own?.st_ino || status.st_dev != own?.st_dev,
                !["-wal", "-shm", "-journal", ".lock"].contains(where: copy.hasSuffix), holder(of: copy) == nil
            else { return false }
            // What was set aside may be damaged, and then nobody can say what it holds.
            let isSetAside = copy.split(separator: "/").last?.hasPrefix(url.lastPathComponent + ".") == true
            return isSetAside || (node != nil && isDatabase(copy) && nodeId(of: copy) == node)
        }
    }

    /// Every SQLite file begins with these bytes (https://www.sqlite.org/fileformat2.html, section 1.3.1).
    private static func isDatabase(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        return (try? file.read(upToCount: 16)) ?? nil == Data("SQLite format 3\0".utf8)
    }

    /// The id of the node whose history a file is; `nil` for anything else.
    private static func nodeId(of path: String) -> String? {
        var configuration = Configuration()
        configuration.readonly = true
        guard let queue = try? DatabaseQueue(path: path, configuration: configuration) else { return nil }
        return try? queue.read { db in try Meta.value(.nodeId, in: db) }
    }

    private static func search(_ copy: String, for name: String, deleting: Bool) throws -> Int {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA secure_delete = ON") }
        let queue = try DatabaseQueue(path: copy, configuration: configuration)
        defer { try? queue.close() }
        guard deleting else { return try queue.read { try NameDeletion(name, told: nil).workouts(in: $0).count } }
        let count = try queue.write { try NameDeletion(name, told: nil).run(in: $0) }
        // What was written goes from the log into the file at once.
        try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        return count
    }
}
