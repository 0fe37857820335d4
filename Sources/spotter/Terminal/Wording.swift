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

    /// A number with its noun: `1 session`, `2 sessions`.
    static func count(_ number: Int, _ one: String, _ many: String) -> String {
        number == 1 ? "1 \(one)" : "\(number) \(many)"
    }

    /// The duration between two RFC 3339 times; `-` if one is invalid.
    static func length(_ start: String, _ end: String) -> String {
        guard let start = Timestamp.date(text: start), let end = Timestamp.date(text: end) else { return "-" }
        return duration(end.timeIntervalSince(start))
    }

    /// The duration between two RFC 3339 times as on a stopwatch: `0:42`, `12:05`, `1:02:03`; `-` if one is invalid.
    static func stopwatch(_ start: String, _ end: String) -> String {
        guard let start = Timestamp.date(text: start), let end = Timestamp.date(text: end) else { return "-" }
        return stopwatch(end.timeIntervalSince(start))
    }

    /// Seconds as on a stopwatch: `0:42`, `12:05`, `1:02:03`. Values beyond 0…1e12 s are clamped; NaN becomes 0.
    static func stopwatch(_ seconds: Double) -> String {
        let whole = Int((seconds.isNaN ? 0 : min(max(seconds, 0), 1e12)).rounded())
        guard whole >= 3600 else { return String(format: "%d:%02d", whole / 60, whole % 60) }
        return String(format: "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60)
    }

    /// An RFC 3339 time as `2026-11-21 18:03` in a time zone.
    static func minute(_ text: String, _ zone: TimeZone) -> String { String(local(text, zone).prefix(16)) }

    /// An RFC 3339 time with the offset of a time zone: `2026-11-21T18:03:22.125+01:00`.
    static func offset(_ text: String, _ zone: TimeZone) -> String {
        guard let date = Timestamp.date(text: text) else { return text }
        let seconds = zone.secondsFromGMT(for: date)
        let shifted = String(Timestamp.text(date + TimeInterval(seconds)).dropLast())
        return shifted
            + String(format: "%@%02d:%02d", seconds < 0 ? "-" : "+", abs(seconds) / 3600, abs(seconds) / 60 % 60)
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
