import Agent
import ArgumentParser
import CommandLineProgram
import Contract
import Foundation
import History
import Records

extension SessionCommand {
    struct Correct: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says what a set really was: its exercise, its repetitions, its load.",
            discussion: """
                What was recognised is kept beside it, and --undo goes back to it. The totals
                of the day follow. Receivers get the session again, at the node's next
                connection. The label none stands for a set that never was. Labels are those of
                the model and of the history; --new-label takes another one. While a node runs,
                it has to do it: correct the set on its page.

                EXAMPLES
                  spotter session correct 6e2b7a90 2 --label squat --reps 9
                  spotter session correct 6e2b7a90 2 --reps 9 --load 62.5
                  spotter session correct 6e2b7a90 3 --label none
                  spotter session correct 6e2b7a90 3 --label sled_push --new-label
                  spotter session correct 6e2b7a90 2 --undo
                """)
        @OptionGroup var options: Database.Options

        @Argument(help: "The session's id, as `spotter history sets` prints it.")
        var id: String

        @Argument(help: "The set's number, as `spotter history sets` prints it.")
        var number: Int

        @Option(help: ArgumentHelp("The right exercise; none for a set that never was.", valueName: "label"))
        var label: String?

        @Option(help: ArgumentHelp("The right number of repetitions.", valueName: "n"))
        var reps: Int?

        @Option(help: ArgumentHelp("The weight that was moved, in kilograms; 0 for none.", valueName: "kg"))
        var load: Double?

        @Flag(help: "The label is a new exercise, which nobody knows yet.")
        var newLabel = false

        @Flag(help: "Go back to what was recognised.")
        var undo = false

        @Flag(help: "Print the session as JSON instead of a line.")
        var json = false

        func validate() throws {
            let isEmpty = label == nil && reps == nil && load == nil
            if undo, !isEmpty { throw ValidationError("--undo stands alone: leave --label, --reps and --load away.") }
            if newLabel, label == nil { throw ValidationError("--new-label needs the label: --label.") }
            if !undo, isEmpty { throw ValidationError("Say what the set was: --label, --reps or --load; or --undo.") }
        }

        func run() throws {
            let path = try options.path()
            let query = try HistoryQuery(path: path)
            guard let id = try query.sessionId(id) else { throw try query.missingSession(id) }
            let known = newLabel ? nil : try options.knownLabels(query)
            let store = try Store(path: path, settings: try options.settings())
            let change: SetChange = undo ? .undo : .to(label: label, reps: reps, loadKg: load)
            let result = Result { try store.correctSet(number, of: id, to: change, known: known, wall: Date()) }
            let session = try store.query.session(id)
            try store.close()
            let days: [DayRow]
            do { days = try result.get() } catch let error as CorrectionError {
                if case .unknownLabel = error { throw UnknownLabel(description: "\(error) with --new-label") }
                throw error
            }
            guard let session else { throw MissingSession(id: id) }
            if json { return try JSON.print(session) }
            guard let set = session.sets?.first(where: { $0.number == number }) else { return }
            let recognised = set.corrected.map { "; recognised: \($0.label), \(Self.count($0.reps))" } ?? ""
            let weight = set.loadKg.map { " with \(Wording.load($0)) kg" } ?? ""
            let now = "set \(number): \(set.label), \(Self.count(set.reps))\(weight)\(recognised)"
            Output.line(days.isEmpty ? "Nothing changed. \(now)" : now)
        }

        /// Nobody knows the label.
        struct UnknownLabel: Error, CustomStringConvertible {
            let description: String
        }

        private static func count(_ reps: Int) -> String { reps.counted("repetition") }
    }
}
