import Foundation

/// Machine-readable answers: sorted keys, so that two runs can be compared.
enum JSON {
    static func print(_ value: some Encodable) throws {
        Swift.print(try text(value))
    }

    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

/// Text in columns; the last column is not padded, numbers stand right.
struct Table {
    private var rows: [[String]]
    private let rightAligned: Set<Int>

    init(_ header: [String], rightAligned: Set<Int> = []) {
        rows = [header]
        self.rightAligned = rightAligned
    }

    var header: [String] { rows[0] }

    mutating func add(_ row: [String]) { rows.append(row) }

    func print() {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
            let cells = row.enumerated().map { column, text in
                let padding = String(repeating: " ", count: widths[column] - text.count)
                return rightAligned.contains(column) ? padding + text : text + padding
            }
            Swift.print(cells.joined(separator: "  ").replacing(/[ ]+$/, with: ""))
        }
    }
}
