/// Reads the fields of one packet, and never beyond its end.
struct PacketReader {
    let kind: PacketKind
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    /// - Parameter bytes: the packet behind its fixed header.
    init(_ bytes: ArraySlice<UInt8>, of kind: PacketKind) {
        self.bytes = bytes
        self.kind = kind
        position = bytes.startIndex
    }

    /// The bytes that were not read yet.
    var left: Int { bytes.endIndex - position }

    func fault(_ reason: String) -> PacketFault { PacketFault("\(kind.name) \(reason)") }

    mutating func byte() throws(PacketFault) -> UInt8 {
        guard left >= 1 else { throw fault("ends too early") }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func short() throws(PacketFault) -> UInt16 { try UInt16(byte()) << 8 | UInt16(byte()) }

    mutating func long() throws(PacketFault) -> UInt32 { try UInt32(short()) << 16 | UInt32(short()) }

    /// A number of one to four bytes (section 1.5.5).
    mutating func variable() throws(PacketFault) -> UInt32 {
        var value: UInt32 = 0
        for shift in stride(from: UInt32(0), to: 28, by: 7) {
            let byte = try byte()
            value |= UInt32(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        throw fault("has a number of more than four bytes")
    }

    /// Bytes after their length.
    @discardableResult
    mutating func binary() throws(PacketFault) -> ArraySlice<UInt8> {
        let count = Int(try short())
        guard left >= count else { throw fault("ends too early") }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// UTF-8 text after its length, without NUL (section 1.5.4).
    @discardableResult
    mutating func text() throws(PacketFault) -> ArraySlice<UInt8> {
        let text = try binary()
        guard !text.contains(0), Self.isUTF8(text) else { throw fault("has text that is not UTF-8") }
        return text
    }

    /// A packet's number, which is not 0.
    @discardableResult
    mutating func packetId() throws(PacketFault) -> UInt16 {
        let id = try short()
        guard id != 0 else { throw fault("has the packet id 0") }
        return id
    }

    /// The properties, each of a kind that belongs here.
    mutating func properties() throws(PacketFault) {
        let count = Int(try variable())
        guard left >= count else { throw fault("ends within its properties") }
        let end = position + count
        var seen: Set<PacketProperty> = []
        while position < end {
            let number = try variable()
            guard let property = PacketProperty(rawValue: number) else {
                throw fault("has the unknown property 0x" + String(number, radix: 16, uppercase: true))
            }
            guard property.belongs(in: kind) else { throw fault("may not have the property \(property)") }
            guard seen.insert(property).inserted || property.repeats else {
                throw fault("has the property \(property) twice")
            }
            try value(of: property)
            guard position <= end else { throw fault("has a property that is longer than all of them") }
        }
    }

    private mutating func value(of property: PacketProperty) throws(PacketFault) {
        let isAllowed: Bool
        switch property.value {
        case .flag: isAllowed = try byte() <= 1
        case .short(let mayBeZero): isAllowed = try short() != 0 || mayBeZero
        case .long(let mayBeZero): isAllowed = try long() != 0 || mayBeZero
        case .variable: isAllowed = try variable() != 0
        case .binary:
            try binary()
            isAllowed = true
        case .text:
            try text()
            isAllowed = true
        case .textPair:
            try text()
            try text()
            isAllowed = true
        }
        guard isAllowed else { throw fault("has a value of the property \(property) that is not allowed") }
    }

    /// Whether bytes are UTF-8 without surrogates.
    private static func isUTF8(_ text: ArraySlice<UInt8>) -> Bool {
        text.allSatisfy { $0 < 0x80 } || String(validating: text, as: UTF8.self) != nil
    }
}
