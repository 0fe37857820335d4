import Actions
import Agent
import Foundation
import Records
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

    /// Reads a table with the columns `file`, `action` and `count`. File names are relative to the list.
    ///
    /// - Throws: ``CountingError``.
    static func list(_ url: URL) throws -> [CountedRecording] {
        let data: Data
        do { data = try Data(contentsOf: url) } catch {
            throw CountingError.unreadable(file: url.path, reason: error.fileReason)
        }
        let recordings: [CountedRecording]
        do { recordings = try list(data, in: url.deletingLastPathComponent()) } catch let flaw as SpreadsheetTable.Flaw
        {
            throw CountingError.flaw(file: url.path, flaw)
        }
        guard !recordings.isEmpty else { throw CountingError.empty(file: url.path) }
        return recordings
    }

    private static func list(_ data: Data, in folder: URL) throws -> [CountedRecording] {
        let table = try SpreadsheetTable(data, needed: ["file", "action", "count"])
        guard let file = table.column("file"), let action = table.column("action"), let count = table.column("count")
        else { return [] }
        return try table.rows.map { row in
            guard let number = Int(row.fields[count]), number > 0 else {
                throw table.flaw(row, count, "'\(row.fields[count])' is no count above 0")
            }
            for column in [file, action] where row.fields[column].isEmpty {
                throw table.flaw(row, column, "it is empty")
            }
            let place = Dataset.place(of: row.fields[file], in: folder).path
            return CountedRecording(file: place, action: row.fields[action], count: number)
        }
    }
}

enum CountingError: Error, CustomStringConvertible {
    case unreadable(file: String, reason: String)
    case flaw(file: String, SpreadsheetTable.Flaw)
    case empty(file: String)

    var description: String {
        switch self {
        case .unreadable(let file, let reason): "cannot read \(file): \(reason); check the path and its permissions"
        case .flaw(let file, let flaw):
            "\(file)\(flaw.line.map { ", line \($0)" } ?? "")\(flaw.column.map { ", column \($0)" } ?? ""): \(flaw.reason); "
                + "the first line must name file, action and count; correct or delete the line"
        case .empty(let file): "\(file) names no recording; add a line for each, with file, action and count"
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
