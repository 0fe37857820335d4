import Foundation
import History

/// Reads the format `json`: one object that holds a list of rows for each table. The lists are first found, and then read
/// in the order of an import, whatever their order in the file.
struct JSONTables {
    private let bytes: ByteReader
    /// Where the rows of each table begin.
    private var places: [ExportTable: Int] = [:]

    /// - Throws: `ImportError` for a file that is no such object.
    init(_ bytes: ByteReader) throws {
        self.bytes = bytes
        try findTables()
    }

    /// The rows of all tables.
    func rows() -> ExportReader.Rows {
        var tables = ExportTable.allCases.filter { places[$0] != nil }[...]
        var current: ExportTable?
        var number = 0
        return { [bytes, places] in
            while true {
                if let table = current {
                    number += 1
                    let place = "\(table.rawValue), row \(number)"
                    if let row = try Self.row(of: table, place, bytes) { return (row, place) }
                }
                guard let table = tables.popFirst(), let start = places[table] else { return nil }
                (current, number) = (table, 0)
                try bytes.seek(to: start)
            }
        }
    }

    /// The next row of a list; `nil` at its end.
    private static func row(of table: ExportTable, _ place: String, _ bytes: ByteReader) throws -> ExportRow? {
        while let byte = try bytes.peek(), byte != UInt8(ascii: "{") {
            if byte == UInt8(ascii: "]") { return nil }
            guard isBlank(byte) || byte == UInt8(ascii: ",") else { throw noTables }
            _ = try bytes.next()
        }
        let object = try object(bytes, place)
        do {
            return try object.withUnsafeBufferPointer { try ExportRow(jsonBytes: $0, of: table) }
        } catch let error as ImportError {
            throw ImportError("\(place): \(error.reason)")
        }
    }

    /// The bytes of a flat object.
    private static func object(_ bytes: ByteReader, _ place: String) throws -> [UInt8] {
        var (object, isText, isEscaped) = ([UInt8](), false, false)
        while let byte = try bytes.next() {
            object.append(byte)
            if isText {
                // A quote ends the text unless a backslash stands before it, which is not escaped itself.
                if !isEscaped, byte == UInt8(ascii: "\"") { isText = false }
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else if byte == UInt8(ascii: "\"") {
                isText = true
            } else if byte == UInt8(ascii: "}") {
                return object
            }
            guard object.count <= ByteReader.maximumBytes else { break }
        }
        throw ImportError("\(place): it does not end")
    }

    /// Finds the lists in the outer object.
    private mutating func findTables() throws {
        var (depth, name) = (0, [UInt8]())
        while let byte = try bytes.next() {
            switch byte {
            case UInt8(ascii: "\""):
                let text = try text(isKept: depth == 1)
                if depth == 1 { name = text }
            case UInt8(ascii: "{") where depth == 0: depth = 1
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                guard depth > 0 else { throw Self.noTables }
                depth += 1
                if depth == 2 {
                    guard byte == UInt8(ascii: "[") else { throw Self.noTables }
                    if let table = ExportTable(rawValue: String(decoding: name, as: UTF8.self)) {
                        places[table] = bytes.position
                    }
                }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: guard depth > 0 || Self.isBlank(byte) else { throw Self.noTables }
            }
        }
        guard depth == 0, !places.isEmpty else { throw Self.noTables }
    }

    /// Reads to the end of a text.
    private func text(isKept: Bool) throws -> [UInt8] {
        var (text, isEscaped) = ([UInt8](), false)
        while let byte = try bytes.next() {
            if !isEscaped, byte == UInt8(ascii: "\"") { return text }
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            if isKept, text.count < 64 { text.append(byte) }
        }
        throw Self.noTables
    }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    private static let noTables = ImportError("it is neither lines of JSON nor one JSON object of lists")
}
