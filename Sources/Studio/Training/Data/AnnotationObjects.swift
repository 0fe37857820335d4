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
        guard !text.allSatisfy(\.isWhitespace) else {
            return SpreadsheetTable.Flaw(line: nil, column: nil, reason: "the file is empty")
        }
        let before = offset(ofMistakeIn: text).map { String(decoding: text.utf8.prefix($0), as: UTF8.self) }
        // What stands before the mistake in its own line.
        let line = before.map {
            $0.suffix(from: $0.lastIndex(where: \.isNewline).map($0.index(after:)) ?? $0.startIndex)
        }
        return SpreadsheetTable.Flaw(
            line: before.map { $0.count(where: \.isNewline) + 1 }, column: line.map { "\($0.count + 1)" },
            reason: "it is not valid JSON")
    }

    /// The number of bytes before the first mistake; `nil` if it is not known. Only this reader of JSON tells it.
    private static func offset(ofMistakeIn text: String) -> Int? {
        do {
            _ = try JSONSerialization.jsonObject(with: Data(text.utf8))
            return nil
        } catch {
            // Such as `Invalid value around character 25.`, or the end of the file.
            let said = (error as NSError).userInfo["NSDebugDescription"] as? String ?? ""
            if said.contains("end of file") { return text.utf8.count }
            return said.firstMatch(of: /character (\d+)/).flatMap { Int($0.output.1) }
        }
    }
}
