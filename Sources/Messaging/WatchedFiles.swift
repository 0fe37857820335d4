import Foundation

/// Notices that certificates, keys or the password were renewed.
final class WatchedFiles {
    private let paths: [String]
    private let interval: Duration
    private var known: [Mark]
    private var seen: [Mark]
    private var lookedAt = ContinuousClock.now

    init(_ paths: [String], interval: Duration) {
        self.paths = paths
        self.interval = interval
        known = paths.map(Mark.init)
        seen = known
    }

    /// Looks once in an interval. A change counts when it was the same at two looks, so that key and certificate that
    /// are written one after the other are taken together; then it is taken as known.
    func haveChanged(_ now: ContinuousClock.Instant) -> Bool {
        guard !paths.isEmpty, now - lookedAt >= interval else { return false }
        lookedAt = now
        let marks = paths.map(Mark.init)
        defer { seen = marks }
        guard marks != known, marks == seen else { return false }
        known = marks
        return true
    }

    /// What tells one state of a file from another.
    private struct Mark: Equatable {
        var node: UInt64 = 0
        var size: Int64 = 0
        var seconds = 0
        var nanoseconds = 0

        init(_ path: String) {
            var information = stat()
            guard stat(path, &information) == 0 else { return }
            node = UInt64(information.st_ino)
            size = Int64(information.st_size)
            seconds = information.st_mtim.tv_sec
            nanoseconds = information.st_mtim.tv_nsec
        }
    }
}
