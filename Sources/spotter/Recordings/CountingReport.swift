import Actions
import Agent
import Foundation
import Training

/// A recording of one action, and how many repetitions it shows.
struct CountedRecording: Sendable {
    let file: String
    let action: String
    /// The repetitions that people counted; `nil` if unknown.
    let count: Int?
    var repetitions: [Repetition] = []

    init(file: String, action: String, count: Int?) {
        self.file = file
        self.action = action
        self.count = count
    }

    /// Reads a CSV list with the columns `file`, `action` and `count`. File names are relative to the list.
    static func list(_ url: URL) throws -> [CountedRecording] {
        let rows = CSVReader.rows(try Data(contentsOf: url))
        guard let head = rows.first?.fields, let file = head.firstIndex(of: "file"),
            let action = head.firstIndex(of: "action"), let count = head.firstIndex(of: "count")
        else { throw CountingError.columns(file: url.path) }
        return try rows.dropFirst().map { row in
            guard row.fields.count == head.count, let number = Int(row.fields[count]), number > 0 else {
                throw CountingError.row(file: url.path, line: row.line)
            }
            let place = url.deletingLastPathComponent().appending(path: row.fields[file]).path
            return CountedRecording(file: place, action: row.fields[action], count: number)
        }
    }
}

enum CountingError: Error, CustomStringConvertible {
    case columns(file: String)
    case row(file: String, line: Int)

    var description: String {
        switch self {
        case .columns(let file): "\(file) lacks a column; its first line must name file, action and count"
        case .row(let file, let line):
            "\(file), line \(line): expected a file, an action and a count above 0; correct or delete the line"
        }
    }
}

/// The output of `spotter count --json`.
struct CountingReport: Encodable {
    let recordings: [CountedRecording]

    /// The counting errors for one action.
    struct Measured: Encodable {
        let action: String
        let recordings: Int
        /// The mean of |error| / count.
        let mae: Double
        /// The share of the recordings counted to within one, 0 to 1.
        let obo: Double
    }

    /// The errors by action, then for `all`; empty if no true counts are known.
    var measured: [Measured] {
        let known = recordings.filter { $0.count != nil }
        guard !known.isEmpty else { return [] }
        return Dictionary(grouping: known, by: \.action).sorted { $0.key < $1.key }.map(Self.measure)
            + [Self.measure("all", known)]
    }

    private static func measure(_ action: String, _ recordings: [CountedRecording]) -> Measured {
        let errors = recordings.map { (abs($0.repetitions.count - ($0.count ?? 0)), $0.count ?? 1) }
        return Measured(
            action: action, recordings: errors.count,
            mae: errors.reduce(0) { $0 + Double($1.0) / Double($1.1) } / Double(errors.count),
            obo: Double(errors.count { $0.0 <= 1 }) / Double(errors.count))
    }

    enum CodingKeys: String, CodingKey { case recordings, measured, mae, obo }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(recordings, forKey: .recordings)
        guard let all = measured.last else { return }
        try container.encode(measured, forKey: .measured)
        try container.encode(all.mae, forKey: .mae)
        try container.encode(all.obo, forKey: .obo)
    }
}

extension CountedRecording: Encodable {
    enum CodingKeys: String, CodingKey { case file, action, count, reps, repetitions }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(file, forKey: .file)
        try container.encode(action, forKey: .action)
        try container.encodeIfPresent(count, forKey: .count)
        try container.encode(repetitions.count, forKey: .reps)
        try container.encode(repetitions.map(Classification.Repetition.init), forKey: .repetitions)
    }
}
