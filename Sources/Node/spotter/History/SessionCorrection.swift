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
            abstract: "Says what a set really was: its exercise, its repetitions, load and effort.",
            discussion: """
                What was recognised is kept beside it, and --undo goes back to it. The totals
                of the day follow. Receivers get the session again, at the node's next
                connection. The label none stands for a set that never was. Labels are those of
                the model and of the history; --new-label takes another one. A node that runs
                is asked to do it.

                EXAMPLES
                  spotter session correct 6e2b7a90 2 --label squat --reps 9
                  spotter session correct 6e2b7a90 2 --reps 9 --load 62.5
                  spotter session correct 6e2b7a90 2 --load 80 --rpe 8.5
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

        @Option(
            help: ArgumentHelp(
                "How hard it was, 1 to 10 in steps of a half: 10 less the repetitions left; 0 for none.",
                valueName: "rpe"))
        var rpe: Double?

        @Flag(help: "The label is a new exercise, which nobody knows yet.")
        var newLabel = false

        @Flag(help: "Go back to what was recognised.")
        var undo = false

        @Flag(help: "Print the session as JSON instead of a line.")
        var json = false

        func validate() throws {
            let isEmpty = label == nil && reps == nil && load == nil && rpe == nil
            if undo, !isEmpty {
                throw ValidationError("--undo stands alone: leave --label, --reps, --load and --rpe away.")
            }
            if newLabel, label == nil { throw ValidationError("--new-label needs the label: --label.") }
            if !undo, isEmpty {
                throw ValidationError("Say what the set was: --label, --reps, --load or --rpe; or --undo.")
            }
        }

        func run() throws {
            let path = try options.path()
            let query = try HistoryQuery(path: path)
            try MadeUpNotice.show(query)
            guard let id = try query.sessionId(id) else { throw try query.missingSession(id) }
            let before = try query.session(id)?.sets
            if Store.holder(of: path) != nil { try askNode(path, id) } else { try correct(path, id, query) }
            guard let session = try query.session(id) else { throw MissingSession(id: id) }
            if json { return try JSON.print(session) }
            guard let set = session.sets?.first(where: { $0.number == number }) else { return }
            let recognised = set.corrected.map { "; recognised: \($0.label), \(Self.count($0.reps))" } ?? ""
            let weight = set.loadKg.map { " with \(Wording.load($0)) kg" } ?? ""
            let effort = set.rpe.map { ", RPE \(Wording.load($0))" } ?? ""
            let now = "set \(number): \(set.label), \(Self.count(set.reps))\(weight)\(effort)\(recognised)"
            Output.line(before == session.sets ? "Nothing changed. \(now)" : now)
        }

        private func correct(_ path: String, _ id: String, _ query: HistoryQuery) throws {
            let known = newLabel ? nil : try options.knownLabels(query)
            let store = try Store(path: path, settings: try options.settings())
            let change: SetChange = undo ? .undo : .to(label: label, reps: reps, loadKg: load, rpe: rpe)
            let result = Result { try store.correctSet(number, of: id, to: change, known: known, wall: Date()) }
            try store.close()
            do { _ = try result.get() } catch let error as CorrectionError {
                if case .unknownLabel = error { throw UnknownLabel(description: "\(error) with --new-label") }
                throw error
            }
        }

        /// The node that writes the database corrects the set.
        private func askNode(_ path: String, _ id: String) throws {
            var body: [String: JSONValue] = [:]
            body["label"] = label.map { .text($0) }
            body["reps"] = reps.map { .integer(Int64($0)) }
            body["load_kg"] = load.map { .number($0) }
            body["rpe"] = rpe.map { .number($0) }
            if newLabel { body["new_label"] = true }
            if undo { body["undo"] = true }
            do {
                let route = "/api/v1/sessions/\(id)/sets/\(number)/correct"
                _ = try RunningNode(path: path).ask("POST", route, .object(body))
            } catch let refusal as NodeRefusal where refusal.code == "unknown_label" {
                throw UnknownLabel(description: "\(refusal.description) Say --new-label for a new one.")
            }
        }

        /// Nobody knows the label.
        struct UnknownLabel: Error, CustomStringConvertible {
            let description: String
        }

        private static func count(_ reps: Int) -> String { reps.counted("repetition") }
    }
}
