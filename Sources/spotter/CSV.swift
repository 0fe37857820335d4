import Foundation

/// Comma-separated values as RFC 4180 has them.
enum CSV {
    /// A cell with a comma, a quote or a line break stands in quotes.
    static func line(_ cells: [String]) -> String {
        cells.map { cell in
            let isPlain = !cell.contains { $0 == "," || $0 == "\"" || $0.isNewline }
            return isPlain ? cell : "\"" + cell.replacing("\"", with: "\"\"") + "\""
        }.joined(separator: ",")
    }
}
