import CommandLineProgram
import Agent
import ArgumentParser
import Foundation
import History
import Records

/// Exports the whole history in formats that other programs read.
struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes everything that is stored: sessions, sets, counts, workouts, predictions, five-minute sums.",
        discussion: """
            jsonl is one row a line, with its table's name; json is one object with a list
            for each table; csv is a folder with a file for each table. The same rows
            everywhere, times in UTC. `spotter import` reads all three. May be run while
            the node writes. Questions are part of it, with joints and answers. Workouts
            are part of it, with names and pain; those of one person alone are written by
            `spotter person export`. What receivers still wait for is not part of it: only
            `spotter db backup` carries the record log on.

            EXAMPLES
              spotter export > history.jsonl
              spotter export --format csv -o history/
              spotter export --format json | jq '.sets[] | select(.label == "squat")'
            """)
    @OptionGroup var options: Database.Options

    enum Format: String, ExpressibleByArgument, CaseIterable { case jsonl, json, csv }

    @Option(help: "jsonl, json or csv.")
    var format = Format.jsonl

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file, or for csv the folder (default: -, stdout).", valueName: "path"))
    var output: String?

    /// Where to write it; `nil` for standard output.
    private var target: String? { output == "-" ? nil : output }

    func validate() throws {
        if format == .csv, target == nil {
            throw ValidationError("csv is a file for each table: name a folder with -o.")
        }
    }

    func run() throws {
        let query = try options.query()
        if let target {
            if FileManager.default.fileExists(atPath: target) {
                throw FileProblem(path: target, reason: "it exists already: name another one, or move it away")
            }
            try OutputFile.checkFolder(of: target)
        }
        switch format {
        case .jsonl: try write { out in try rows(of: query) { try out.writeLine($0) } }
        case .json: try write { try writeJSON(query, to: $0) }
        case .csv: try writeCSV(query)
        }
    }

    /// Passes all rows on, and shows the progress.
    private func rows(of query: HistoryQuery, each: (ExportRow) throws -> Void) throws {
        var total = 1.0
        var progress = Progress("Exporting")
        defer { progress.finish() }
        var done = 0.0
        try query.export { row in
            try each(row)
            if row.table == .about, case .integer(let rows) = row["rows"] { total = Double(max(1, rows)) }
            done += 1
            if done.truncatingRemainder(dividingBy: 1000) == 0 { progress.show(done / total) }
        }
    }

    /// Writes to standard output, or to the file that was asked for. An incomplete export never has the final name.
    private func write(_ work: (LineOutput) throws -> Void) throws {
        guard let target else {
            let out = LineOutput()
            try work(out)
            return try out.close()
        }
        try whole(target) { half in
            let out = try LineOutput(creating: half)
            try work(out)
            try out.close()
        }
    }

    /// Makes the file or folder under a name of its own, and renames it at the end. What failed is taken away.
    ///
    /// - Throws: ``FileProblem`` with the name that was typed, or the error of `make`.
    private func whole(_ target: String, _ make: (_ half: String) throws -> Void) throws {
        let half = target + ".part"
        try? FileManager.default.removeItem(atPath: half)
        do {
            try make(half)
            try FileManager.default.moveItem(atPath: half, toPath: target)
        } catch {
            try? FileManager.default.removeItem(atPath: half)
            guard let problem = error as? FileProblem else { throw error }
            throw FileProblem(path: target, reason: "\(problem.reason); name another place with -o")
        }
    }

    private func writeJSON(_ query: HistoryQuery, to out: LineOutput) throws {
        var current: ExportTable?
        try rows(of: query) { row in
            if row.table == current {
                try out.write(",\n")
            } else {
                try out.write((current == nil ? "{" : "\n],") + "\"\(row.table.rawValue)\":[\n")
                current = row.table
            }
            try out.write(row.json(named: false))
        }
        try out.write("\n]}\n")
    }

    private func writeCSV(_ query: HistoryQuery) throws {
        guard let target else { return }
        try whole(target) { half in
            try FileManager.default.createDirectory(
                atPath: half, withIntermediateDirectories: false,
                attributes: [.posixPermissions: OutputFile.personalFolderMode])
            // Every table gets its file, even without rows.
            var files: [ExportTable: LineOutput] = [:]
            for table in ExportTable.allCases {
                let file = try LineOutput(creating: "\(half)/\(table.rawValue).csv")
                try file.write(CSV.line(table.columns.map(\.name)) + "\n")
                files[table] = file
            }
            try rows(of: query) { try files[$0.table]?.write(CSV.line($0.cells) + "\n") }
            for file in files.values { try file.close() }
        }
    }
}

/// A file that cannot be used as requested.
struct FileProblem: Error, CustomStringConvertible {
    let path: String
    let reason: String
    var isMissing = false
    var description: String { "\(path): \(reason)" }
}

/// Writes text to a file, buffered so that not every row costs a system call.
final class LineOutput {
    /// `nil` for standard output.
    private let file: (handle: FileHandle, path: String)?
    private var buffer: [UInt8] = []

    /// Writes to standard output.
    init() { file = nil }

    /// Creates a file that the owner and the group can read.
    init(creating path: String) throws {
        guard
            FileManager.default.createFile(
                atPath: path, contents: nil, attributes: [.posixPermissions: OutputFile.personalMode]),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw FileProblem(path: path, reason: String(cString: strerror(errno))) }
        file = (handle, path)
    }

    func write(_ text: String) throws {
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= 65_536 { try flush() }
    }

    /// Writes a row as a line of JSON.
    func writeLine(_ row: ExportRow) throws {
        row.append(toJSON: &buffer, named: true)
        try write("\n")
    }

    private func flush() throws {
        guard let file else {
            Output.raw(buffer)
            return buffer.removeAll(keepingCapacity: true)
        }
        do { try file.handle.write(contentsOf: buffer) } catch {
            throw FileProblem(path: file.path, reason: "writing failed: \(error.fileReason)")
        }
        buffer.removeAll(keepingCapacity: true)
    }

    func close() throws {
        try flush()
        try file?.handle.close()
    }
}
