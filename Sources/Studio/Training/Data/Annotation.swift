import Foundation
import NeuralNet
import Records

/// One action in a longer recording: a row of an annotation file.
///
/// The column names are those of Create ML, so that its files can be read directly.
public struct Annotation: Sendable, Equatable {
    /// Path of the recording, relative to the annotation file's folder.
    public let fileName: String
    /// The label of the action.
    public let label: String
    /// Start in seconds from the recording's start; `nil` for the recording's start.
    public let start: Double?
    /// End in seconds from the recording's start; `nil` for the recording's end.
    public let end: Double?

    /// An action of a recording; the whole recording if no times are given.
    public init(fileName: String, label: String, start: Double? = nil, end: Double? = nil) {
        self.fileName = fileName
        self.label = label
        self.start = start
        self.end = end
    }

    /// Reads a table with a header line, as spreadsheets write it, or a JSON file with a list of objects (`.json`).
    ///
    /// Times are seconds (`63.14`) or minutes and seconds (`01:03.14`), as numbers or as texts.
    ///
    /// - Throws: ``TrainingError/annotations(file:line:column:reason:)`` or ``TrainingError/unreadable(path:reason:)``.
    public static func read(_ url: URL) throws(TrainingError) -> [Annotation] {
        let data: Data
        do { data = try Data(contentsOf: url) } catch {
            throw .unreadable(path: url.path, reason: error.fileReason)
        }
        do {
            return url.pathExtension.lowercased() == "json"
                ? try AnnotationObjects.read(SpreadsheetTable.text(data)) : try parse(data)
        } catch {
            throw .annotations(file: url.path, line: error.line, column: error.column, reason: error.reason)
        }
    }

    private static func parse(_ data: Data) throws(SpreadsheetTable.Flaw) -> [Annotation] {
        let table = try SpreadsheetTable(data, needed: [Field.file.rawValue, Field.label.rawValue])
        var annotations: [Annotation] = []
        for row in table.rows {
            func text(_ field: Field) -> String? { table.column(field.rawValue).map { row.fields[$0] } }
            do {
                annotations.append(try Annotation(text))
            } catch {
                throw table.flaw(row, table.column(error.field.rawValue) ?? 0, error.reason)
            }
        }
        return annotations
    }
}

extension Annotation {
    /// The columns of an annotation file, and the keys of its objects.
    enum Field: String, CaseIterable {
        case file = "file_name"
        case label
        case start = "start_time"
        case end = "end_time"
    }

    /// A field that cannot be used.
    struct Refusal: Error {
        let field: Field
        let reason: String
    }

    /// Reads the texts of the fields; an empty one is left out.
    init(_ text: (Field) -> String?) throws(Refusal) {
        func needed(_ field: Field) throws(Refusal) -> String {
            guard let text = text(field), !text.isEmpty else { throw Refusal(field: field, reason: "it is empty") }
            return text
        }
        func seconds(_ field: Field) throws(Refusal) -> Double? {
            guard let text = text(field), !text.isEmpty else { return nil }
            guard let seconds = ClockTime.seconds(text) else {
                throw Refusal(field: field, reason: "'\(text)' is no time; \(ClockTime.expected)")
            }
            return seconds
        }
        let label = try needed(.label)
        if let reason = Dataset.flaw(ofLabel: label) { throw Refusal(field: .label, reason: reason) }
        self.init(
            fileName: try needed(.file), label: label, start: try seconds(.start), end: try seconds(.end))
    }
}
