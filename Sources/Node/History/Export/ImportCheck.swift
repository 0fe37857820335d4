import Actions
import Foundation
import Records
import Workouts

/// Checks the rows of an export before they are stored: the type, range and length of every value.
///
/// A history with 2^63-1 frames, a label of 100,000 characters or a session in the year 40000 would be useless. The limits
/// of texts are those by which the texts were let in: `TextLimit` and `PersonName`.
public struct ImportCheck {
    /// The largest count, and the most seconds.
    static let most: Int64 = 1_000_000_000_000
    /// From 1969-12-30 to 2200-01-01: a machine that never knew the time begins in 1970, in some zones the day before.
    static let moments = Int64(-172_800_000)..<7_258_118_400_000

    /// The largest values of whole numbers that are no counts.
    private static let largest: [String: Int64] = ["score": 100, "pain": 10, "skipped": 1, "made_up": 1]

    private var hasBegun = false
    /// How many rows have come after the first one, and how many there are to be; `nil` where the export does not say.
    private var (following, expected): (Int64, Int64?) = (0, nil)

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
            guard !hasBegun else { throw ImportError("it has the row 'about' twice") }
            if case .integer(let rows) = row["rows"] { expected = rows }
            (hasBegun, following) = (true, -1)
        }
        guard hasBegun else { throw ImportError("it does not begin with the row 'about'") }
        following += 1
        let columns = row.table.columns
        var start: Int64?
        for place in columns.indices {
            let column = columns[place]
            if column.kind == .moment, case .text(let text) = row.values[place] {
                try check(text, column, of: row, after: &start)
            } else if let fault = Self.fault(of: row.values[place], in: column, of: row.table) {
                throw ImportError("'\(column.name)' of a row of \(row.table.rawValue) \(fault)")
            }
        }
    }

    /// Checks a moment. The end of something does not come before its start.
    private func check(
        _ text: String, _ column: ExportTable.Column, of row: ExportRow, after start: inout Int64?
    ) throws {
        guard let moment = Timestamp.milliseconds(text: text), Self.moments.contains(moment) else {
            throw ImportError(
                "'\(column.name)' of a row of \(row.table.rawValue) is no moment of the years 1970 to 2199")
        }
        if column.name == "start" { start = moment }
        if column.name == "end", let start, moment < start {
            throw ImportError("'end' of a row of \(row.table.rawValue) is before its 'start'")
        }
    }

    /// Checks that the export is complete. Call this after the last row.
    ///
    /// - Throws: ``ImportError`` when there was no row, or when some are missing.
    public func finish() throws {
        guard hasBegun else { throw ImportError("it is empty") }
        if let expected, expected != following {
            throw ImportError(
                "it has \(following.counted("row")) after the first one, which says that there are \(expected)")
        }
    }

    private static func fault(
        of value: ExportValue, in column: ExportTable.Column, of table: ExportTable
    ) -> String? {
        switch (column.kind, value) {
        case (_, .none) where column.isOptional: nil
        case (.text, .text(let text)): fault(ofWord: text, in: column, of: table) ?? fault(of: text, in: column)
        case (.integer, .integer(let number)):
            range(number, 0...(largest[column.name] ?? most), "a whole number")
        case (.number, .number(let number)): range(number, bounds(column), "a number")
        case (.number, .integer(let number)): range(Double(number), bounds(column), "a number")
        default: "is missing or not what belongs there"
        }
    }

    private static func fault(of text: String, in column: ExportTable.Column) -> String? {
        switch column.name {
        case "plan": TextLimit.document.fault(of: text) ?? fault(ofPlan: text)
        case "measured": TextLimit.document.fault(of: text) ?? fault(ofMeasured: text)
        case "cues": TextLimit.document.fault(of: text) ?? fault(ofCues: text)
        case "model": TextLimit.model.fault(of: text)
        case "name", "nickname": PersonName(text) == nil ? "is no name: \(PersonName.rule)" : nil
        case "poses": text.isEmpty ? nil : TextLimit.document.fault(of: text) ?? fault(ofPoses: text)
        case "likely": text.isEmpty ? nil : TextLimit.cue.fault(of: text)
        case "day", "week": TextLimit.word.fault(of: text) ?? (isDay(text) ? nil : "is no day such as 2026-11-21")
        default: TextLimit.word.fault(of: text)
        }
    }

    /// What is wrong with a text that must be one of some words.
    private static func fault(ofWord text: String, in column: ExportTable.Column, of table: ExportTable) -> String? {
        switch (table, column.name) {
        case (.questions, "kind"), (.questionPools, "kind"): word(text, Question.Kind.init)
        case (.questions, "sample"): word(text, Question.Sample.init)
        case (.questions, "reason"): word(text, Question.Reason.init)
        case (.alarms, "cause"): word(text, LyingPerson.Cause.init)
        default: nil
        }
    }

    private static func word<Word>(_ text: String, _ make: (String) -> Word?) -> String? {
        make(text) == nil ? "is '\(text.prefix(40))', which is none of the words for it" : nil
    }

    private static func fault(ofPoses text: String) -> String? {
        PackedDigits.bytes(.text(text)) == nil ? "is no bytes in hexadecimal digits" : nil
    }

    private static func isDay(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 10 else { return false }
        for place in bytes.indices {
            guard place == 4 || place == 7 ? bytes[place] == UInt8(ascii: "-") : (0x30...0x39).contains(bytes[place])
            else { return false }
        }
        // A week is named by its Monday.
        return text >= "1969-12-24" && text < "2200" && bytes[5] <= 0x31 && bytes[8] <= 0x33
    }

    private static func fault(ofPlan text: String) -> String? {
        let plan = try? JSONDecoder().decode(WorkoutPlan.self, from: Data(text.utf8))
        return plan?.isPossible == true ? nil : "is no plan of a workout"
    }

    private static func fault(ofMeasured text: String) -> String? {
        if text == "[]" { return nil }
        guard let list = try? JSONDecoder().decode([MeasuredRepetition].self, from: Data(text.utf8)),
            list.count <= MeasuredRepetition.maximumInStep,
            list.allSatisfy({ $0.readings.values.allSatisfy { isMeasured($0.value) && isMeasured($0.uncertainty) } })
        else { return "is no list of measurements in JSON" }
        return nil
    }

    private static func fault(ofCues text: String) -> String? {
        if text == "[]" { return nil }
        guard let list = try? JSONDecoder().decode([Cue].self, from: Data(text.utf8)),
            list.count <= Cue.maximumInStep,
            list.allSatisfy({ isMeasured($0.value) && isMeasured($0.uncertainty) && isMeasured($0.limit) })
        else { return "is no list of cues in JSON" }
        return list.lazy.compactMap { TextLimit.cue.fault(of: $0.text) }.first.map { "has a text that \($0)" }
    }

    /// Whether a number is such as a body and a clock can give.
    private static func isMeasured(_ number: Double) -> Bool { abs(number) <= 1_000_000 }

    private static func bounds(_ column: ExportTable.Column) -> ClosedRange<Double> {
        switch column.name {
        case "confidence", "conf_mean": 0...1
        case "weight": 0...1_000_000
        case "fps": 0.001...10_000
        default: 0...(column.largest ?? Double(most))
        }
    }

    private static func range<Number: Comparable>(_ number: Number, _ range: ClosedRange<Number>, _ kind: String)
        -> String?
    {
        range.contains(number)
            ? nil : "is \(number); it must be \(kind) from \(range.lowerBound) to \(range.upperBound)"
    }
}
