import Foundation

/// The bytes of a FlatBuffers file. Every read is checked against their number.
///
/// Source: the FlatBuffers binary format (https://flatbuffers.dev/internals). Scalars are little-endian, tables find
/// their fields through a vtable, and offsets are relative to their own position.
struct FlatBuffer {
    /// File name for error messages.
    let file: String
    let bytes: Data

    /// The root table.
    func root() throws(ModelError) -> FlatTable {
        try FlatTable(self, at: Int(scalar(UInt32.self, at: 0)))
    }

    /// The little-endian number at a byte offset.
    ///
    /// - Throws: ``ModelError/damaged(file:reason:)`` when it does not lie within the file.
    func scalar<T: FixedWidthInteger>(_ type: T.Type, at offset: Int) throws(ModelError) -> T {
        let size = MemoryLayout<T>.size
        guard offset >= 0, offset <= bytes.count - size else { throw outside(offset) }
        // The range was just checked, and the load may be unaligned.
        return bytes.withUnsafeBytes { T(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: T.self)) }
    }

    /// `count` little-endian numbers, starting at a byte offset.
    func scalars<T: FixedWidthInteger>(_ type: T.Type, at offset: Int, count: Int) throws(ModelError) -> [T] {
        let size = MemoryLayout<T>.size
        guard offset >= 0, count >= 0, count <= bytes.count / size, offset <= bytes.count - count * size else {
            throw outside(offset)
        }
        return bytes.withUnsafeBytes { raw in
            // The range was just checked, and the load may be unaligned.
            (0..<count).map { T(littleEndian: raw.loadUnaligned(fromByteOffset: offset + $0 * size, as: T.self)) }
        }
    }

    func damaged(_ reason: String) -> ModelError { .damaged(file: file, reason: reason) }

    private func outside(_ offset: Int) -> ModelError {
        damaged("it points to byte \(offset), but has only \(bytes.count)")
    }
}

/// A table of a FlatBuffers file. Fields are numbered in the order of the schema. Absent fields have defaults.
struct FlatTable {
    let buffer: FlatBuffer
    private let position: Int
    private let vtable: Int
    private let vtableSize: Int

    init(_ buffer: FlatBuffer, at position: Int) throws(ModelError) {
        self.buffer = buffer
        self.position = position
        vtable = position - Int(try buffer.scalar(Int32.self, at: position))
        vtableSize = Int(try buffer.scalar(UInt16.self, at: vtable))
    }

    /// A number, or the default when the field is absent.
    func number<T: FixedWidthInteger>(_ field: Int, default standard: T) throws(ModelError) -> T {
        guard let place = try place(field) else { return standard }
        return try buffer.scalar(T.self, at: place)
    }

    /// A nested table, or `nil` when the field is absent.
    func table(_ field: Int) throws(ModelError) -> FlatTable? {
        guard let place = try place(field) else { return nil }
        return try FlatTable(buffer, at: place + Int(buffer.scalar(UInt32.self, at: place)))
    }

    /// A vector of numbers; empty when the field is absent.
    func numbers<T: FixedWidthInteger>(_ field: Int, of type: T.Type) throws(ModelError) -> [T] {
        guard let (start, count) = try vector(field) else { return [] }
        return try buffer.scalars(T.self, at: start, count: count)
    }

    /// A vector of tables; empty when the field is absent.
    func tables(_ field: Int) throws(ModelError) -> [FlatTable] {
        guard let (start, count) = try vector(field) else { return [] }
        var tables: [FlatTable] = []
        for (index, offset) in try buffer.scalars(UInt32.self, at: start, count: count).enumerated() {
            tables.append(try FlatTable(buffer, at: start + 4 * index + Int(offset)))
        }
        return tables
    }

    /// The byte range of a vector of bytes; empty when the field is absent.
    func bytes(_ field: Int) throws(ModelError) -> Range<Int> {
        guard let (start, count) = try vector(field) else { return 0..<0 }
        guard start <= buffer.bytes.count, count <= buffer.bytes.count - start else {
            throw buffer.damaged("it ends within its weights")
        }
        return start..<(start + count)
    }

    private func vector(_ field: Int) throws(ModelError) -> (start: Int, count: Int)? {
        guard let place = try place(field) else { return nil }
        let start = place + Int(try buffer.scalar(UInt32.self, at: place))
        return (start + 4, Int(try buffer.scalar(UInt32.self, at: start)))
    }

    /// Byte offset of a field's value; `nil` when the field is absent.
    private func place(_ field: Int) throws(ModelError) -> Int? {
        let slot = 4 + 2 * field
        guard slot + 2 <= vtableSize else { return nil }
        let offset = Int(try buffer.scalar(UInt16.self, at: vtable + slot))
        return offset == 0 ? nil : position + offset
    }
}
