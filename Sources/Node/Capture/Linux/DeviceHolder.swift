import Foundation
import Glibc

/// Finds out which program has a device open, as far as this user's permissions allow.
package enum DeviceHolder {
    /// The program that has `device` open, as in `ffplay (process 123)`; `nil` when none is visible to this user.
    package static func find(_ device: String, processes: String = "/proc") -> String? {
        guard let path = realPath(of: device) else { return nil }
        let files = FileManager.default
        let all = (try? files.contentsOfDirectory(atPath: processes)) ?? []
        for process in all.compactMap({ Int32($0) }).sorted() where process != getpid() {
            let folder = "\(processes)/\(process)"
            let open = (try? files.contentsOfDirectory(atPath: folder + "/fd")) ?? []
            let isOpen = open.contains {
                (try? files.destinationOfSymbolicLink(atPath: "\(folder)/fd/\($0)")) == path
            }
            guard isOpen else { continue }
            let name = (try? String(contentsOfFile: folder + "/comm", encoding: .utf8)) ?? "a program"
            return "\(name.trimmingCharacters(in: .whitespacesAndNewlines)) (process \(process))"
        }
        return nil
    }

    private static func realPath(of path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

/// The group that a file belongs to.
enum FileGroup {
    /// The name of the group; `nil` when it is unknown or root.
    static func name(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, let group = getgrgid(status.st_gid) else { return nil }
        // Joining the group root is not to be recommended.
        return status.st_gid == 0 ? nil : String(cString: group.pointee.gr_name)
    }
}
