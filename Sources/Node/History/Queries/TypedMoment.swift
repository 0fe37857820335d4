import Foundation
import Records

/// A moment as people type it: a day (`today`, `yesterday`, `2026-11-21`), a time of today (`14:30`), a time of a day
/// (`2026-11-21 14:30`), or a time ago (`30m`, `12h`, `2 days`, `4w`, `3M`, `1y`).
package struct TypedMoment {
    private let text: String

    /// Takes what was typed; it is checked when it is used.
    package init(_ text: String) { self.text = text.trimmingCharacters(in: .whitespaces) }

    /// The moment; `nil` if the text is invalid.
    ///
    /// - Parameters:
    ///   - endOfDay: Whether a day stands for its end.
    ///   - now: the present.
    package func date(in zone: TimeZone, endOfDay: Bool = false, now: Date = Date()) -> Date? {
        if let ago = secondsAgo { return now - ago }
        let calendar = Calendar.gregorian(in: zone)
        if let match = text.wholeMatch(of: /(?:(\d{4}-\d\d-\d\d)[ T])?(\d{1,2}):(\d\d)(?::(\d\d))?/)?.output {
            let first = match.1.map { calendar.date(ofDay: String($0)) } ?? calendar.startOfDay(for: now)
            guard let first, let hour = Int(match.2), let minute = Int(match.3), hour < 24, minute < 60 else {
                return nil
            }
            let second = match.4.flatMap { Int($0) } ?? 0
            return second < 60 ? calendar.date(bySettingHour: hour, minute: minute, second: second, of: first) : nil
        }
        guard let day = day(calendar, now) else { return nil }
        return endOfDay ? calendar.endOfDay(day) : day
    }

    /// The day on which the moment falls, such as `2026-11-21`; `nil` if the text is invalid.
    package func day(in zone: TimeZone) -> String? {
        date(in: zone).map { Calendar.gregorian(in: zone).dayText(of: $0) }
    }

    /// The first moment of a day; `nil` where the text is no day.
    private func day(_ calendar: Calendar, _ now: Date) -> Date? {
        switch text.lowercased() {
        case "today": calendar.startOfDay(for: now)
        case "yesterday": calendar.startOfDay(for: calendar.startOfDay(for: now) - 1)
        default: calendar.date(ofDay: text)
        }
    }

    /// As in systemd, `m` is a minute and `M` is a month.
    private var secondsAgo: Double? {
        guard let match = text.wholeMatch(of: /(\d{1,6}) ?([A-Za-z]+)(?: ago)?/), let number = Double(match.1) else {
            return nil
        }
        let unit = String(match.2)
        return (Self.units[unit] ?? Self.units[unit.lowercased()]).map { $0 * number }
    }

    private static let units: [String: Double] = {
        let words: [([String], Double)] = [
            (["m", "min", "minute", "minutes"], 60), (["h", "hour", "hours"], 3600), (["d", "day", "days"], 86_400),
            (["w", "week", "weeks"], 604_800), (["M", "month", "months"], 2_629_800),
            (["y", "year", "years"], 31_557_600),
        ]
        return Dictionary(uniqueKeysWithValues: words.flatMap { names, seconds in names.map { ($0, seconds) } })
    }()
}
