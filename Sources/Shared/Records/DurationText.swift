import Foundation

/// Writes a length of time for people, as the page does.
package enum DurationText {
    private static let lengths = [86_400, 3600, 60, 1]
    private static let units = ["d", "h", "min", "s"]

    /// `0.3 s`, `42 s`, `4 min 5 s`, `1 h 2 min`, `3 d 4 h`. Values beyond ±1e12 s are clamped; NaN becomes 0.
    package static func of(_ seconds: Double) -> String { of(seconds, units: units) }

    /// The same with other words for days, hours, minutes and seconds.
    package static func of(_ seconds: Double, units: [String]) -> String {
        let seconds = seconds.isNaN ? 0 : min(max(seconds, -1e12), 1e12)
        if abs(seconds) < 9.95 {
            let text = String(format: "%.1f", abs(seconds) < 0.05 ? 0 : seconds)
            return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + " \(units[3])"
        }
        guard seconds > 0 else { return "-" + of(-seconds, units: units) }
        var rest = Int(seconds.rounded())
        let parts = zip(lengths, units).map { unit, name in
            defer { rest %= unit }
            return (rest / unit, name)
        }
        // The two largest units are enough.
        return parts.drop { $0.0 == 0 }.prefix(2).filter { $0.0 > 0 }.map { "\($0) \($1)" }.joined(separator: " ")
    }

    /// `0:42`, `12:05`, `1:02:03`: for the narrow columns of tables. Values beyond 0…1e12 s are clamped; NaN becomes 0.
    package static func clock(_ seconds: Double) -> String {
        let whole = Int((seconds.isNaN ? 0 : min(max(seconds, 0), 1e12)).rounded())
        let (minutes, seconds) = (whole / 60 % 60, whole % 60)
        let end = (seconds < 10 ? ":0" : ":") + String(seconds)
        guard whole >= 3600 else { return String(minutes) + end }
        return String(whole / 3600) + (minutes < 10 ? ":0" : ":") + String(minutes) + end
    }

    /// The time between two moments of RFC 3339 as ``of(_:)`` writes it; `-` if one is invalid.
    package static func between(_ start: String, _ end: String) -> String { seconds(start, end).map(of) ?? "-" }

    /// The time between two moments of RFC 3339 as ``clock(_:)`` writes it; `-` if one is invalid.
    package static func clock(_ start: String, _ end: String) -> String { seconds(start, end).map(clock) ?? "-" }

    private static func seconds(_ start: String, _ end: String) -> Double? {
        guard let start = Timestamp.milliseconds(text: start), let end = Timestamp.milliseconds(text: end) else {
            return nil
        }
        return Double(end - start) / 1000
    }
}
