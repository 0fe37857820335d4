import Foundation

/// Comma-separated values as RFC 4180 has them.
enum CSV {
    /// A cell with a comma, a quote or a line break stands in quotes; one that a spreadsheet would take for a formula
    /// begins with an apostrophe.
    static func line(_ cells: [String]) -> String {
        cells.map { cell in
            let cell = guarded(cell)
            let isPlain = !cell.contains { $0 == "," || $0 == "\"" || $0.isNewline }
            return isPlain ? cell : "\"" + cell.replacing("\"", with: "\"\"") + "\""
        }.joined(separator: ",")
    }

    /// Text that begins like a formula, behind apostrophes that are its own or not. A number is none.
    private static func isFormula(_ cell: String) -> Bool {
        guard let first = cell.drop(while: { $0 == "'" }).first, "=+-@\t\r\r\n".contains(first) else { return false }
        return Double(cell) == nil
    }

    private static func guarded(_ cell: String) -> String { isFormula(cell) ? "'" + cell : cell }

    /// A cell as it was before ``line(_:)`` guarded it.
    static func unguarded(_ cell: String) -> String {
        cell.hasPrefix("'") && isFormula(cell) ? String(cell.dropFirst()) : cell
    }
}
