import Foundation
import TOMLSettings

/// A file in the folder `conf.d` that Spotter writes itself.
///
/// It may be a link to a place that the service may write to, as in the package. The link stays.
package struct OverrideFile: Sendable {
    /// The file's path.
    package let path: String
    /// The configuration file beside the folder.
    let configurationPath: String

    /// Why the settings cannot be kept. What was in force before still is.
    package struct Failure: Error, CustomStringConvertible {
        /// A sentence that says what to do.
        package let description: String

        /// A failure with this sentence.
        package init(description: String) { self.description = description }
    }

    /// The file of this name in `conf.d` beside a configuration file.
    package init(_ name: String, beside configurationPath: String) {
        self.configurationPath = configurationPath
        let folder = URL(filePath: configurationPath).deletingLastPathComponent().appending(path: "conf.d")
        path = folder.appending(path: name).path
    }

    /// Replaces the file's contents. When the configuration cannot be read then, or `check` refuses it, the old contents
    /// come back.
    ///
    /// - Parameter permissions: the file's mode; `nil` leaves it to the process's umask. A file of root with a mode
    ///   belongs to the service's group.
    /// - Throws: ``Failure``, the ``ConfigurationError`` of any file, or what `check` throws.
    package func replace(
        _ text: String, environment: [String: String], permissions: Int? = nil,
        check: (ConfigurationReading) throws -> Void
    ) throws {
        let before = FileManager.default.contents(atPath: path)
        try write(Data(text.utf8), permissions)
        do {
            try check(try ConfigurationReading(path: configurationPath, environment: environment))
        } catch {
            if let before { try write(before, permissions) } else { try FileManager.default.removeItem(atPath: path) }
            throw error
        }
    }

    /// Replaces the file by renaming, so that a crash leaves the old one or the new one.
    private func write(_ contents: Data, _ permissions: Int?) throws {
        let folder = URL(filePath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // An atomic write would replace the link instead of the file behind it.
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
            let behind = target.map { URL(filePath: $0, relativeTo: folder) }
            let file = behind.flatMap { Self.isSafe($0) ? $0 : nil } ?? URL(filePath: path)
            if let permissions {
                try hide(contents, as: file, permissions)
            } else {
                try contents.write(to: file, options: .atomic)
            }
        } catch {
            throw Failure(
                description: "\(path) cannot be written (\((error as NSError).localizedDescription)): "
                    + "give the user of the node the right to write there.")
        }
    }

    /// Whether nobody can turn a file into a link to elsewhere while it is written. What root writes takes the place of a link
    /// into a folder of another user.
    private static func isSafe(_ file: URL) -> Bool {
        var status = stat()
        guard geteuid() == 0, stat(file.deletingLastPathComponent().path, &status) == 0 else { return true }
        return status.st_uid == 0
    }

    /// Writes a file that never has other permissions than these, because it may hold a password.
    private func hide(_ contents: Data, as file: URL, _ permissions: Int) throws {
        let part = file.path + ".part"
        unlink(part)
        guard FileManager.default.createFile(atPath: part, contents: nil, attributes: [.posixPermissions: permissions])
        else { throw CocoaError(.fileWriteNoPermission) }
        try contents.write(to: URL(filePath: part))
        // The service reads what root writes.
        if geteuid() == 0, let group = getgrnam("spotter") { chown(part, 0, group.pointee.gr_gid) }
        guard rename(part, file.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}
