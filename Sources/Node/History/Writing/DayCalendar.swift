import Foundation
import Records

/// Finds the day a moment belongs to in the configured time zone: `2026-11-21`.
public struct DayCalendar: Sendable {
    /// The time zone whose midnights separate the days.
    public let timeZone: TimeZone
    private let calendar: Calendar
    /// The last result. Moments come in order, so it answers thousands of calls.
    private var current: (interval: DateInterval, name: String)?

    /// A calendar for one time zone.
    public init(timeZone: TimeZone) {
        self.timeZone = timeZone
        calendar = .gregorian(in: timeZone)
    }

    /// The day that contains a moment. A day has 23, 24 or 25 hours, depending on the time zone.
    public mutating func day(of date: Date) -> String {
        if let current, current.interval.start <= date, date < current.interval.end { return current.name }
        let name = calendar.dayText(of: date)
        if let interval = calendar.dateInterval(of: .day, for: date) { current = (interval, name) }
        return name
    }

    /// The first moment after the day that contains `date`; `nil` if the time zone has none.
    public func nextMidnight(after date: Date) -> Date? { calendar.dateInterval(of: .day, for: date)?.end }
}
