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
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        if whole < 3600 { return "\(whole / 60) min \(two(whole % 60)) s" }
        return "\(whole / 3600) h \(two(whole / 60 % 60)) min"
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
        guard let start = Timestamp.milliseconds(text: start), let end = Timestamp.milliseconds(text: end) else {
            return "-"
        }
        return stopwatch(Double(end - start) / 1000)
    }

    /// Seconds as on a stopwatch: `0:42`, `12:05`, `1:02:03`. Values beyond 0…1e12 s are clamped; NaN becomes 0.
    static func stopwatch(_ seconds: Double) -> String {
        let whole = Int((seconds.isNaN ? 0 : min(max(seconds, 0), 1e12)).rounded())
        let (minutes, seconds) = (whole / 60 % 60, whole % 60)
        let end = (seconds < 10 ? ":0" : ":") + String(seconds)
        guard whole >= 3600 else { return String(minutes) + end }
        return String(whole / 3600) + (minutes < 10 ? ":0" : ":") + String(minutes) + end
    }

    /// An RFC 3339 time as `2026-11-21 18:03` in a time zone.
    static func minute(_ text: String, _ zone: TimeZone) -> String { String(local(text, zone).prefix(16)) }

    /// An RFC 3339 time as `2026-11-21 18:03:22` in a time zone.
    static func local(_ text: String, _ zone: TimeZone) -> String {
        guard let milliseconds = Timestamp.milliseconds(text: text) else { return text }
        let wall = wall(milliseconds, zone)
        return wall.prefix(10) + " " + wall.suffix(8)
    }

    /// What a list says that ends at its limit: `Showing 50 of 234 (--limit 234 shows all).`
    static func shown(_ count: RowCount) -> String {
        guard count.found <= RowCount.maximum else {
            return "Showing \(count.shown) of more than \(RowCount.maximum) (--limit shows more)."
        }
        return "Showing \(count.shown) of \(count.found) (--limit \(count.found) shows all)."
    }

    /// `18:03:22` in a time zone.
    static func clock(_ date: Date, _ zone: TimeZone) -> String {
        String(wall(Timestamp.milliseconds(date), zone).suffix(8))
    }

    /// `2026-11-21T18:03:22` in a time zone. A formatter would take longer than reading the row.
    private static func wall(_ milliseconds: Int64, _ zone: TimeZone) -> String {
        String(Timestamp.text(milliseconds: milliseconds, in: zone).prefix(19))
    }
}
