/// Comma-separated values as RFC 4180 has them: quoted fields may hold commas, line ends and doubled quotes.
package struct CSVRows {
    package private(set) var rows: [(line: Int, fields: [String])] = []

    package init(_ text: String) {
        var fields: [String] = [], field = ""
        var isQuoted = false
        var line = 1, firstLine = 1
        func isBlank() -> Bool { fields.isEmpty && field.isEmpty }
        let characters = Array(text.replacing("\u{FEFF}", with: ""))
        var index = 0
        while index < characters.count {
            let character = characters[index]
            index += 1
            if character.isNewline { line += 1 }
            switch character {
            case "\"" where isQuoted && index < characters.count && characters[index] == "\"":
                field.append("\"")
                index += 1
            case "\"": isQuoted.toggle()
            case "," where !isQuoted:
                fields.append(field)
                field = ""
            case _ where character.isNewline && !isQuoted:
                if !isBlank() { rows.append((firstLine, fields + [field])) }
                (fields, field, firstLine) = ([], "", line)
            default: field.append(character)
            }
        }
        if !isBlank() { rows.append((firstLine, fields + [field])) }
    }
}
