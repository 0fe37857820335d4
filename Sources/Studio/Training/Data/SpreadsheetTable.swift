import Foundation

/// A table with a header line, as spreadsheets write it: fields between commas, semicolons or tabs, in UTF-8 or UTF-16.
package struct SpreadsheetTable {
    /// What is wrong with a table, and where.
    package struct Flaw: Error {
        /// Counted from 1; `nil` for the whole file.
        package let line: Int?
        /// The column's number and name, such as `3 (start_time)`; `nil` for the whole line.
        package let column: String?
        /// What to change, without the place.
        package let reason: String
    }

    /// One line below the header.
    package struct Row {
        /// The number of the line in which it begins, from 1.
        package let line: Int
        /// As many as the header has names, without the blanks around them.
        package let fields: [String]
    }

    /// The names of the columns in lower case.
    package let header: [String]
    /// The lines below the header.
    package let rows: [Row]

    /// Reads a table. Lines without any text are skipped.
    ///
    /// - Parameter needed: the columns that must be there.
    /// - Throws: ``Flaw``.
    package init(_ data: Data, needed: [String]) throws(Flaw) {
        var text = try Self.text(data)[...]
        var first = 1
        // The line by which a spreadsheet tells itself the separator.
        let top = text.prefix { !$0.isNewline }
        var separator: Character?
        if top.count == 5 && top.lowercased().hasPrefix("sep=") {
            separator = top.last
            text = text.drop { !$0.isNewline }.dropFirst()
            first = 2
        }
        separator = separator ?? Self.separator(of: text)
        let all = CSVReader.rows(Data(text.utf8), separator: separator?.asciiValue ?? UInt8(ascii: ","))
            .map { (line: $0.line + first - 1, fields: $0.fields.map(Self.trimmed)) }
            .filter { !$0.fields.allSatisfy(\.isEmpty) }
        let names = (all.first?.fields ?? []).map { $0.lowercased() }
        if let missing = needed.first(where: { !names.contains($0) }) {
            let reason = all.isEmpty ? "the file is empty" : "the first line does not name the column \(missing)"
            throw Flaw(line: all.first?.line ?? 1, column: nil, reason: reason)
        }
        if let twice = needed.first(where: { name in names.count { $0 == name } > 1 }) {
            throw Flaw(
                line: all.first?.line ?? 1, column: nil, reason: "the first line names the column \(twice) twice")
        }
        var rows: [Row] = []
        for row in all.dropFirst() {
            // A spreadsheet ends lines with empty fields.
            let spare = row.fields.dropFirst(names.count)
            guard row.fields.count >= names.count, spare.allSatisfy(\.isEmpty) else {
                let reason =
                    "it has \(row.fields.count) fields, the first line \(names.count); "
                    + "a field that holds the separator stands in quotes"
                throw Flaw(line: row.line, column: nil, reason: reason)
            }
            rows.append(Row(line: row.line, fields: Array(row.fields.prefix(names.count))))
        }
        (header, self.rows) = (names, rows)
    }

    /// The number of a column, from 0.
    package func column(_ name: String) -> Int? { header.firstIndex(of: name) }

    /// A flaw of one field.
    package func flaw(_ row: Row, _ column: Int, _ reason: String) -> Flaw {
        Flaw(line: row.line, column: "\(column + 1) (\(header[column]))", reason: reason)
    }

    /// The text of a file: UTF-8, or UTF-16 with its mark.
    ///
    /// - Throws: ``Flaw`` for another encoding, with the line where it shows.
    package static func text(_ data: Data) throws(Flaw) -> String {
        let isWide = data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF])
        let text = isWide ? String(data: data, encoding: .utf16) : String(validating: data, as: UTF8.self)
        guard let text, !text.utf8.contains(0) else {
            let isText = !isWide && !data.contains(0)
            // What comes before the first bad byte shows the line.
            let line = isText ? String(decoding: data, as: UTF8.self).prefix { $0 != "\u{FFFD}" } : ""
            let reason =
                isText
                ? "a letter is not in UTF-8" : "the text is in UTF-16 or UTF-32 without its mark, or it is no text"
            throw Flaw(
                line: isText ? line.count(where: \.isNewline) + 1 : nil, column: nil,
                reason: reason + "; save the file as UTF-8, which spreadsheets call CSV UTF-8")
        }
        return text.hasPrefix("\u{FEFF}") ? String(text.unicodeScalars.dropFirst()) : text
    }

    /// The separator that stands most often in the header, outside of quotes.
    private static func separator(of text: Substring) -> Character {
        var isQuoted = false
        var counts: [Character: Int] = [:]
        for letter in text {
            if letter == "\"" { isQuoted.toggle() }
            if letter.isNewline && !isQuoted { break }
            if !isQuoted { counts[letter, default: 0] += 1 }
        }
        let separators: [Character] = [",", ";", "\t"]
        return separators.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? ","
    }

    private static func trimmed(_ field: String) -> String { field.trimmingCharacters(in: .whitespacesAndNewlines) }
}
