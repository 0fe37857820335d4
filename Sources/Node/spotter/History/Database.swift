import Agent
import ArgumentParser
import CommandLineProgram
import Foundation
import History
import Records

/// Checks, copies and restores the database file.
struct Database: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "db", abstract: "Checks, copies and restores the history's database.",
        discussion: """
            EXAMPLES
              spotter db check
              spotter db backup /mnt/usb/spotter.db          while the node runs, too
              spotter db restore /mnt/usb/spotter.db --yes   the node must be stopped
            """,
        subcommands: [Check.self, Backup.self, Restore.self])

    /// The database to use.
    struct Options: ParsableArguments {
        @OptionGroup var configurationFile: ConfigurationFile

        @Option(help: ArgumentHelp("The database file.", valueName: "file"))
        var database: String?

        func path() throws -> String { try database ?? configurationFile.read().history.path }

        /// The history, to be read. On stderr it is told where it was made up.
        func query() throws -> HistoryQuery {
            let query = try HistoryQuery(path: try path())
            try MadeUpNotice.show(query)
            return query
        }

        /// The settings of the history. An existing database keeps its own time zone, so that its days are divided as
        /// before.
        func settings() throws -> HistorySettings {
            var settings = try configurationFile.read().historySettings()
            let path = try path()
            guard FileManager.default.fileExists(atPath: path) else { return settings }
            if let zone = try HistoryQuery(path: path).timeZone() { settings.timeZone = zone }
            return settings
        }

        /// The labels of the model whose exercises are held; none where it cannot be read.
        var heldLabels: [String] { (try? configurationFile.read().classifier().description.heldLabels) ?? [] }

        /// The labels of the model and those of the history.
        func knownLabels(_ query: HistoryQuery) throws -> [String] {
            let ofModel = (try? configurationFile.read().classifier().description.labels) ?? []
            return try query.storedNames().labels + ofModel
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Reads the whole file and says whether it is sound; exit code 74 when it is not.")
        @OptionGroup var options: Options

        @Flag(help: "Print JSON instead of lines.")
        var json = false

        func run() throws {
            let report = try options.query().check()
            if json {
                try JSON.print(report)
            } else {
                Output.line("\(report.path): \(report.problems.isEmpty ? "ok" : "damaged")")
                let (sessions, predictions) = (report.sessions, report.predictions)
                Output.line(
                    "\(sessions.counted("session")), \(predictions.counted("prediction")), "
                        + report.records.counted("record"))
                for problem in report.problems { Output.line("  \(problem)") }
                if !report.problems.isEmpty {
                    Output.line(
                        "`spotter run` sets a damaged file aside and saves what is readable; "
                            + "`spotter db restore` goes back to a copy.")
                }
            }
            if !report.problems.isEmpty { throw ExitCode(ExitStatus.inputOutput.rawValue) }
        }
    }

    struct Backup: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Copies the history into one file, also while a node writes it.")
        @OptionGroup var options: Options

        @Argument(help: "The copy, a file that does not exist yet.")
        var copy: String

        @Flag(help: "Replace a file that has this name already.")
        var force = false

        func run() throws {
            let query = try options.query()
            if FileManager.default.fileExists(atPath: copy) {
                if try OutputFile.areSame(copy, options.path()) {
                    throw FileProblem(path: copy, reason: "it is the history itself; name another file for the copy")
                }
                guard force else {
                    throw FileProblem(
                        path: copy, reason: "it exists already: --force replaces it, or name another file")
                }
                // The old copy stays until the new one is complete.
                let part = copy + ".part"
                if FileManager.default.fileExists(atPath: part) { try FileManager.default.removeItem(atPath: part) }
                try copyFile(query, to: part)
                guard rename(part, FilePlace(URL(filePath: copy)).url.path) == 0 else {
                    throw FileProblem(path: copy, reason: String(cString: strerror(errno)))
                }
            } else {
                try copyFile(query, to: copy)
            }
            let report = try HistoryQuery(path: copy).check()
            Output.line("\(copy): \(report.sessions.counted("session")), \(report.predictions.counted("prediction"))")
        }

        /// Copies the history, and shows the progress by the size of the copy.
        private func copyFile(_ query: HistoryQuery, to copy: String) throws {
            let size: @Sendable (String) -> Int = { path in
                (try? URL(filePath: path).resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
            }
            let whole = Double(max(1, size(try options.path())))
            let (isDone, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            Thread.detachNewThread {
                var progress = Progress("Copying")
                while isDone.wait(timeout: .now() + 0.25) == .timedOut { progress.show(Double(size(copy)) / whole) }
                progress.finish()
                end.signal()
            }
            defer {
                isDone.signal()
                end.wait()
            }
            try query.backup(to: copy)
        }
    }

    struct Restore: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Puts a copy in the history's place; what was there is kept beside it.",
            discussion: """
                The restored history begins a new epoch, so that receivers know that positions
                begin again. Connection numbers go on.
                """)
        @OptionGroup var options: Options

        @Argument(help: "The copy.")
        var copy: String

        @Flag(help: "Do it.")
        var yes = false

        func run() throws {
            let path = try options.path()
            let report: DatabaseReport
            do {
                report = try HistoryQuery(path: copy).check()
            } catch let error as HistoryError {
                throw error.ofBackup
            }
            guard report.problems.isEmpty else {
                throw HistoryError.noBackup(path: copy, reason: report.problems[0])
            }
            guard yes else {
                throw NotConfirmed(
                    "\(path) would become the copy with \(report.sessions.counted("session"))")
            }
            let before = try Store.restore(copy, to: path)
            let kept = before.map { "; what was there is now \($0)" } ?? ""
            Output.line("\(path): \(report.sessions.counted("session"))\(kept)")
        }
    }
}
