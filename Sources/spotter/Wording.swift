import Foundation
import History

/// Times and lengths as people read them.
enum Wording {
    /// `12.0 s`, `4 min 05 s`, `1 h 02 min`.
    static func duration(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded())
        if whole < 60 { return String(format: "%.1f s", seconds) }
        if whole < 3600 { return String(format: "%d min %02d s", whole / 60, whole % 60) }
        return String(format: "%d h %02d min", whole / 3600, whole / 60 % 60)
    }

    /// From RFC 3339 to RFC 3339.
    static func length(_ start: String, _ end: String) -> String {
        guard let start = Timestamp.date(text: start), let end = Timestamp.date(text: end) else { return "-" }
        return duration(end.timeIntervalSince(start))
    }

    /// `2026-11-21 18:03:22` by a zone's clocks.
    static func local(_ text: String, _ zone: TimeZone) -> String {
        Timestamp.date(text: text).map { format("yyyy-MM-dd HH:mm:ss", $0, zone) } ?? text
    }

    /// `18:03:22` by a zone's clocks.
    static func clock(_ date: Date, _ zone: TimeZone) -> String { format("HH:mm:ss", date, zone) }

    private static func format(_ pattern: String, _ date: Date, _ zone: TimeZone) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = zone
        formatter.dateFormat = pattern
        return formatter.string(from: date)
    }
}
