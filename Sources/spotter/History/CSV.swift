import Foundation

/// Comma-separated values (RFC 4180).
enum CSV {
    /// Joins cells to a line. A cell with a comma, quote or line break is quoted. A cell that a spreadsheet would take
    /// for a formula gets a leading apostrophe.
    static func line(_ cells: [String]) -> String {
        cells.map { cell in
            let cell = guarded(cell)
            let isPlain = !cell.contains { $0 == "," || $0 == "\"" || $0.isNewline }
            return isPlain ? cell : "\"" + cell.replacing("\"", with: "\"\"") + "\""
        }.joined(separator: ",")
    }

    /// A cell of a value that may be missing.
    static func cell(_ value: (some CustomStringConvertible)?) -> String { value.map { "\($0)" } ?? "" }

    /// Whether text begins like a formula, after any leading apostrophes. Numbers are not formulas.
    private static func isFormula(_ cell: String) -> Bool {
        guard let first = cell.drop(while: { $0 == "'" }).first, "=+-@\t\r\r\n".contains(first) else { return false }
        return Double(cell) == nil
    }

    private static func guarded(_ cell: String) -> String { isFormula(cell) ? "'" + cell : cell }

    /// Removes the apostrophe that ``line(_:)`` added.
    static func unguarded(_ cell: String) -> String {
        cell.hasPrefix("'") && isFormula(cell) ? String(cell.dropFirst()) : cell
    }
}
