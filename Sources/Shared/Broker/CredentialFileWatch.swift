import Foundation
import Records

/// Detects that certificates, keys or the password file were renewed.
package final class CredentialFileWatch {
    private let paths: [String]
    private let interval: Duration
    private var known: [FileFingerprint]
    private var seen: [FileFingerprint]
    private var lookedAt = ContinuousClock.now

    /// A watch over the files at `paths`.
    package init(_ paths: [String], interval: Duration) {
        self.paths = paths
        self.interval = interval
        known = paths.map(FileFingerprint.init)
        seen = known
    }

    /// Looks at the files at most once per interval. A change counts when two looks in a row found the same state, so
    /// that a key and a certificate written one after the other count as one change.
    ///
    /// - Returns: whether the files changed since the last reported change.
    package func haveChanged(_ now: ContinuousClock.Instant) -> Bool {
        guard !paths.isEmpty, now - lookedAt >= interval else { return false }
        lookedAt = now
        let marks = paths.map(FileFingerprint.init)
        defer { seen = marks }
        guard marks != known, marks == seen else { return false }
        known = marks
        return true
    }
}
