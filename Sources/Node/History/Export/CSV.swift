import Foundation

/// Comma-separated values (RFC 4180).
package enum CSV {
    /// Joins cells to a line. A cell with a comma, quote or line break is quoted. A cell that a spreadsheet would take
    /// for a formula gets a leading apostrophe.
    package static func line(_ cells: [String]) -> String {
        var line = ""
        for (number, cell) in cells.enumerated() {
            if number > 0 { line += "," }
            if isFormula(cell) {
                let guarded = "'" + cell
                line += isPlain(guarded) ? guarded : quoted(guarded)
            } else {
                line += isPlain(cell) ? cell : quoted(cell)
            }
        }
        return line
    }

    /// A cell of a value that may be missing.
    package static func cell(_ value: (some CustomStringConvertible)?) -> String { value.map { "\($0)" } ?? "" }

    private static func quoted(_ cell: String) -> String { "\"" + cell.replacing("\"", with: "\"\"") + "\"" }

    /// Most cells are short and ASCII, and are looked at byte by byte.
    private static func isPlain(_ cell: String) -> Bool {
        var isASCII = true
        for byte in cell.utf8 {
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: "\""), 0x0A...0x0D: return false
            case 0x80...: isASCII = false
            default: break
            }
        }
        return isASCII || !cell.contains(where: \.isNewline)
    }

    /// Whether text begins like a formula, after any leading apostrophes. Numbers are not formulas.
    private static func isFormula(_ cell: String) -> Bool {
        guard let first = cell.utf8.first(where: { $0 != UInt8(ascii: "'") }) else { return false }
        switch first {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0A, 0x0D:
            return Double(cell) == nil
        default: return false
        }
    }

    /// Removes the apostrophe that ``line(_:)`` added.
    package static func unguarded(_ cell: String) -> String {
        cell.utf8.first == UInt8(ascii: "'") && isFormula(cell) ? String(cell.dropFirst()) : cell
    }
}
