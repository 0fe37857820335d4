import Foundation
import History
import Records

/// Formats times and durations for people.
enum Wording {
    /// `12.0 s`, `4 min 05 s`, `1 h 02 min`. Values beyond ±1e12 s are clamped; NaN becomes 0.
    static func duration(_ seconds: Double) -> String {
        let seconds = seconds.isNaN ? 0 : min(max(seconds, -1e12), 1e12)
        let whole = Int(seconds.rounded())
        if whole < 60 { return String(format: "%.1f s", seconds) }
        if whole < 3600 { return String(format: "%d min %02d s", whole / 60, whole % 60) }
        return String(format: "%d h %02d min", whole / 3600, whole / 60 % 60)
    }

    /// The duration between two RFC 3339 times; `-` if one is invalid.
    static func length(_ start: String, _ end: String) -> String {
        guard let start = Timestamp.date(text: start), let end = Timestamp.date(text: end) else { return "-" }
        return duration(end.timeIntervalSince(start))
    }

    /// An RFC 3339 time as `2026-11-21 18:03:22` in a time zone.
    static func local(_ text: String, _ zone: TimeZone) -> String {
        Timestamp.date(text: text).map { wall($0, zone).replacing("T", with: " ") } ?? text
    }

    /// `18:03:22` in a time zone.
    static func clock(_ date: Date, _ zone: TimeZone) -> String { String(wall(date, zone).suffix(8)) }

    /// `2026-11-21T18:03:22` in a time zone. A formatter would take longer than reading the row.
    private static func wall(_ date: Date, _ zone: TimeZone) -> String {
        String(Timestamp.text(date + TimeInterval(zone.secondsFromGMT(for: date))).prefix(19))
    }
}
