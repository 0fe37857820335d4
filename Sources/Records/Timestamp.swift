import Foundation

/// Converts moments to and from the forms that are stored and sent: whole milliseconds since 1970, and RFC 3339 in UTC.
public enum Timestamp {
    /// Milliseconds since 1970-01-01T00:00:00Z, rounded to the nearest; at most ±10^15.
    public static func milliseconds(_ date: Date) -> Int64 {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        return Int64(min(max(milliseconds.isNaN ? 0 : milliseconds, -1e15), 1e15))
    }

    /// The moment that lies `milliseconds` after 1970-01-01T00:00:00Z.
    public static func date(milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// Parses RFC 3339, with or without decimals; `nil` for anything else.
    public static func date(text: String) -> Date? {
        (try? Date(text, strategy: .iso8601.time(includingFractionalSeconds: true)))
            ?? (try? Date(text, strategy: .iso8601))
    }

    /// `2026-11-21T18:03:22.114Z`, always with three decimals.
    public static func text(_ date: Date) -> String { text(milliseconds: milliseconds(date)) }

    /// `2026-11-21T18:03:22.114Z`, always with three decimals.
    public static func text(milliseconds: Int64) -> String {
        let (day, inDay) = milliseconds.flooredDivision(by: 86_400_000)
        let (year, month, dayOfMonth) = civil(daysSince1970: day)
        let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
        let clock = [inDay / 3_600_000, inDay / 60_000 % 60, inDay / 1000 % 60].map { padded($0, 2) }
        return "\(date)T\(clock.joined(separator: ":")).\(padded(inDay % 1000, 3))Z"
    }

    /// The year, month and day of the proleptic Gregorian calendar (Howard Hinnant, "chrono-Compatible Low-Level Date
    /// Algorithms", `civil_from_days`). Foundation's formatters truncate milliseconds instead of rounding them.
    private static func civil(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let (era, dayOfEra) = shifted.flooredDivision(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Int64 {
    fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
