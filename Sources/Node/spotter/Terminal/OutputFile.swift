import Foundation
import Records

/// A file that the user named for a result.
enum OutputFile {
    /// Looks, before long work is done, whether the file can be written, and that it is none that the work reads.
    ///
    /// - Parameters:
    ///   - path: the file; `nil` where nothing is written, `-` for standard output.
    ///   - inputs: what is read: paths or addresses, `nil` where nothing is.
    /// - Throws: ``FileProblem``.
    static func check(_ path: String?, sparing inputs: [String?] = []) throws {
        guard let path, path != "-" else { return }
        var isFolder = ObjCBool(false)
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        if exists && isFolder.boolValue {
            throw FileProblem(path: path, reason: "it is a folder; name a file")
        }
        // A device stays where it is.
        if case .file = FilePlace(URL(filePath: path)) { try checkFolder(of: path) }
        if exists, access(path, W_OK) != 0 {
            throw FileProblem(path: path, reason: String(cString: strerror(errno)) + "; name another file")
        }
        for case let input? in inputs {
            let read = input.hasPrefix("file://") ? String(input.dropFirst("file://".count)) : input
            // Half a file has the second name.
            guard areSame(read, path) || areSame(read, path + ".part") else { continue }
            throw FileProblem(
                path: path, reason: "it would be written over \(input), which is read: name another file to write")
        }
    }

    /// Looks whether a file can be made in the folder in which this one is to lie.
    ///
    /// - Throws: ``FileProblem``.
    static func checkFolder(of path: String) throws {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        var isFolder = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw FileProblem(path: path, reason: "there is no folder \(folder); make it, or name another file")
        }
        if access(folder, W_OK) != 0 {
            let reason = String(cString: strerror(errno))
            throw FileProblem(
                path: path, reason: "nothing can be written into \(folder) (\(reason)); name another file")
        }
    }

    /// Whether two paths lead to one file, by whatever names and links.
    static func areSame(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard stat(one, &first) == 0, stat(other, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// Writes the file whole.
    ///
    /// - Parameter isPersonal: whether it tells of people. Then others than the owner and the group cannot read it.
    /// - Throws: ``FileProblem``.
    static func write(_ data: Data, to path: String, isPersonal: Bool = false) throws {
        do {
            try data.write(toPlace: URL(filePath: path))
            guard isPersonal, case .file(let file) = FilePlace(URL(filePath: path)) else { return }
            try FileManager.default.setAttributes([.posixPermissions: personalMode], ofItemAtPath: file.path)
        } catch {
            throw FileProblem(path: path, reason: "writing failed: \(error.fileReason); name another file")
        }
    }

    /// Who may read what tells of people: the owner and the group.
    static let personalMode = 0o640
    /// The same for a folder.
    static let personalFolderMode = 0o750
}
