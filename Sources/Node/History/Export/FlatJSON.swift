import Records

/// Reads one JSON object whose values are texts, numbers and `null`, from its bytes.
///
/// An export has millions of such objects, and a general decoder needs thirty times as long for each.
struct FlatJSON {
    /// No such object.
    struct Invalid: Error {}

    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Passes the keys and values to `each`, in their order.
    ///
    /// - Throws: ``Invalid``.
    mutating func read(_ each: (String, ExportValue) throws -> Void) throws {
        try expect("{")
        if skip("}") { return try end() }
        repeat {
            skipBlanks()
            let key = try text()
            try expect(":")
            try each(key, try value())
        } while skip(",")
        try expect("}")
        try end()
    }

    private mutating func end() throws {
        skipBlanks()
        guard place == bytes.count else { throw Invalid() }
    }

    private mutating func skipBlanks() {
        while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar) throws {
        guard skip(character) else { throw Invalid() }
    }

    private mutating func value() throws -> ExportValue {
        skipBlanks()
        guard place < bytes.count else { throw Invalid() }
        switch bytes[place] {
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "n"):
            for byte in "null".utf8 {
                guard place < bytes.count, bytes[place] == byte else { throw Invalid() }
                place += 1
            }
            return .none
        default: return try number()
        }
    }
}

// MARK: - Texts

extension FlatJSON {
    private mutating func text() throws -> String {
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { throw Invalid() }
        place += 1
        let start = place
        while place < bytes.count, bytes[place] != UInt8(ascii: "\""), bytes[place] != UInt8(ascii: "\\"),
            bytes[place] >= 0x20
        { place += 1 }
        guard place < bytes.count else { throw Invalid() }
        if bytes[place] == UInt8(ascii: "\"") {
            defer { place += 1 }
            return try Self.string(UnsafeBufferPointer(rebasing: bytes[start..<place]))
        }
        var unescaped = Array(bytes[start..<place])
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            switch byte {
            case UInt8(ascii: "\""): return try unescaped.withUnsafeBufferPointer(Self.string)
            case UInt8(ascii: "\\"): try unescape(into: &unescaped)
            case 0..<0x20: throw Invalid()
            default: unescaped.append(byte)
            }
        }
        throw Invalid()
    }

    private static func string(_ bytes: UnsafeBufferPointer<UInt8>) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Invalid() }
        return text
    }

    private mutating func unescape(into text: inout [UInt8]) throws {
        guard place < bytes.count else { throw Invalid() }
        let byte = bytes[place]
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: String(Character(try scalar())).utf8)
        default: throw Invalid()
        }
    }

    /// A scalar by its number, in two halves above U+FFFF.
    private mutating func scalar() throws -> Unicode.Scalar {
        let first = try unit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xD800..<0xDC00).contains(first), place + 1 < bytes.count, bytes[place] == UInt8(ascii: "\\"),
            bytes[place + 1] == UInt8(ascii: "u")
        else { throw Invalid() }
        place += 2
        let second = try unit()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw Invalid() }
        return scalar
    }

    private mutating func unit() throws -> UInt32 {
        guard place + 4 <= bytes.count else { throw Invalid() }
        var unit: UInt32 = 0
        for byte in bytes[place..<place + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw Invalid() }
            unit = unit << 4 | UInt32(digit)
        }
        place += 4
        return unit
    }
}

// MARK: - Numbers

extension FlatJSON {
    /// Decimals up to 10^-22, and whole numbers up to 2^53, are exact in a `Double`. So their quotient is rounded once.
    private static let powers: [Double] = (0...22).map { (0..<$0).reduce(1.0) { power, _ in power * 10 } }

    private mutating func number() throws -> ExportValue {
        let start = place
        if bytes[place] == UInt8(ascii: "-") { place += 1 }
        let isNegative = place > start
        var (mantissa, digits, isExact) = (Int64(0), 0, true)
        func isDigit(_ place: Int) -> Bool { place < bytes.count && (0x30...0x39).contains(bytes[place]) }
        let first = place
        while isDigit(place) {
            take(&mantissa, &isExact)
            digits += 1
        }
        guard digits > 0, digits == 1 || bytes[first] != UInt8(ascii: "0") else { throw Invalid() }
        var decimals = 0
        if place < bytes.count, bytes[place] == UInt8(ascii: ".") {
            place += 1
            while isDigit(place) {
                take(&mantissa, &isExact)
                decimals += 1
            }
            guard decimals > 0 else { throw Invalid() }
        }
        let hasExponent = try skipExponent()
        guard isExact, !hasExponent, decimals < Self.powers.count else { return try other(start) }
        if decimals == 0 { return .integer(isNegative ? -mantissa : mantissa) }
        guard mantissa < 1 << 53 else { return try other(start) }
        let number = Double(mantissa) / Self.powers[decimals]
        return Self.value(isNegative ? -number : number)
    }

    private mutating func take(_ mantissa: inout Int64, _ isExact: inout Bool) {
        let (tenfold, isLarge) = mantissa.multipliedReportingOverflow(by: 10)
        let (sum, isLarger) = tenfold.addingReportingOverflow(Int64(bytes[place] - 0x30))
        isExact = isExact && !isLarge && !isLarger
        mantissa = sum
        place += 1
    }

    private mutating func skipExponent() throws -> Bool {
        guard place < bytes.count, bytes[place] | 0x20 == UInt8(ascii: "e") else { return false }
        place += 1
        if place < bytes.count, bytes[place] == UInt8(ascii: "+") || bytes[place] == UInt8(ascii: "-") { place += 1 }
        let start = place
        while place < bytes.count, (0x30...0x39).contains(bytes[place]) { place += 1 }
        guard place > start else { throw Invalid() }
        return true
    }

    /// A number that the standard library reads.
    private func other(_ start: Int) throws -> ExportValue {
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        if let number = Int64(text) { return .integer(number) }
        guard let number = Double(text), number.isFinite else { throw Invalid() }
        return Self.value(number)
    }

    /// JSON does not distinguish 30 from 30.0.
    private static func value(_ number: Double) -> ExportValue {
        guard number == number.rounded(), abs(number) < 9e15 else { return .number(number) }
        return .integer(Int64(number))
    }
}
