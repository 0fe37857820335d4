import CommandLineProgram
import Agent
import ArgumentParser
import Contract
import Foundation
import History
import Records

/// Shows, corrects or deletes one session.
struct SessionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "Shows one session, corrects its sets, or deletes it for good.",
        discussion: """
            EXAMPLES
              spotter session show 6e2b7a90
              spotter session correct 6e2b7a90 2 --label squat --reps 9
              spotter session delete 6e2b7a90 --yes
            """,
        subcommands: [Show.self, Correct.self, Delete.self])

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Everything that is stored of a session.")
        @OptionGroup var options: Database.Options

        @Argument(help: "The session's id, as `spotter history sessions` prints it; any unique beginning or end.")
        var id: String

        @Option(help: ArgumentHelp("Show times in this zone (default: the gym's).", valueName: "zone"))
        var tz: String?

        @Flag(help: "Print JSON instead of lines.")
        var json = false

        func validate() throws {
            if let tz { _ = try History.Options.zone(tz) }
        }

        func run() throws {
            let query = try options.query()
            guard let session = try query.sessionId(id).flatMap(query.session) else {
                throw try query.missingSession(id)
            }
            if json { return try JSON.print(session) }
            let zone = try tz.map(History.Options.zone) ?? query.zone()
            Output.line("session \(session.id)")
            let zoneName = session.zone.map { ", \($0)" } ?? ""
            Output.line("\(session.camera)\(zoneName), person \(session.track)")
            let (start, end) = (Wording.local(session.start, zone), Wording.local(session.end, zone))
            Output.line("\(start) to \(end), ended by \(session.endReason ?? "nothing yet")")
            var table = Table(["ACTION", "FRAMES", "SECONDS", "REPS", "CONFIDENCE"], rightAligned: [1, 2, 3, 4])
            for action in session.actions {
                table.add([
                    action.label, String(action.frames), String(format: "%.1f", action.seconds),
                    action.reps.map(String.init) ?? "-",
                    action.meanConfidence.map { String(format: "%.2f", $0) } ?? "-",
                ])
            }
            table.print()
            show(session.sets ?? [], zone)
            let timeline = try timeline(of: session, query).text(.standardOutput(), zone: zone)
            if !timeline.isEmpty { Output.line("") }
            for line in timeline { Output.raw(line + "\n") }
        }

        private func show(_ sets: [SetBody], _ zone: TimeZone) {
            guard !sets.isEmpty else { return }
            var table = Table(
                ["SET", "ACTION", "BEGAN", "TIME", "REPS", "LOAD", "RPE", "REST", "SCORE", "RECOGNISED"],
                rightAligned: [0, 3, 4, 5, 6, 7, 8], leavesEmpty: true)
            for set in sets {
                table.add([
                    String(set.number), set.label, String(Wording.local(set.start, zone).suffix(8)),
                    DurationText.clock(set.start, set.end), Wording.repetitions(of: set),
                    set.loadKg.map(Wording.load) ?? "", set.rpe.map(Wording.load) ?? "",
                    set.restSeconds.map { DurationText.clock($0) } ?? "", set.form.map(String.init) ?? "",
                    set.corrected.map { "\($0.label) \($0.reps)" } ?? "",
                ])
            }
            Output.line("")
            table.print(isWrapped: true)
        }

        /// Draws the session's predictions, or its sets when those have been deleted.
        private func timeline(of session: SessionRow, _ query: HistoryQuery) throws -> TimelineChart {
            let labels = session.actions.map(\.label)
            let predicted = try query.predictions(ofSession: session.id).compactMap { prediction in
                Timestamp.date(text: prediction.time).map { end in
                    let length = Double(prediction.frames) / session.fps
                    return TimelineChart.Stretch(label: prediction.label, start: end - length, end: end)
                }
            }
            let sets = (session.sets ?? []).compactMap { set in
                Timestamp.date(text: set.start).flatMap { start in
                    Timestamp.date(text: set.end).map { TimelineChart.Stretch(label: set.label, start: start, end: $0) }
                }
            }
            return TimelineChart(
                start: Timestamp.date(text: session.start) ?? .distantPast,
                end: Timestamp.date(text: session.end) ?? .distantPast, labels: labels,
                stretches: predicted.isEmpty ? sets : predicted.filter { labels.contains($0.label) })
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Forgets a session: its rows, its predictions, and what the record log held of it.",
            discussion: """
                Receivers get a record that says the session was deleted, at the node's next
                connection. The day's totals stay; they name nobody. Backups and copies from
                before are not touched. While a node runs, it has to do it: send it the command
                session_delete.
                """)
        @OptionGroup var options: Database.Options

        @Argument(help: "The session's id, as `spotter history sessions` prints it.")
        var id: String

        @Flag(help: "Do it.")
        var yes = false

        func run() throws {
            let path = try options.path()
            let query = try HistoryQuery(path: path)
            try MadeUpNotice.show(query)
            guard let id = try query.sessionId(id) else { throw try query.missingSession(id) }
            guard yes else { throw NotConfirmed("\(id) would be deleted for good") }
            let store = try Store(path: path, settings: try options.settings())
            let outcome = try store.deleteSession(id, wall: Date())
            try store.close()
            if case .unknown(let missing) = outcome { throw missing }
            Output.line("\(id) was deleted.")
        }
    }
}
