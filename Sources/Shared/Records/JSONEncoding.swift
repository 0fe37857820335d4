import Foundation

/// Collects what a value encodes, and writes it as JSON with sorted keys.
///
/// Foundation's encoder makes an object of every value and needs several times as long. A history of years, and every
/// message, go through here.
struct JSONEncoding {
    /// One value.
    enum Item {
        case null
        case flag(Bool)
        case integer(Int64)
        case unsigned(UInt64)
        case number(Double)
        case text(String)
        case node(Node)
    }

    /// A list or an object that is filled while its value encodes itself.
    final class Node {
        var isObject = false
        var keys: [String] = []
        var items: [Item] = []
    }

    /// What a value encodes.
    ///
    /// - Throws: `EncodingError` for numbers JSON cannot hold.
    static func item<Value: Encodable>(_ value: Value) throws -> Item {
        if Value.self == Date.self, let date = value as? Date { return .text(Timestamp.text(date)) }
        if Value.self == Data.self, let data = value as? Data { return .text(data.base64EncodedString()) }
        if Value.self == URL.self, let url = value as? URL { return .text(url.absoluteString) }
        let slot = Slot()
        try value.encode(to: JSONTreeEncoder(slot: slot))
        return slot.item ?? .node(Node())
    }

    /// Where an encoder puts its one value.
    final class Slot {
        var item: Item?

        /// The list or the object of the value: the same one for every container that it asks for.
        func node(isObject: Bool) -> Node {
            if case .node(let node)? = item { return node }
            let node = Node()
            node.isObject = isObject
            item = .node(node)
            return node
        }
    }

    static func item(_ number: Double) throws -> Item {
        guard number.isFinite else {
            throw EncodingError.invalidValue(
                number, .init(codingPath: [], debugDescription: "JSON has no number \(number)"))
        }
        return .number(number)
    }
}

/// Writes items as bytes of JSON.
struct JSONBytes {
    private(set) var bytes: [UInt8] = []
    private let isIndented: Bool
    private let zone: TimeZone?
    private var depth = 0

    /// - Parameters:
    ///   - isIndented: whether every value has a line of its own.
    ///   - zone: the time zone of the times; `nil` for UTC.
    init(isIndented: Bool, zone: TimeZone?) {
        self.isIndented = isIndented
        self.zone = zone
    }

    mutating func write(_ item: JSONEncoding.Item) {
        switch item {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .flag(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
        case .integer(let number): bytes.append(contentsOf: String(number).utf8)
        case .unsigned(let number): bytes.append(contentsOf: String(number).utf8)
        case .number(let number): write(number)
        case .text(let text): write(zone.map { inZone(text, $0) } ?? text)
        case .node(let node): write(node)
        }
    }

    /// Only the form of ``Timestamp/text(milliseconds:)`` is a time.
    private func inZone(_ text: String, _ zone: TimeZone) -> String {
        let isTime = text.utf8.count == 24 && text.dropFirst(10).first == "T" && text.last == "Z"
        return isTime ? Timestamp.text(text, in: zone) : text
    }

    /// Whole numbers are written without decimals.
    private mutating func write(_ number: Double) {
        if number == number.rounded(.towardZero), abs(number) < 0x1p54 {
            bytes.append(contentsOf: (number == 0 && number.sign == .minus ? "-0" : String(Int64(number))).utf8)
        } else {
            bytes.append(contentsOf: "\(number)".utf8)
        }
    }

    private mutating func write(_ node: JSONEncoding.Node) {
        bytes.append(UInt8(ascii: node.isObject ? "{" : "["))
        depth += 1
        // Keys are unique. Most objects have few.
        let order =
            node.isObject ? node.keys.indices.sorted { node.keys[$0] < node.keys[$1] } : Array(node.items.indices)
        for (number, place) in order.enumerated() {
            if number > 0 { bytes.append(UInt8(ascii: ",")) }
            breakLine()
            if node.isObject {
                write(node.keys[place])
                bytes.append(contentsOf: (isIndented ? " : " : ":").utf8)
            }
            write(node.items[place])
        }
        depth -= 1
        if !order.isEmpty { breakLine() }
        bytes.append(UInt8(ascii: node.isObject ? "}" : "]"))
    }

    private mutating func breakLine() {
        guard isIndented else { return }
        bytes.append(UInt8(ascii: "\n"))
        for _ in 0..<depth { bytes.append(contentsOf: "  ".utf8) }
    }

    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }
        if isPlain { bytes.append(contentsOf: text.utf8) } else { writeEscaped(text) }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func writeEscaped(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x08: bytes.append(contentsOf: "\\b".utf8)
            case 0x09: bytes.append(contentsOf: "\\t".utf8)
            case 0x0A: bytes.append(contentsOf: "\\n".utf8)
            case 0x0C: bytes.append(contentsOf: "\\f".utf8)
            case 0x0D: bytes.append(contentsOf: "\\r".utf8)
            case 0..<0x20:
                let digits = (byte < 16 ? "0" : "1") + String(byte & 15, radix: 16)
                bytes.append(contentsOf: "\\u00\(digits)".utf8)
            default: bytes.append(byte)
            }
        }
    }
}
