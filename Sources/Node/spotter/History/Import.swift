import CommandLineProgram
import Agent
import ArgumentParser
import Foundation
import History
import Records

/// Adds an export to the history.
struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Adds an export to the history; what is there already stays as it is.",
        discussion: """
            Importing twice is importing once: sessions and five-minute sums are known by
            their ids, days by date and camera, predictions by moment, camera and person,
            questions by what is asked. The sums of a day follow a later export of the
            same node; where the history has other sessions of that day, what the new
            ones did is added. All of it or nothing is taken. Sessions that went
            on when the export was written are left to a later one. Sessions that were
            deleted here stay deleted; a single question that was deleted comes back.
            Nothing imported is published, and positions, cursors and the epoch stay. The
            node must be stopped.

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
        let isNew = !FileManager.default.fileExists(atPath: database)
        let store = try Store(path: database, settings: try options.settings())
        let report: ImportReport
        do {
            let next = try export.rows()
            var progress = Progress("Importing")
            defer { progress.finish() }
            var done = 0.0
            report = try store.importing {
                done += 1
                if done.truncatingRemainder(dividingBy: 1000) == 0 { progress.show(done / max(1, total)) }
                return try next()?.row
            }
            try store.close()
        } catch {
            // Report the first failure; a history that was not closed properly is repaired at the next start.
            try? store.close()
            if isNew { Store.removeFiles(database) }
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

extension ImportReport {
    /// What was left out, and why, a sentence each.
    fileprivate var skipped: [String] {
        let there = present.values.reduce(0, +)
        return [
            there > 0
                ? "\(there.counted("row was", "rows were")) skipped: known by id, or by day and camera. What is here stays."
                : nil,
            changedSets > 0 ? "\(changedSets.counted("set was", "sets were")) corrected as in the export." : nil,
            changedDays > 0
                ? "\(changedDays.counted("day was", "days were")) here already, and their sums follow the import."
                : nil,
            openWorkouts > 0
                ? "\(openWorkouts.counted("workout was", "workouts were")) skipped: still going on in the export."
                : nil,
            openSessions > 0
                ? "\(openSessions.counted("session was", "sessions were")) skipped: still open in the export. "
                    + "Export again when the node has ended \(openSessions == 1 ? "it" : "them")." : nil,
            deletedSessions > 0
                ? "\(deletedSessions.counted("session was", "sessions were")) skipped: deleted here earlier." : nil,
        ].compactMap(\.self)
    }
}
