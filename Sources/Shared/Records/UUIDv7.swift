import Foundation

/// Makes identifiers that sort by time: 48 bits of Unix milliseconds, then random bits (RFC 9562, section 5.7).
public enum UUIDv7 {
    /// A new identifier for the moment `date`: 36 characters, lower case.
    @Sendable public static func string(at date: Date) -> String {
        var generator = SystemRandomNumberGenerator()
        return string(at: date, using: &generator)
    }

    /// The same with the random bits of a generator.
    package static func string(at date: Date, using generator: inout some RandomNumberGenerator) -> String {
        let milliseconds = UInt64(max(0, date.timeIntervalSince1970 * 1000))
        let random = (generator.next(), generator.next())
        let high = milliseconds << 16 | 0x7000 | random.0 & 0x0FFF
        let low = 0x8000_0000_0000_0000 | random.1 & 0x3FFF_FFFF_FFFF_FFFF
        let digits = hex(high) + hex(low)
        let cuts = [0, 8, 12, 16, 20, 32]
        return zip(cuts, cuts.dropFirst())
            .map { String(digits.dropFirst($0).prefix($1 - $0)) }
            .joined(separator: "-")
    }

    private static func hex(_ value: UInt64) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}
