import Foundation
import NeuralNet
import Records

/// One action in a longer recording: a row of an annotation file.
///
/// The column names are those of Create ML, so that its files can be read directly.
public struct Annotation: Sendable, Equatable, Decodable {
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

    enum CodingKeys: String, CodingKey {
        case fileName = "file_name"
        case label
        case start = "start_time"
        case end = "end_time"
    }

    /// Reads a CSV file with a header line, or a JSON file with a list of objects (`.json`).
    ///
    /// - Throws: ``TrainingError/annotations(file:line:reason:)`` or ``TrainingError/unreadable(path:reason:)``.
    public static func read(_ url: URL) throws(TrainingError) -> [Annotation] {
        let data: Data
        do { data = try Data(contentsOf: url) } catch {
            throw .unreadable(path: url.path, reason: error.fileReason)
        }
        if url.pathExtension.lowercased() == "json" {
            do { return try JSONDecoder().decode([Annotation].self, from: data) } catch {
                throw .annotations(file: url.path, line: nil, reason: "it is not a list of objects with those keys")
            }
        }
        return try parse(csv: data, file: url.path)
    }

    private static func parse(csv: Data, file: String) throws(TrainingError) -> [Annotation] {
        let rows = CSVReader.rows(csv)
        guard let head = rows.first, let name = head.fields.firstIndex(of: CodingKeys.fileName.rawValue),
            let label = head.fields.firstIndex(of: CodingKeys.label.rawValue)
        else { throw .annotations(file: file, line: 1, reason: "the first line does not name these columns") }
        let start = head.fields.firstIndex(of: CodingKeys.start.rawValue)
        let end = head.fields.firstIndex(of: CodingKeys.end.rawValue)
        var annotations: [Annotation] = []
        for row in rows.dropFirst() {
            guard row.fields.count == head.fields.count else {
                let reason = "it has \(row.fields.count) fields, the first line \(head.fields.count)"
                throw .annotations(file: file, line: row.line, reason: reason)
            }
            func seconds(_ column: Int?) throws(TrainingError) -> Double? {
                guard let column, !row.fields[column].isEmpty else { return nil }
                guard let seconds = Double(row.fields[column]) else {
                    throw .annotations(file: file, line: row.line, reason: "'\(row.fields[column])' is not a number")
                }
                return seconds
            }
            annotations.append(
                Annotation(
                    fileName: row.fields[name], label: row.fields[label], start: try seconds(start),
                    end: try seconds(end)))
        }
        return annotations
    }
}
