import Foundation

/// Reads the annotations of a JSON file: a list of objects with the keys of ``Annotation/Field``.
enum AnnotationObjects {
    /// - Throws: `SpreadsheetTable.Flaw` with the line and the column of the mistake.
    static func read(_ text: String) throws(SpreadsheetTable.Flaw) -> [Annotation] {
        let objects: [[String: Value]]
        do { objects = try JSONDecoder().decode([[String: Value]].self, from: Data(text.utf8)) } catch {
            throw flaw(of: error, text)
        }
        var annotations: [Annotation] = []
        for (number, object) in objects.enumerated() {
            do {
                annotations.append(try Annotation { object[$0.rawValue]?.text })
            } catch {
                let place = JSONPlaces(text).place(object: number, key: error.field.rawValue)
                let isThere = object[error.field.rawValue] != nil
                throw SpreadsheetTable.Flaw(
                    line: place?.line, column: place.map { "\($0.column) (\(error.field.rawValue))" },
                    reason: isThere ? error.reason : "the object lacks it")
            }
        }
        return annotations
    }

    /// A value as its text, whatever its kind.
    private struct Value: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                text = nil
            } else if let number = try? value.decode(Double.self) {
                text = "\(number)"
            } else if let words = try? value.decode(String.self) {
                text = words.trimmingCharacters(in: .whitespacesAndNewlines)
            } else {
                // Never a time or a name.
                text = "{}"
            }
        }
    }

    /// What is wrong with a text that is no list of objects.
    private static func flaw(of error: any Error, _ text: String) -> SpreadsheetTable.Flaw {
        guard case DecodingError.dataCorrupted(let context) = error, context.codingPath.isEmpty else {
            return SpreadsheetTable.Flaw(line: nil, column: nil, reason: "it is not a list of objects with those keys")
        }
        // Such as `Unexpected character 'x' around line 3, column 7.`
        let said = context.underlyingError.map { "\($0)" } ?? ""
        let place = said.firstMatch(of: /line (\d+), column (\d+)/)
        return SpreadsheetTable.Flaw(
            line: place.flatMap { Int($0.output.1) }, column: place.map { String($0.output.2) },
            reason: text.allSatisfy(\.isWhitespace) ? "the file is empty" : "it is not valid JSON")
    }
}
