import Foundation

/// Reads comma-separated values row by row, as defined by RFC 4180: quoted fields may contain separators, line ends and
/// doubled quotes. Empty lines are skipped.
package struct CSVReader {
    /// A row's fields, and the number of the line in which it begins, from 1.
    package typealias Row = (line: Int, fields: [String])

    private let bytes: Data
    private let separator: UInt8
    private var place: Int
    /// Line number of the byte at ``place``, from 1.
    private var line = 1

    /// Starts before the first row.
    package init(_ bytes: Data, separator: UInt8 = UInt8(ascii: ",")) {
        self.bytes = bytes
        self.separator = separator
        place = bytes.startIndex
        // The byte order mark that spreadsheets put before UTF-8.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place += 3 }
    }

    /// All rows at once.
    package static func rows(_ bytes: Data, separator: UInt8 = UInt8(ascii: ",")) -> [Row] {
        var reader = CSVReader(bytes, separator: separator)
        var rows: [Row] = []
        while let row = reader.next() { rows.append(row) }
        return rows
    }

    /// The next row; `nil` at the end.
    package mutating func next() -> Row? {
        while place < bytes.endIndex {
            let first = line
            let fields = fields()
            if fields != [""] { return (first, fields) }
        }
        return nil
    }

    private mutating func fields() -> [String] {
        var fields: [String] = []
        var field: [UInt8] = []
        var isQuoted = false
        while place < bytes.endIndex {
            let byte = bytes[place]
            place += 1
            let following = place < bytes.endIndex ? bytes[place] : nil
            let isLineEnd =
                byte == UInt8(ascii: "\n") || (byte == UInt8(ascii: "\r") && following != UInt8(ascii: "\n"))
            if isLineEnd { line += 1 }
            switch byte {
            case UInt8(ascii: "\"") where isQuoted && following == byte:
                field.append(byte)
                place += 1
            case UInt8(ascii: "\""): isQuoted.toggle()
            case separator where !isQuoted:
                fields.append(String(decoding: field, as: UTF8.self))
                field = []
            case _ where isLineEnd && !isQuoted: return fields + [String(decoding: field, as: UTF8.self)]
            case UInt8(ascii: "\r") where !isQuoted: break
            default: field.append(byte)
            }
        }
        return fields + [String(decoding: field, as: UTF8.self)]
    }
}
