import Foundation

/// Machine-readable output, with sorted keys so that two runs can be compared.
package enum JSON {
    /// Prints a value as indented JSON.
    package static func print(_ value: some Encodable) throws {
        Output.raw(try text(value) + "\n")
    }

    /// A value as indented JSON.
    package static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        return escaped(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Escapes DEL and the C1 controls, which the encoder does not escape and some terminals obey.
    package static func escaped(_ json: String) -> String {
        guard json.unicodeScalars.contains(where: { (0x7F..<0xA0).contains($0.value) }) else { return json }
        return json.unicodeScalars.reduce(into: "") { text, scalar in
            if (0x7F..<0xA0).contains(scalar.value) {
                text += String(format: "\\u%04x", scalar.value)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}

/// Prints text in columns. Columns are aligned left, except those in `rightAligned`.
package struct Table {
    private var rows: [[String]]
    private let rightAligned: Set<Int>

    /// A table with these column titles.
    package init(_ header: [String], rightAligned: Set<Int> = []) {
        rows = [header]
        self.rightAligned = rightAligned
    }

    /// The column titles.
    package var header: [String] { rows[0] }

    /// Adds a row; control characters are replaced.
    package mutating func add(_ row: [String]) { rows.append(row.map(\.singleLine)) }

    /// Prints it to standard output.
    package func print() { for line in lines { Output.line(line) } }

    /// The lines of the table, the titles first.
    package var lines: [String] {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = row.enumerated().map { column, text in
                let padding = String(repeating: " ", count: widths[column] - text.count)
                return rightAligned.contains(column) ? padding + text : text + padding
            }
            let line = cells.joined(separator: "  ")
            let blanks = line.utf8.reversed().prefix { $0 == UInt8(ascii: " ") }.count
            return String(line.dropLast(blanks))
        }
    }
}
