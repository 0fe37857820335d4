import CommandLineProgram
import Foundation
import History
import Records
import Training

/// Reads the rows of an export in any of the three formats. Memory use does not grow with its size.
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
        let type = try? FileManager.default.attributesOfItem(
            atPath: URL(filePath: path).resolvingSymlinksInPath().path)[.type]
        guard isFolder.boolValue || type as? FileAttributeType == .typeRegular else {
            throw FileProblem(
                path: path, reason: "it can be read only once, and an import checks all of it first: write it to a file"
            )
        }
        if isFolder.boolValue {
            rows = { try Self.folder(URL(filePath: path)) }
        } else {
            // The format is known by the first line. A file that cannot be read says so here.
            let isLines = Self.isLines(try ByteReader(path))
            rows = { isLines ? try Self.lines(ByteReader(path)) : try JSONTables(ByteReader(path)).rows() }
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
            if count % 1000 == 0 { progress.show(nil, count.counted("row")) }
            do { try check.check(row) } catch let error as ImportError {
                throw ImportError("\(place): \(error.reason)")
            }
        }
        try check.finish()
        return count
    }

    /// Whether the first line is a complete row, as in the format `jsonl`.
    private static func isLines(_ bytes: ByteReader) -> Bool {
        (try? bytes.line { try ExportRow(jsonBytes: $0) }) != nil
    }

    private static func lines(_ bytes: ByteReader) -> Rows {
        var number = 0
        return {
            while true {
                number += 1
                do {
                    let row = try bytes.line { line -> ExportRow? in
                        if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) { return nil }
                        return try ExportRow(jsonBytes: line)
                    }
                    guard let row else { return nil }
                    if let row { return (row, "line \(number)") }
                } catch let error as ImportError {
                    throw ImportError("line \(number): \(error.reason)")
                }
            }
        }
    }

    private static func folder(_ folder: URL) throws -> Rows {
        var tables = ExportTable.allCases[...]
        var current: (table: ExportTable, records: CSVRecords, header: [String])?
        return {
            while true {
                if let (table, records, header) = current, let record = try records.next() {
                    let place = "\(table.rawValue).csv, line \(record.line)"
                    do {
                        let cells = record.fields.map(CSV.unguarded)
                        return (try ExportRow(table, cells: cells, header: header), place)
                    } catch let error as ImportError {
                        throw ImportError("\(place): \(error.reason)")
                    }
                }
                guard let table = tables.popFirst() else { return nil }
                let file = folder.appending(path: table.rawValue + ".csv")
                guard FileManager.default.fileExists(atPath: file.path) else { continue }
                let records = CSVRecords(try ByteReader(file.path))
                guard let header = try records.next() else { continue }
                current = (table, records, header.fields)
            }
        }
    }
}

/// The rows of a file of comma-separated values, read piece by piece.
private final class CSVRecords {
    private let bytes: ByteReader
    private var waiting: [CSVReader.Row] = []
    private var line = 0

    init(_ bytes: ByteReader) { self.bytes = bytes }

    /// The next row, with the number of its line; `nil` at the end.
    func next() throws -> CSVReader.Row? {
        while waiting.isEmpty {
            let first = line + 1
            var record = Data()
            // A quoted field may hold line breaks: a record is over where its quotes are closed.
            repeat {
                let part = try bytes.line { Data($0) }
                guard let part else { break }
                line += 1
                record.append(part)
                record.append(UInt8(ascii: "\n"))
                guard record.count <= ByteReader.maximumBytes else {
                    throw ImportError("line \(first): a quote is never closed")
                }
            } while record.count(where: { $0 == UInt8(ascii: "\"") }) % 2 == 1
            guard !record.isEmpty else { return nil }
            waiting = CSVReader.rows(record).map { ($0.line + first - 1, $0.fields) }.reversed()
        }
        return waiting.popLast()
    }
}
