import Foundation
import Records

/// How regularly a person comes: weeks and days in a row with a workout.
///
/// A row goes on while its next week or day is not over: somebody who came last week and not yet in this one has not
/// broken it. Weeks begin on Monday.
public struct Streak: Sendable, Equatable, Encodable {
    /// The weeks in a row up to now, and the most ever.
    public var weeks, longestWeeks: Int
    /// The days in a row up to now, and the most ever.
    public var days, longestDays: Int

    enum CodingKeys: String, CodingKey {
        case weeks, days
        case longestWeeks = "longest_weeks"
        case longestDays = "longest_days"
    }

    /// Counts days such as `2026-11-21` of the calendar of a time zone.
    init(_ dates: Set<String>, now: Date, zone: TimeZone) {
        let today = Self.number(of: Calendar.gregorian(in: zone).dayText(of: now)) ?? 0
        let numbers = Set(dates.compactMap(Self.number))
        (days, longestDays) = Self.rows(numbers, now: today)
        (weeks, longestWeeks) = Self.rows(Set(numbers.map(Self.week)), now: Self.week(today))
    }

    /// The days since 1970-01-01, a Thursday.
    private static func number(of day: String) -> Int? {
        Calendar.gregorian(in: .gmt).date(ofDay: day).map { Int(($0.timeIntervalSince1970 / 86_400).rounded(.down)) }
    }

    /// The weeks since that of 1970-01-01.
    private static func week(_ day: Int) -> Int { Int((Double(day + 3) / 7).rounded(.down)) }

    private static func rows(_ numbers: Set<Int>, now: Int) -> (present: Int, longest: Int) {
        var (length, longest, last) = (0, 0, Int.min)
        for number in numbers.sorted() where number <= now {
            length = last != .min && number == last + 1 ? length + 1 : 1
            (longest, last) = (max(longest, length), number)
        }
        return (last != .min && last >= now - 1 ? length : 0, longest)
    }
}
