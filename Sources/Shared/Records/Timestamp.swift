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
        if let milliseconds = usual(text) { return date(milliseconds: milliseconds) }
        return (try? Date(text, strategy: .iso8601.time(includingFractionalSeconds: true)))
            ?? (try? Date(text, strategy: .iso8601))
    }

    /// Parses RFC 3339 as ``date(text:)``, to milliseconds since 1970-01-01T00:00:00Z.
    public static func milliseconds(text: String) -> Int64? { usual(text) ?? date(text: text).map(milliseconds) }

    /// `2026-11-21T18:03:22.114Z`, always with three decimals.
    public static func text(_ date: Date) -> String { text(milliseconds: milliseconds(date)) }

    /// `2026-11-21T18:03:22.114Z`, always with three decimals.
    public static func text(milliseconds: Int64) -> String {
        let (day, inDay) = milliseconds.flooredDivision(by: 86_400_000)
        let (year, month, dayOfMonth) = civil(daysSince1970: day)
        guard (0...9999).contains(year) else {
            let clock = text(milliseconds: inDay).dropFirst(10)
            return "\(year)-\(month < 10 ? "0" : "")\(month)-\(dayOfMonth < 10 ? "0" : "")\(dayOfMonth)\(clock)"
        }
        return String(unsafeUninitializedCapacity: 24) { bytes in
            func write(_ value: Int64, _ digits: Int, at place: Int, then mark: Unicode.Scalar) {
                var rest = value
                for digit in stride(from: place + digits - 1, through: place, by: -1) {
                    bytes[digit] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
                    rest /= 10
                }
                bytes[place + digits] = UInt8(ascii: mark)
            }
            write(year, 4, at: 0, then: "-")
            write(month, 2, at: 5, then: "-")
            write(dayOfMonth, 2, at: 8, then: "T")
            write(inDay / 3_600_000, 2, at: 11, then: ":")
            write(inDay / 60_000 % 60, 2, at: 14, then: ":")
            write(inDay / 1000 % 60, 2, at: 17, then: ".")
            write(inDay % 1000, 3, at: 20, then: "Z")
            return 24
        }
    }

    /// Parses the form of ``text(milliseconds:)``. Foundation's formats read every other one, and take a hundred times as
    /// long.
    private static func usual(_ text: String) -> Int64? {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.count == 24, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] == 0x54, bytes[13] == 0x3A,
                bytes[16] == 0x3A, bytes[19] == 0x2E, bytes[23] == 0x5A
            else { return nil }
            var isNumber = true
            func number(_ places: Range<Int>) -> Int64 {
                places.reduce(0) { sum, place in
                    let digit = Int64(bytes[place]) - 0x30
                    isNumber = isNumber && (0...9).contains(digit)
                    return sum * 10 + digit
                }
            }
            let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
            let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
            let thousandths = number(20..<23)
            // Foundation decides about the 29th of February.
            let longest: Int64 = month == 2 ? 28 : [4, 6, 9, 11].contains(month) ? 30 : 31
            guard isNumber, (1...12).contains(month), (1...longest).contains(day), hour < 24, minute < 60, second < 60
            else { return nil }
            let days = daysSince1970(year: year, month: month, day: day)
            return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + thousandths
        }
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

    /// The other way (`days_from_civil`).
    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = marchYear.flooredDivision(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

extension Int64 {
    fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
