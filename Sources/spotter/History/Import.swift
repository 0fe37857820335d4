import CommandLineProgram
import Agent
import ArgumentParser
import Foundation
import History
import Records
import Training

/// Adds an export to the history.
struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Adds an export to the history; what is there already stays as it is.",
        discussion: """
            Importing twice is importing once: sessions and five-minute sums are known by
            their ids, days by date and camera, predictions by moment, camera and person.
            All of it or nothing is taken. Sessions that went on when the export was
            written are left to a later one, and sessions that were deleted here stay
            deleted. Nothing imported is published, and positions, cursors and the epoch
            stay. The node must be stopped.

            EXAMPLES
              spotter import history.jsonl
              spotter import history/            a folder of csv files
            """)
    @OptionGroup var options: Database.Options

    @Argument(help: "The file, or the folder of csv files.")
    var path: String

    @Flag(help: "Print JSON instead of lines.")
    var json = false

    func run() throws {
        let database = try options.path()
        let export = try ExportReader(path)
        let total = Double(try export.check())
        let store = try Store(path: database, settings: try options.settings())
        let report: ImportReport
        do {
            let next = try export.rows()
            var progress = Progress("Importing")
            defer { progress.finish() }
            var done = 0.0
            report = try store.importing {
                done += 1
                progress.show(done / max(1, total))
                return try next()?.row
            }
            try store.close()
        } catch {
            // Report the first failure; a history that was not closed properly is repaired at the next start.
            try? store.close()
            throw error
        }
        if json { return try JSON.print(report) }
        var table = Table(["TABLE", "ADDED", "THERE ALREADY"], rightAligned: [1, 2])
        for name in ExportTable.allCases.map(\.rawValue).dropFirst() {
            table.add([name, String(report.added[name] ?? 0), String(report.present[name] ?? 0)])
        }
        table.print()
        for line in report.skipped { Output.line(line) }
    }
}

/// Reads the rows of an export in any of the three formats.
struct ExportReader {
    /// Returns the next row and its place, or `nil` at the end.
    typealias Rows = () throws -> (row: ExportRow, place: String)?

    /// Starts reading from the beginning.
    let rows: () throws -> Rows

    /// - Throws: ``FileProblem``; `ImportError` for a file that is not an export.
    init(_ path: String) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw FileProblem(path: path, reason: "there is no such file: `spotter export` makes one", isMissing: true)
        }
        if isFolder.boolValue {
            rows = { try Self.folder(URL(filePath: path)) }
        } else {
            let bytes = try Self.read(URL(filePath: path))
            rows = { Self.isLines(bytes) ? Self.lines(bytes) : try Self.object(bytes) }
        }
    }

    /// Checks all rows before anything is written.
    ///
    /// - Returns: how many there are.
    /// - Throws: ``ImportError`` with the place of the first invalid row.
    func check() throws -> Int {
        var check = ImportCheck()
        let next = try rows()
        var progress = Progress("Checking")
        defer { progress.finish() }
        var count = 0
        while let (row, place) = try next() {
            count += 1
            progress.show(nil, "\(count) rows")
            do { try check.check(row) } catch let error as ImportError {
                throw ImportError("\(place): \(error.reason)")
            }
        }
        try check.finish()
        return count
    }

    private static func read(_ file: URL) throws -> Data {
        do { return try Data(contentsOf: file, options: .mappedIfSafe) } catch {
            throw FileProblem(path: file.path, reason: "it cannot be read: \(error.fileReason)")
        }
    }

    /// Whether the first line is a complete row, as in the format `jsonl`.
    private static func isLines(_ bytes: Data) -> Bool {
        let first = bytes.prefix { $0 != UInt8(ascii: "\n") }
        return (try? ExportRow(jsonLine: first)) != nil
    }

    private static func lines(_ bytes: Data) -> Rows {
        var rest = bytes
        var number = 0
        return {
            while !rest.isEmpty {
                let line = rest.prefix { $0 != UInt8(ascii: "\n") }
                rest = rest.dropFirst(line.count + 1)
                number += 1
                if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) { continue }
                do { return (try ExportRow(jsonLine: line), "line \(number)") } catch let error as ImportError {
                    throw ImportError("line \(number): \(error.reason)")
                }
            }
            return nil
        }
    }

    private static func object(_ bytes: Data) throws -> Rows {
        guard let tables = try? JSONDecoder().decode([String: [[String: ExportValue]]].self, from: bytes) else {
            throw ImportError("it is neither lines of JSON nor one JSON object of lists")
        }
        var rows = ExportTable.allCases.flatMap { table in
            (tables[table.rawValue] ?? []).enumerated().map { number, fields in
                (row: ExportRow(table, fields: fields), place: "\(table.rawValue), row \(number + 1)")
            }
        }[...]
        return { rows.popFirst() }
    }

    private static func folder(_ folder: URL) throws -> Rows {
        var tables = ExportTable.allCases[...]
        var current: (table: ExportTable, reader: CSVReader, header: [String])?
        return {
            while true {
                if let row = current?.reader.next(), let (table, _, header) = current {
                    let place = "\(table.rawValue).csv, line \(row.line)"
                    do {
                        let cells = row.fields.map(CSV.unguarded)
                        return (try ExportRow(table, cells: cells, header: header), place)
                    } catch let error as ImportError {
                        throw ImportError("\(place): \(error.reason)")
                    }
                }
                guard let table = tables.popFirst() else { return nil }
                let file = folder.appending(path: table.rawValue + ".csv")
                guard FileManager.default.fileExists(atPath: file.path) else { continue }
                var reader = CSVReader(try read(file))
                guard let header = reader.next() else { continue }
                current = (table, reader, header.fields)
            }
        }
    }
}

extension ImportReport {
    /// What was left out, and why, a sentence each.
    fileprivate var skipped: [String] {
        let there = present.values.reduce(0, +)
        let count = { (number: Int, one: String, many: String) in number == 1 ? "1 \(one)" : "\(number) \(many)" }
        return [
            there > 0
                ? "\(count(there, "row was", "rows were")) skipped: known by id, or by day and camera. What is here stays."
                : nil,
            openWorkouts > 0
                ? "\(count(openWorkouts, "workout was", "workouts were")) skipped: still going on in the export." : nil,
            openSessions > 0
                ? "\(count(openSessions, "session was", "sessions were")) skipped: still open in the export. "
                    + "Export again when the node has ended \(openSessions == 1 ? "it" : "them")." : nil,
            deletedSessions > 0
                ? "\(count(deletedSessions, "session was", "sessions were")) skipped: deleted here earlier." : nil,
        ].compactMap(\.self)
    }
}
