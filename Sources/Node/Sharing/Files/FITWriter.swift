/// Writes a FIT file: a header, definitions of messages, messages, and a checksum.
///
/// The format is that of "Flexible and Interoperable Data Transfer (FIT) Protocol", Garmin's public description,
/// protocol 2.0. Numbers are little-endian. A field without a value holds the largest number of its type.
struct FITWriter {
    /// The type of a field: its code in a definition.
    enum Base: UInt8 {
        case enumeration = 0x00
        case uint8 = 0x02
        case uint16 = 0x84
        case uint32 = 0x86
        /// A number whose missing value is zero.
        case uint32z = 0x8C
        /// Text in UTF-8 that ends with a zero.
        case text = 0x07

        var size: Int {
            switch self {
            case .enumeration, .uint8, .text: 1
            case .uint16: 2
            case .uint32, .uint32z: 4
            }
        }

        /// What stands for a missing value.
        var missing: UInt32 {
            switch self {
            case .enumeration, .uint8: 0xFF
            case .uint16: 0xFFFF
            case .uint32: 0xFFFF_FFFF
            case .uint32z, .text: 0
            }
        }
    }

    /// A field of a message: its number in the profile, its type and its value.
    struct Field {
        let number: UInt8
        let base: Base
        let bytes: [UInt8]

        /// A number, clamped to what the type holds; `nil` for none.
        init(_ number: UInt8, _ base: Base, _ value: Int?) {
            (self.number, self.base) = (number, base)
            let largest = base == .uint32z ? UInt32.max : base.missing - 1
            let stored = value.map { UInt32(clamping: min(max(0, $0), Int(largest))) } ?? base.missing
            bytes = (0..<base.size).map { UInt8(truncatingIfNeeded: stored >> (8 * UInt32($0))) }
        }

        /// A text without zeros, cut at 60 bytes.
        init(_ number: UInt8, text: String) {
            (self.number, base) = (number, .text)
            var kept = text.replacing("\0", with: "")
            while kept.utf8.count > 60 { kept.removeLast() }
            bytes = Array(kept.utf8) + [0]
        }
    }

    /// The version of the profile of the message numbers, 21.32.
    private static let profile: UInt16 = 2132
    private static let headerBytes: UInt8 = 14

    private var content: [UInt8] = []
    /// The layout of each local type.
    private var layouts: [[UInt8]?] = Array(repeating: nil, count: 16)
    private var next = 0

    /// Adds a message. Its definition is written before it where none of the sixteen known ones fits.
    mutating func add(_ message: UInt16, _ fields: [Field]) {
        var layout: [UInt8] = [0, 0, UInt8(truncatingIfNeeded: message), UInt8(message >> 8), UInt8(fields.count)]
        for field in fields { layout += [field.number, UInt8(field.bytes.count), field.base.rawValue] }
        let local: Int
        if let known = layouts.firstIndex(of: layout) {
            local = known
        } else {
            local = next
            next = (next + 1) % layouts.count
            layouts[local] = layout
            content.append(0x40 | UInt8(local))
            content += layout
        }
        content.append(UInt8(local))
        for field in fields { content += field.bytes }
    }

    /// The whole file.
    var file: [UInt8] {
        var header: [UInt8] = [
            Self.headerBytes, 0x20, UInt8(truncatingIfNeeded: Self.profile), UInt8(Self.profile >> 8),
        ]
        header += (0..<4).map { UInt8(truncatingIfNeeded: content.count >> (8 * $0)) }
        header += Array(".FIT".utf8)
        let whole = header + Self.littleEndian(Self.checksum(header)) + content
        return whole + Self.littleEndian(Self.checksum(whole))
    }

    private static func littleEndian(_ value: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)]
    }

    /// The cyclic redundancy check with the polynomial x¹⁶ + x¹⁵ + x² + 1, bits reversed, that starts at zero.
    static func checksum(_ bytes: [UInt8]) -> UInt16 {
        bytes.reduce(UInt16(0)) { sum, byte in
            (0..<8).reduce(sum ^ UInt16(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xA001 : sum >> 1 }
        }
    }
}
