import Foundation

/// Prints text in columns. Columns are aligned left, except those in `rightAligned`.
package struct Table {
    /// The least width of a column that is wrapped.
    private static let minimumWrapped = 16
    private var rows: [[String]]
    private let rightAligned: Set<Int>
    private let leavesEmpty: Bool

    /// A table with these column titles.
    ///
    /// - Parameter leavesEmpty: leaves out columns in which every cell is empty.
    package init(_ header: [String], rightAligned: Set<Int> = [], leavesEmpty: Bool = false) {
        rows = [header]
        self.rightAligned = rightAligned
        self.leavesEmpty = leavesEmpty
    }

    /// The column titles.
    package var header: [String] { rows[0] }

    /// Adds a row; control characters are replaced.
    package mutating func add(_ row: [String]) { rows.append(row.map(\.singleLine)) }

    /// Prints it to standard output.
    ///
    /// - Parameter isWrapped: wraps the last column, so that no line is longer than the terminal is wide, or than 80
    ///   columns in a pipe.
    package func print(isWrapped: Bool = false) {
        let lines = lines(columns: isWrapped ? Terminal.columns(of: STDOUT_FILENO) : nil)
        for (number, line) in lines.enumerated() { Output.line(line, in: number == 0 ? .bold : nil) }
    }

    /// The lines of the table, the titles first.
    package var lines: [String] { lines(columns: nil) }

    /// The lines of the table, the titles first.
    ///
    /// - Parameter columns: the width within which the last column is wrapped; `nil` for any.
    package func lines(columns: Int?) -> [String] {
        let shown = rows[0].indices.filter { column in
            !leavesEmpty || rows.count == 1 || rows.dropFirst().contains { !$0[column].isEmpty }
        }
        let widths = shown.map { column in rows.map { $0[column].columns }.max() ?? 0 }
        let before = widths.dropLast().reduce(0) { $0 + $1 + 2 }
        let last = columns.map { max(Self.minimumWrapped, $0 - before) } ?? .max
        return rows.flatMap { row in
            let parts = row[shown[shown.count - 1]].wrapped(last)
            return parts.enumerated().map { number, part in
                let cells = zip(shown, widths).enumerated().map { place, column in
                    let isLast = place == shown.count - 1
                    let text = isLast ? part : number == 0 ? row[column.0] : ""
                    let isRight = rightAligned.contains(column.0)
                    // The last column is the longest one, and ends without blanks.
                    if isLast, !isRight { return text }
                    let padding = String(repeating: " ", count: max(0, column.1 - text.columns))
                    return isRight ? padding + text : text + padding
                }
                let line = cells.joined(separator: "  ")
                let blanks = line.utf8.reversed().prefix { $0 == UInt8(ascii: " ") }.count
                return String(line.dropLast(blanks))
            }
        }
    }
}

extension String {
    /// How many columns of a terminal the text takes. Characters of East Asia and pictures take two.
    package var columns: Int { reduce(0) { $0 + ($1.isWide ? 2 : 1) } }

    /// The text in lines of at most this many columns: broken behind commas, or else at blanks, or else anywhere.
    fileprivate func wrapped(_ width: Int) -> [String] {
        guard columns > width else { return [self] }
        let words = partsBehindCommas.flatMap { $0.columns > width ? $0.split(separator: " ").map(String.init) : [$0] }
        return words.flatMap { $0.cut(to: width) }.filled(to: width)
    }

    /// The text in parts that end with a comma; the blank behind it is left out.
    private var partsBehindCommas: [String] {
        var (parts, start, place) = ([String](), startIndex, startIndex)
        while let comma = self[place...].utf8.firstIndex(of: UInt8(ascii: ",")) {
            place = utf8.index(after: comma)
            guard place < endIndex, utf8[place] == UInt8(ascii: " ") else { continue }
            parts.append(String(self[start..<place]))
            place = utf8.index(after: place)
            start = place
        }
        return parts + (start < endIndex ? [String(self[start...])] : [])
    }

    /// The word in pieces of at most this many columns.
    private func cut(to width: Int) -> [String] {
        reduce(into: [""]) { pieces, character in
            if pieces[pieces.count - 1].columns + String(character).columns > width { pieces.append("") }
            pieces[pieces.count - 1].append(character)
        }
    }
}

extension Character {
    /// Unicode's wide and full-width blocks, and pictures (Unicode Standard Annex 11).
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]

    fileprivate var isWide: Bool {
        guard let first = unicodeScalars.first, first.value >= 0x1100 else { return false }
        return Self.wide.contains { $0.contains(first.value) } || unicodeScalars.contains { $0.value == 0xFE0F }
    }
}
