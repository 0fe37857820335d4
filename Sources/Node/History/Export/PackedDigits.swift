/// Bytes in hexadecimal digits, as SQLite's function `hex` writes them.
enum PackedDigits {
    /// The bytes of a text; `nil` for an empty one, and for one that is no hexadecimal digits.
    static func bytes(_ value: ExportValue) -> [UInt8]? {
        guard case .text(let text) = value, !text.isEmpty, text.utf8.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 2)
        var high: UInt8?
        for digit in text.utf8 {
            guard let half = Self.half(of: digit) else { return nil }
            if let first = high {
                bytes.append(first << 4 | half)
                high = nil
            } else {
                high = half
            }
        }
        return bytes
    }

    private static func half(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
