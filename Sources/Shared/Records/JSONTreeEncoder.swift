/// Gives a value the containers into which it encodes itself. What it encodes is kept in a ``JSONEncoding/Slot``.
struct JSONTreeEncoder: Encoder {
    let slot: JSONEncoding.Slot
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(JSONObjectContainer<Key>(node: slot.node(isObject: true)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        JSONListContainer(node: slot.node(isObject: false))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        JSONValueContainer(slot: slot)
    }
}

/// The fields of an object.
private struct JSONObjectContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: JSONEncoding.Node
    var codingPath: [any CodingKey] { [] }

    private func put(_ item: JSONEncoding.Item, _ key: some CodingKey) {
        node.keys.append(key.stringValue)
        node.items.append(item)
    }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        put(try JSONEncoding.item(value), key)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        nested(key).container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nested(key, isObject: false).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { nested(SuperKey()) }

    mutating func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

    private func nested(_ key: some CodingKey, isObject: Bool = true) -> JSONTreeEncoder {
        let slot = JSONEncoding.Slot()
        put(.node(slot.node(isObject: isObject)), key)
        return JSONTreeEncoder(slot: slot)
    }

    mutating func encodeNil(forKey key: Key) { put(.null, key) }
    mutating func encode(_ value: Bool, forKey key: Key) { put(.flag(value), key) }
    mutating func encode(_ value: String, forKey key: Key) { put(.text(value), key) }
    mutating func encode(_ value: Double, forKey key: Key) throws { put(try JSONEncoding.item(value), key) }
    mutating func encode(_ value: Float, forKey key: Key) throws {
        put(try JSONEncoding.item(Double(value.description) ?? .nan), key)
    }
    mutating func encode(_ value: Int, forKey key: Key) { put(.integer(Int64(value)), key) }
    mutating func encode(_ value: Int8, forKey key: Key) { put(.integer(Int64(value)), key) }
    mutating func encode(_ value: Int16, forKey key: Key) { put(.integer(Int64(value)), key) }
    mutating func encode(_ value: Int32, forKey key: Key) { put(.integer(Int64(value)), key) }
    mutating func encode(_ value: Int64, forKey key: Key) { put(.integer(Int64(value)), key) }
    mutating func encode(_ value: UInt, forKey key: Key) { put(.unsigned(UInt64(value)), key) }
    mutating func encode(_ value: UInt8, forKey key: Key) { put(.unsigned(UInt64(value)), key) }
    mutating func encode(_ value: UInt16, forKey key: Key) { put(.unsigned(UInt64(value)), key) }
    mutating func encode(_ value: UInt32, forKey key: Key) { put(.unsigned(UInt64(value)), key) }
    mutating func encode(_ value: UInt64, forKey key: Key) { put(.unsigned(UInt64(value)), key) }
}

private struct SuperKey: CodingKey {
    var stringValue: String { "super" }
    var intValue: Int? { nil }
    init() {}
    init?(stringValue: String) { nil }
    init?(intValue: Int) { nil }
}

/// The values of a list.
private struct JSONListContainer: UnkeyedEncodingContainer {
    let node: JSONEncoding.Node
    var codingPath: [any CodingKey] { [] }
    var count: Int { node.items.count }

    private func put(_ item: JSONEncoding.Item) { node.items.append(item) }

    mutating func encode<Value: Encodable>(_ value: Value) throws { put(try JSONEncoding.item(value)) }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        nested(isObject: true).container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        nested(isObject: false).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { nested(isObject: true) }

    private func nested(isObject: Bool) -> JSONTreeEncoder {
        let slot = JSONEncoding.Slot()
        put(.node(slot.node(isObject: isObject)))
        return JSONTreeEncoder(slot: slot)
    }

    mutating func encodeNil() { put(.null) }
    mutating func encode(_ value: Bool) { put(.flag(value)) }
    mutating func encode(_ value: String) { put(.text(value)) }
    mutating func encode(_ value: Double) throws { put(try JSONEncoding.item(value)) }
    mutating func encode(_ value: Float) throws {
        put(try JSONEncoding.item(Double(value.description) ?? .nan))
    }
    mutating func encode(_ value: Int) { put(.integer(Int64(value))) }
    mutating func encode(_ value: Int8) { put(.integer(Int64(value))) }
    mutating func encode(_ value: Int16) { put(.integer(Int64(value))) }
    mutating func encode(_ value: Int32) { put(.integer(Int64(value))) }
    mutating func encode(_ value: Int64) { put(.integer(Int64(value))) }
    mutating func encode(_ value: UInt) { put(.unsigned(UInt64(value))) }
    mutating func encode(_ value: UInt8) { put(.unsigned(UInt64(value))) }
    mutating func encode(_ value: UInt16) { put(.unsigned(UInt64(value))) }
    mutating func encode(_ value: UInt32) { put(.unsigned(UInt64(value))) }
    mutating func encode(_ value: UInt64) { put(.unsigned(UInt64(value))) }
}

/// A single value.
private struct JSONValueContainer: SingleValueEncodingContainer {
    let slot: JSONEncoding.Slot
    var codingPath: [any CodingKey] { [] }

    private func put(_ item: JSONEncoding.Item) { slot.item = item }

    mutating func encode<Value: Encodable>(_ value: Value) throws { put(try JSONEncoding.item(value)) }

    mutating func encodeNil() { put(.null) }
    mutating func encode(_ value: Bool) { put(.flag(value)) }
    mutating func encode(_ value: String) { put(.text(value)) }
    mutating func encode(_ value: Double) throws { put(try JSONEncoding.item(value)) }
    mutating func encode(_ value: Float) throws {
        put(try JSONEncoding.item(Double(value.description) ?? .nan))
    }
    mutating func encode(_ value: Int) { put(.integer(Int64(value))) }
    mutating func encode(_ value: Int8) { put(.integer(Int64(value))) }
    mutating func encode(_ value: Int16) { put(.integer(Int64(value))) }
    mutating func encode(_ value: Int32) { put(.integer(Int64(value))) }
    mutating func encode(_ value: Int64) { put(.integer(Int64(value))) }
    mutating func encode(_ value: UInt) { put(.unsigned(UInt64(value))) }
    mutating func encode(_ value: UInt8) { put(.unsigned(UInt64(value))) }
    mutating func encode(_ value: UInt16) { put(.unsigned(UInt64(value))) }
    mutating func encode(_ value: UInt32) { put(.unsigned(UInt64(value))) }
    mutating func encode(_ value: UInt64) { put(.unsigned(UInt64(value))) }
}
