import Foundation

/// Notices that certificates, keys or the password were renewed.
final class CredentialFileWatch {
    private let paths: [String]
    private let interval: Duration
    private var known: [FileFingerprint]
    private var seen: [FileFingerprint]
    private var lookedAt = ContinuousClock.now

    init(_ paths: [String], interval: Duration) {
        self.paths = paths
        self.interval = interval
        known = paths.map(FileFingerprint.init)
        seen = known
    }

    /// Looks once in an interval. A change counts when it was the same at two looks, so that key and certificate that
    /// are written one after the other are taken together; then it is taken as known.
    func haveChanged(_ now: ContinuousClock.Instant) -> Bool {
        guard !paths.isEmpty, now - lookedAt >= interval else { return false }
        lookedAt = now
        let marks = paths.map(FileFingerprint.init)
        defer { seen = marks }
        guard marks != known, marks == seen else { return false }
        known = marks
        return true
    }
}
