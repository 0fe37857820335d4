import Records

/// A time stamp of the contract: `2026-11-21T18:03:22.114Z`, from 2000 to 2100.
///
/// It is checked digit by digit and then passed on as text. PostgreSQL would refuse a whole batch for a 30 February.
package struct Moment: Sendable, Equatable {
    /// The text, as it came.
    package let text: String
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package let milliseconds: Int64

    /// `nil` for any other text.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        let shape = Array("0000-00-00T00:00:00.000Z".utf8)
        guard bytes.count == shape.count else { return nil }
        for (byte, expected) in zip(bytes, shape) {
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            guard expected == UInt8(ascii: "0") ? isDigit : byte == expected else { return nil }
        }
        func number(_ range: Range<Int>) -> Int64 {
            bytes[range].reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        guard (2000...2100).contains(year), (1...12).contains(month), day >= 1, hour < 24, minute < 60, second < 60,
            day <= Self.days(in: month, of: year)
        else { return nil }
        self.text = text
        let seconds = ((Self.daysSince1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
        milliseconds = seconds * 1000 + number(20..<23)
    }

    private static func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func days(in month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let before = (year - 1) * 365 + (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400
        let inYear = (1..<month).reduce(0) { $0 + days(in: $1, of: year) }
        return before + inYear + day - 1 - 719_162
    }
}
