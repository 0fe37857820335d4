import Foundation

extension Calendar {
    /// The calendar by which days change in a time zone.
    package static func gregorian(in zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }

    /// The day that contains a moment: `2026-11-21`.
    package func dayText(of date: Date) -> String {
        let parts = dateComponents([.year, .month, .day], from: date)
        return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
    }

    /// The first moment of a day such as `2026-11-21`; `nil` if there is no such day.
    package func date(ofDay text: String) -> Date? {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard text.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil, parts.count == 3 else { return nil }
        let day = DateComponents(calendar: self, year: parts[0], month: parts[1], day: parts[2])
        return day.isValidDate ? date(from: day).map(startOfDay(for:)) : nil
    }

    /// The moment at which the day of a moment ends: the beginning of the next one. A day has 23 to 25 hours, and need not
    /// begin at midnight.
    package func endOfDay(_ date: Date) -> Date {
        dateInterval(of: .day, for: date)?.end ?? startOfDay(for: date) + 86_400
    }
}
