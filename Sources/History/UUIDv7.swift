import Foundation

/// Identifiers that sort by the time they were made (RFC 9562, section 5.7), lower case.
public enum UUIDv7 {
    /// - Parameter date: its 48 bits of milliseconds come first; a moment before 1970 counts as 1970.
    public static func make(at date: Date) -> String {
        let milliseconds = UInt64(max(0, Timestamp.milliseconds(date))) & 0xFFFF_FFFF_FFFF
        let high = milliseconds << 16 | 0x7000 | UInt64.random(in: 0...0xFFF)
        let low = UInt64.random(in: 0...UInt64.max) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits = hex(high) + hex(low)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append("-") }
            text.append(digit)
        }
        return text
    }

    private static func hex(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
