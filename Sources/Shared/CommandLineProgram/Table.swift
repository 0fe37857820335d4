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
        let widths = shown.map { column in rows.map { $0[column].count }.max() ?? 0 }
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
                    let padding = String(repeating: " ", count: max(0, column.1 - text.count))
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
    /// The text in lines of at most this many characters: broken behind commas, or else at blanks, or else anywhere.
    fileprivate func wrapped(_ width: Int) -> [String] {
        guard count > width else { return [self] }
        let words = partsBehindCommas.flatMap { $0.count > width ? $0.split(separator: " ").map(String.init) : [$0] }
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

    /// The word in pieces of at most this many characters.
    private func cut(to width: Int) -> [String] {
        var (pieces, rest) = ([String](), self)
        while rest.count > width {
            pieces.append(String(rest.prefix(width)))
            rest = String(rest.dropFirst(width))
        }
        return pieces + [rest]
    }
}
