import Foundation

/// Rejects invalid TOML that would make the parser fail an assertion and end the process.
enum TOMLText {
    /// - Throws: ``ConfigurationError/syntax(place:reason:)``
    static func check(_ text: String, path: String) throws {
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard let (column, reason) = fault(in: line) else { continue }
            throw ConfigurationError.syntax(
                place: .init(path: path, line: number + 1, column: column + 1), reason: reason)
        }
        if let fault = AssertionGuard.fault(in: text) {
            throw ConfigurationError.syntax(
                place: .init(path: path, line: fault.line, column: fault.column), reason: fault.reason)
        }
    }

    /// A text in quotation marks, as it stands in a file.
    static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case _ where isControl(scalar) || scalar == "\t": String(format: "\\u%04X", scalar.value)
            default: String(scalar)
            }
        }
        return "\"\(scalars.joined())\""
    }

    /// What is wrong with a line, and at which offset in characters.
    private static func fault(in line: Substring) -> (column: Int, reason: String)? {
        let scalars = line.unicodeScalars
        if let place = scalars.firstIndex(where: isControl) {
            let name = String(format: "U+%04X", scalars[place].value)
            let reason = "the control character \(name) may not stand in a TOML file"
            return (scalars.distance(from: scalars.startIndex, to: place), reason)
        }
        let content = scalars.drop(while: isBlank)
        guard content.first == "[" else { return nil }
        // The parser treats the character after the brackets as part of a name.
        var name = content.dropFirst()
        let isList = name.first == "["
        if isList { name = name.dropFirst() }
        name = name.drop(while: isBlank)
        if let first = name.first, isNamePart(first) || first == "]" || !isList && first == "[" { return nil }
        return (
            scalars.distance(from: scalars.startIndex, to: name.startIndex),
            "a table needs a name of letters, digits, - and _, such as [mqtt]"
        )
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

    private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", "\"", "'": true
        default: false
        }
    }
}
