/// A value that its schema does not allow.
package struct SchemaFault: Error, Equatable, CustomStringConvertible {
    /// Where it stands: `sets[2].reps`; empty for the whole value.
    package var path: String
    /// What was expected there, as the end of a sentence.
    package let reason: String

    /// A fault at a place.
    package init(path: String, reason: String) { (self.path, self.reason) = (path, reason) }

    package var description: String { path.isEmpty ? reason : "\(path) \(reason)" }
}

extension Schema {
    /// The most items of one list.
    package static let maximumItems = 1000
    /// The moments that are taken: the years 2000 to 2100.
    private static let moments = Int64(946_684_800_000)..<4_133_980_800_000

    /// What a moment must be, as the end of a sentence.
    package static let momentExpected = "expects a time such as 2026-11-21T18:03:22.114Z, from 2000 to 2100"

    /// Writes a value as JSON and checks every part of it: ranges, lengths of texts and lists, ids and moments.
    ///
    /// A value of a `Codable` type has no unknown keys and lacks none that it must have, so these are not looked for. Words of
    /// an enumeration are not compared: a newer node may have more of them.
    ///
    /// - Returns: one line of JSON in UTF-8.
    /// - Throws: ``SchemaFault`` for a part that this schema does not allow, `EncodingError` for numbers that JSON cannot hold.
    package func json(of value: some Encodable) throws -> [UInt8] {
        let item = try JSONEncoding.item(value)
        if let fault = fault(of: item) { throw fault }
        var bytes = JSONBytes(isIndented: false, zone: nil)
        bytes.write(item)
        return bytes.bytes
    }

    /// Looks for the first part of a value that this schema does not describe exactly: unknown and missing keys and unknown
    /// words are faults, too. For tests of a description.
    package func strictFault(of value: JSONValue) throws -> SchemaFault? {
        fault(of: try JSONEncoding.item(value), isStrict: true)
    }

    private func fault(of item: JSONEncoding.Item, isStrict: Bool = false) -> SchemaFault? {
        switch (self, item) {
        case (.text(_, .some(let words), _, _), .text(let text)) where isStrict && !words.contains(text):
            .here("expects one of \(words.joined(separator: ", ")), not \(text)")
        case (.text(_, _, _, let limit), .text(let text)):
            limit?.fault(of: text).map { .here("expects a text: it \($0)") }
        case (.id, .text(let text)): text.isTopicId ? nil : .here("expects 1 to 63 of a-z 0-9 _ -")
        case (.uuid, .text(let text)): text.isUUID ? nil : .here("expects a UUID in lower case")
        case (.moment, .text(let text)):
            Self.isMoment(text) ? nil : .here(Self.momentExpected)
        case (.named(_, let schema), let item): schema.fault(of: item, isStrict: isStrict)
        case (.oneOf(let choices), let item) where isStrict:
            choices.contains { $0.fault(of: item, isStrict: true) == nil } ? nil : .here("fits none of its forms")
        case (.constant(.null), let item) where isStrict: if case .null = item { nil } else { .here("expects null") }
        case (.flag, .flag), (.anything, .node), (.constant, _), (.oneOf, _), (.jpeg, _): nil
        case (.integer(let minimum, let maximum), .integer(let number)):
            Self.fault(number, minimum ?? .min, maximum ?? .max, "a whole number")
        case (.number(let minimum, let maximum), .number(let number)):
            Self.fault(number, minimum ?? -.infinity, maximum ?? .infinity, "a number")
        case (.number, .integer(let number)): fault(of: .number(Double(number)), isStrict: isStrict)
        case (.list(let schema, let count), .node(let node)): Self.fault(ofItems: node, schema, count, isStrict)
        case (.map(let schema), .node(let node)): Self.fault(ofValues: node, schema, isStrict)
        case (.object(let fields), .node(let node)): Self.fault(ofFields: node, fields, isStrict)
        default: .here("is not what belongs there")
        }
    }

    /// Whether a text is a moment as ``moment`` has it, of the years 2000 to 2100.
    package static func isMoment(_ text: String) -> Bool {
        guard text.utf8.count == 24, let milliseconds = Timestamp.milliseconds(text: text) else { return false }
        // PostgreSQL would refuse a whole batch for a 30 February.
        return moments.contains(milliseconds) && Timestamp.text(milliseconds: milliseconds) == text
    }

    private static func fault<Number: Comparable>(
        _ number: Number, _ minimum: Number, _ maximum: Number, _ kind: String
    ) -> SchemaFault? {
        number >= minimum && number <= maximum ? nil : .here("expects \(kind) from \(minimum) to \(maximum)")
    }

    private static func fault(
        ofItems node: JSONEncoding.Node, _ schema: Schema, _ count: Int?, _ isStrict: Bool
    ) -> SchemaFault? {
        let items = node.items
        if let count, items.count != count { return .here("expects a list of \(count)") }
        guard items.count <= maximumItems else { return .here("expects a list of at most \(maximumItems)") }
        for (index, item) in items.enumerated() {
            if let fault = schema.fault(of: item, isStrict: isStrict) { return fault.within("[\(index)]") }
        }
        return nil
    }

    private static func fault(
        ofValues node: JSONEncoding.Node, _ schema: Schema, _ isStrict: Bool
    ) -> SchemaFault? {
        guard node.items.count <= maximumItems else { return .here("expects at most \(maximumItems) entries") }
        for (key, item) in zip(node.keys, node.items) {
            if let fault = TextLimit.word.fault(of: key) { return .here("expects names: one \(fault)") }
            if let fault = schema.fault(of: item, isStrict: isStrict) { return fault.within(key) }
        }
        return nil
    }

    private static func fault(
        ofFields node: JSONEncoding.Node, _ fields: [(name: String, field: Field)], _ isStrict: Bool
    )
        -> SchemaFault?
    {
        for (key, item) in zip(node.keys, node.items) {
            guard let schema = fields.first(where: { $0.name == key })?.field.schema else {
                if isStrict { return .here("has the key '\(key)', which is not described") }
                continue
            }
            if let fault = schema.fault(of: item, isStrict: isStrict) { return fault.within(key) }
        }
        let missing = isStrict ? fields.first { $0.field.isRequired && !node.keys.contains($0.name) } : nil
        return missing.map { .here("lacks the key '\($0.name)'") }
    }
}

extension SchemaFault {
    fileprivate static func here(_ reason: String) -> SchemaFault { SchemaFault(path: "", reason: reason) }

    /// The same fault, seen from the value around it.
    package func within(_ part: String) -> SchemaFault {
        let isJoined = path.isEmpty || path.hasPrefix("[")
        return SchemaFault(path: part + (isJoined ? "" : ".") + path, reason: reason)
    }
}

extension String {
    /// Whether this can be a level of a topic: 1 to 63 of `a-z 0-9 _ -`, and no mark first.
    package var isTopicId: Bool {
        let bytes = utf8
        guard (1...63).contains(bytes.count), let first = bytes.first, first != UInt8(ascii: "_"),
            first != UInt8(ascii: "-")
        else { return false }
        return bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
    }

    /// Whether this is a UUID in lower case, such as `019aa0c4-6d2e-7c11-9f00-3f6a2c1d9e55`.
    package var isUUID: Bool {
        let bytes = utf8
        guard bytes.count == 36 else { return false }
        for (place, byte) in bytes.enumerated() {
            switch (place, byte) {
            case (8, _), (13, _), (18, _), (23, _): guard byte == UInt8(ascii: "-") else { return false }
            case (_, UInt8(ascii: "0")...UInt8(ascii: "9")), (_, UInt8(ascii: "a")...UInt8(ascii: "f")): break
            default: return false
            }
        }
        return true
    }
}
