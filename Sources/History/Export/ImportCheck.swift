import Foundation
import Records
import Workouts

/// Checks the rows of an export before they are stored: the type, range and length of every value.
///
/// A history with 2^63-1 frames, a label of 100,000 characters or a session in the year 40000 would be useless.
public struct ImportCheck {
    /// The largest count, and the most seconds.
    static let most: Int64 = 1_000_000_000_000
    /// From 2000-01-01 to 2200-01-01.
    private static let moments = Date(timeIntervalSince1970: 946_684_800)..<Date(timeIntervalSince1970: 7_258_118_400)
    private static let textBytes = 128
    /// A model's name comes from its file and may be longer.
    private static let modelBytes = 512
    /// A plan, and what was measured in a step of 1,000 repetitions.
    private static let documentBytes = 4 << 20

    /// The largest values of whole numbers that are no counts.
    private static let largest: [String: Int64] = ["coaching_hint": 100, "pain": 10, "skipped": 1]
    private static let documents: Set<String> = ["plan", "measured", "cues"]

    private var hasBegun = false

    /// A check that expects the first row, `about`.
    public init() {}

    /// Checks the next row.
    ///
    /// - Throws: ``ImportError`` for a row that cannot be stored; it names the column.
    public mutating func check(_ row: ExportRow) throws {
        if row.table == .about {
            guard row["format"] == .text(ExportTable.format) else { throw ImportError("it is no export of a history") }
            guard row["version"] == .integer(ExportTable.version) else {
                throw ImportError("a newer spotter wrote it: update this one")
            }
            hasBegun = true
        }
        guard hasBegun else { throw ImportError("it does not begin with the row 'about'") }
        for (column, value) in zip(row.table.columns, row.values) {
            guard let fault = Self.fault(of: value, in: column) else { continue }
            throw ImportError("'\(column.name)' of a row of \(row.table.rawValue) \(fault)")
        }
        if let start = Self.moment(row["start"]), let end = Self.moment(row["end"]), end < start {
            throw ImportError("'end' of a row of \(row.table.rawValue) is before its 'start'")
        }
    }

    /// Checks that the export is complete. Call this after the last row.
    ///
    /// - Throws: ``ImportError`` when there was no row.
    public func finish() throws {
        guard hasBegun else { throw ImportError("it is empty") }
    }

    private static func fault(of value: ExportValue, in column: ExportTable.Column) -> String? {
        switch (column.kind, value) {
        case (_, .none) where column.isOptional: nil
        case (.text, .text(let text)): fault(of: text, in: column)
        case (.integer, .integer(let number)):
            range(number, 0...(largest[column.name] ?? most), "a whole number")
        case (.number, .number(let number)): range(number, bounds(column.name), "a number")
        case (.number, .integer(let number)): range(Double(number), bounds(column.name), "a number")
        case (.moment, .text):
            moment(value).map(moments.contains) == true ? nil : "is no moment of the years 2000 to 2199"
        default: "is missing or not what belongs there"
        }
    }

    private static func fault(of text: String, in column: ExportTable.Column) -> String? {
        let isDocument = documents.contains(column.name)
        let most = isDocument ? documentBytes : column.name == "model" ? modelBytes : textBytes
        if text.utf8.count > most { return "has \(text.utf8.count) bytes; at most \(most) are taken" }
        if text.isEmpty { return "is empty" }
        if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            return "has a control character"
        }
        if isDocument { return fault(ofDocument: text, in: column) }
        guard column.name != "day" || text.wholeMatch(of: /2[01][0-9]{2}-[01][0-9]-[0-3][0-9]/) != nil else {
            return "is no day such as 2026-11-21"
        }
        return nil
    }

    private static func fault(ofDocument text: String, in column: ExportTable.Column) -> String? {
        let data = Data(text.utf8)
        guard column.name == "plan" else {
            let list = try? JSONDecoder().decode([JSONValue].self, from: data)
            return list?.allSatisfy(isMeasured) == true ? nil : "is no list of measurements in JSON"
        }
        let plan = try? JSONDecoder().decode(WorkoutPlan.self, from: data)
        return plan?.isPossible == true ? nil : "is no plan of a workout"
    }

    /// Whether all numbers are such as a body and a clock can give.
    private static func isMeasured(_ value: JSONValue) -> Bool {
        switch value {
        case .number(let number): abs(number) <= 1_000_000
        case .integer(let number): number.magnitude <= 1_000_000
        case .list(let values): values.allSatisfy(isMeasured)
        case .object(let fields): fields.values.allSatisfy(isMeasured)
        case .text, .bool, .null: true
        }
    }

    private static func bounds(_ column: String) -> ClosedRange<Double> {
        switch column {
        case "confidence", "conf_mean": 0...1
        case "fps": 0.001...10_000
        default: 0...Double(most)
        }
    }

    private static func range<Number: Comparable>(_ number: Number, _ range: ClosedRange<Number>, _ kind: String)
        -> String?
    {
        range.contains(number)
            ? nil : "is \(number); it must be \(kind) from \(range.lowerBound) to \(range.upperBound)"
    }

    private static func moment(_ value: ExportValue) -> Date? {
        if case .text(let text) = value { Timestamp.date(text: text) } else { nil }
    }
}
