import Foundation
import Records

extension PeopleLabels {
    /// Whether a file has the name of such labels.
    public static func isNamed(_ path: String) -> Bool { path.hasSuffix(".people.csv") }

    /// Reads a file `*.people.csv`.
    ///
    /// - Throws: ``IdentityStreamError/unreadable(path:reason:)`` or
    ///   ``IdentityStreamError/badPeople(path:line:column:reason:)``.
    public init(contentsOf url: URL) throws(IdentityStreamError) {
        let data: Data
        do { data = try Data(contentsOf: url) } catch {
            let isThere = FileManager.default.fileExists(atPath: url.path)
            throw .unreadable(path: url.path, reason: isThere ? "it cannot be opened" : "No such file or directory")
        }
        do { self = try Self.parsed(data) } catch {
            throw .badPeople(path: url.path, line: error.line, column: error.column, reason: error.reason)
        }
    }

    private static func parsed(_ data: Data) throws(SpreadsheetTable.Flaw) -> PeopleLabels {
        let lines = try SpreadsheetTable.text(data).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let isRemark = lines.map { $0.drop { $0 == "\"" || $0 == " " }.hasPrefix("#") }
        let remarks = zip(lines, isRemark).compactMap { $1 ? remark($0) : nil }
        guard let shape = remarks.lazy.compactMap(Self.shape).first else {
            throw SpreadsheetTable.Flaw(
                line: 1, column: nil,
                reason: "the line that names the video and the size of its pictures is missing; write for example "
                    + "'# video gym.mp4 1920x1080' at the top")
        }
        // The header decides about the separator, so it comes first; the numbers of the lines stay true.
        let above = zip(lines, isRemark).prefix { $1 || $0.allSatisfy(\.isWhitespace) }.count
        let below = zip(lines, isRemark).dropFirst(above).map { $1 ? "" : $0 }.joined(separator: "\n")
        let table: SpreadsheetTable
        do { table = try SpreadsheetTable(Data(below.utf8), needed: ["time", "person", "x", "y"]) } catch {
            throw SpreadsheetTable.Flaw(
                line: error.line.map { $0 + above }, column: error.column, reason: error.reason)
        }
        var labels = PeopleLabels(video: shape.name, width: shape.width, height: shape.height, rows: [])
        labels.remarks = remarks.filter { Self.shape($0) == nil }
        var seen: Set<Place> = []
        for row in table.rows {
            let fields = Fields(table: table, row: row, line: row.line + above)
            let time = try fields.time()
            guard let person = try fields.person() else {
                labels.emptyTimes.append(time)
                continue
            }
            guard seen.insert(Place(time: time, person: person)).inserted else {
                throw fields.flaw(.person, "person \(person) has a row at this time already; delete one of the two")
            }
            labels.rows.append(try fields.row(at: time, of: person))
        }
        labels.rows = sorted(labels.rows)
        labels.emptyTimes = Set(labels.emptyTimes).subtracting(labels.rows.map(\.time)).sorted()
        return labels
    }

    private struct Place: Hashable {
        let time: Double
        let person: Int
    }

    /// The words of a remark. A spreadsheet fills the line with separators, and may quote it.
    private static func remark(_ line: Substring) -> String {
        let words = line.drop { $0 == "\"" || $0 == " " }.dropFirst()
        let end = words.lastIndex { !",;\t \"".contains($0) }
        return end.map { words[...$0].trimmingCharacters(in: .whitespaces) } ?? ""
    }

    /// The video's name and size, where a remark tells them.
    private static func shape(_ remark: String) -> (name: String, width: Int, height: Int)? {
        guard let parts = remark.wholeMatch(of: /video\s+(.+?)\s+(\d{1,5})\s*[x×]\s*(\d{1,5})/),
            let width = Int(parts.2), let height = Int(parts.3), width > 0, height > 0
        else { return nil }
        return (String(parts.1), width, height)
    }

    /// The fields of one line.
    private struct Fields {
        let table: SpreadsheetTable
        let row: SpreadsheetTable.Row
        let line: Int

        func text(_ column: Column) -> String { table.column(column.rawValue).map { row.fields[$0] } ?? "" }

        func flaw(_ column: Column, _ reason: String) -> SpreadsheetTable.Flaw {
            let number = table.column(column.rawValue).map { "\($0 + 1) (\(column.rawValue))" }
            return SpreadsheetTable.Flaw(line: line, column: number ?? column.rawValue, reason: reason)
        }

        func time() throws(SpreadsheetTable.Flaw) -> Double {
            guard let seconds = ClockTime.seconds(text(.time)), (0..<1e6).contains(seconds) else {
                throw flaw(.time, "'\(text(.time))' is no time; \(ClockTime.expected)")
            }
            return seconds
        }

        /// The person's number; `nil` in a line that says that nobody is there.
        func person() throws(SpreadsheetTable.Flaw) -> Int? {
            if text(.person).isEmpty {
                guard Column.allCases.allSatisfy({ $0 == .time || text($0).isEmpty }) else {
                    throw flaw(.person, "it is empty; write the person's number, or leave all but the time empty")
                }
                return nil
            }
            guard let number = Int(text(.person)), (0..<1_000_000).contains(number) else {
                throw flaw(.person, "'\(text(.person))' is no person; write a whole number below a million, such as 1")
            }
            return number
        }

        func row(at time: Double, of person: Int) throws(SpreadsheetTable.Flaw) -> Row {
            let place = SIMD2(try share(.x), try share(.y))
            var row = Row(time: time, person: person, place: place)
            if !text(.width).isEmpty || !text(.height).isEmpty {
                row.size = SIMD2(try share(.width), try share(.height))
                for (column, side) in [(Column.width, row.size?.x), (.height, row.size?.y)] where side == 0 {
                    throw flaw(column, "a box has no side of 0; leave width and height empty for a point")
                }
            }
            if !text(.visible).isEmpty { row.visibleShare = try share(.visible) }
            if !text(.activity).isEmpty {
                if let reason = Dataset.flaw(ofLabel: text(.activity)) { throw flaw(.activity, reason) }
                row.activity = text(.activity)
            }
            return row
        }

        private func share(_ column: Column) throws(SpreadsheetTable.Flaw) -> Double {
            guard let share = ClockTime.seconds(text(column)), (0...1).contains(share), !text(column).contains(":")
            else {
                let what = text(column).isEmpty ? "it is empty" : "'\(text(column))' is no share"
                let side =
                    column == .visible ? "body" : "picture's \([.x, .width].contains(column) ? "width" : "height")"
                throw flaw(column, "\(what); write a share of the \(side) from 0 to 1, such as 0.25")
            }
            return share
        }
    }
}
