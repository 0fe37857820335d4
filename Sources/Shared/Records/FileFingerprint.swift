import Foundation

/// Distinguishes one state of a file from another without reading it: by inode, size and time of modification.
package struct FileFingerprint: Equatable, Sendable {
    private var node: UInt64 = 0
    private var size: Int64 = 0
    private var seconds = 0
    private var nanoseconds = 0

    /// Reads the fingerprint of the file at `path`. All missing files have the same fingerprint.
    package init(_ path: String) {
        var information = stat()
        guard stat(path, &information) == 0 else { return }
        node = UInt64(information.st_ino)
        size = Int64(information.st_size)
        seconds = information.st_mtim.tv_sec
        nanoseconds = information.st_mtim.tv_nsec
    }
}
