import Agent
import ArgumentParser
import CommandLineProgram
import Foundation
import History
import Records

/// The questions of a node, their answers, and what they tell.
struct Learn: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Answers what the node asks, and says how often it is right.",
        discussion: """
            With learning.enabled = true a node keeps the joints of a few sets and
            excerpts of each week, and asks what they were. Some are drawn by chance:
            their answers say how often the node is right. The others teach it most.
            Only joints are kept, never pictures, and never of a workout that has a
            name.

            EXAMPLES
              spotter learn                        ten replays in the terminal
              spotter learn list                   what is asked
              spotter learn answer 12 squat --reps 10
              spotter learn accuracy --by month    how often the node is right
              spotter learn export answers/        for other gyms
              spotter learn train -o learned.safetensors
            """,
        subcommands: [
            Ask.self, List.self, Give.self, Delete.self, AccuracyCommand.self, TrainCommand.self, ExportCommand.self,
        ],
        defaultSubcommand: Ask.self)

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the questions that wait for an answer, or the answers.",
            discussion: """
                EXAMPLES
                  spotter learn list
                  spotter learn list --answered --json
                """)
        @OptionGroup var options: Database.Options

        @Flag(help: "Those that were answered, the newest first.")
        var answered = false

        @Option(help: ArgumentHelp("At most this many.", valueName: "n"))
        var limit = 50

        @Flag(help: "Print a JSON list instead of a table.")
        var json = false

        func validate() throws {
            if limit < 1 { throw ValidationError("--limit takes a number from 1 on.") }
        }

        func run() throws {
            let query = try options.query()
            let zone = try query.zone()
            var rows: [QuestionRow] = []
            let count = try query.questions(answered ? .answered : .open, limit: limit) { rows.append($0) }
            if json {
                try JSON.print(rows)
            } else if rows.isEmpty {
                Output.line(
                    answered
                        ? "Nothing was answered yet: `spotter learn` asks."
                        : "Nothing is asked at the moment. The node asks about what it sees while learning.enabled = true."
                )
            } else {
                var table = Table(["NO", "WHEN", "CAMERA", "WHAT", "SHOWN", "WHY"] + (answered ? ["ANSWER"] : []))
                for row in rows {
                    table.add(
                        [
                            String(row.id), Wording.local(row.start, zone), row.camera, row.kind.rawValue,
                            Self.shown(row), row.reason.words,
                        ] + (answered ? [Self.answer(row)] : []))
                }
                table.print()
            }
            if count.isCut { Terminal.print(Wording.shown(count)) }
        }

        /// What was shown, with the count.
        static func shown(_ row: QuestionRow) -> String { Self.words(row.shown ?? "nothing", row.reps) }

        static func answer(_ row: QuestionRow) -> String { words(row.answer ?? "", row.answerReps) }

        private static func words(_ label: String, _ reps: Int?) -> String {
            label.replacing("_", with: " ") + (reps.map { ", \($0.counted("repetition"))" } ?? "")
        }
    }

    struct Give: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "answer", abstract: "Answers one question, or changes its answer.",
            discussion: """
                An answer is a label, or one of these words:
                  none        no exercise, or one without a label
                  nobody      nobody is there
                  two_people  the joints are those of two people in turns
                  cut_off     too little is in the picture to tell
                  skipped     no answer
                Who answered is not stored.

                EXAMPLES
                  spotter learn answer 12 squat --reps 10
                  spotter learn answer 13 none
                """)
        @OptionGroup var options: Database.Options

        @Argument(help: ArgumentHelp("The question's number.", valueName: "no"))
        var id: Int

        @Argument(help: "What it was.")
        var answer: String

        @Option(help: ArgumentHelp("How many repetitions there are.", valueName: "n"))
        var reps: Int?

        @Flag(help: "Print the question as JSON instead of a line.")
        var json = false

        func run() throws {
            let path = try options.path()
            let given = try Answer.given(answer, reps: reps, held: options.heldLabels)
            try AnswerDesk(options: options).give(given, to: id)
            guard let row = try HistoryQuery(path: path).question(id) else { return }
            if json { return try JSON.print(row) }
            Output.line("question \(id): \(List.answer(row)); shown: \(List.shown(row))")
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Deletes a question with its joints and its answer.",
            discussion: """
                EXAMPLES
                  spotter learn delete 12
                """)
        @OptionGroup var options: Database.Options

        @Argument(help: ArgumentHelp("The question's number.", valueName: "no"))
        var id: Int

        func run() throws {
            try AnswerDesk(options: options).delete(id)
            Output.line("question \(id) is deleted")
        }
    }
}

extension Question.Reason {
    /// The reason in words.
    var words: String {
        switch self {
        case .random: "drawn by chance"
        case .unsure: "unsure"
        case .changedLabel: "the label changed"
        case .unsureCount: "unsure count"
        case .unknownMotion: "unknown motion"
        }
    }
}

/// Hands answers to the running node, or writes them where none runs.
struct AnswerDesk {
    let options: Database.Options

    /// - Throws: `AnswerError`, ``NodeRefusal``, ``RunningNode/Failure``, `HistoryError`.
    func give(_ answer: Answer, to id: Int) throws {
        var body: [String: JSONValue] = ["answer": .text(answer.word)]
        if let reps = answer.reps { body["reps"] = .integer(Int64(reps)) }
        try change("/api/v1/questions/\(id)/answer", .object(body)) { store, path in
            let known = try options.knownLabels(HistoryQuery(path: path))
            try store.answer(id, answer, known: known, wall: Date())
        }
    }

    /// - Throws: `AnswerError`, ``NodeRefusal``, ``RunningNode/Failure``, `HistoryError`.
    func delete(_ id: Int) throws {
        try change("/api/v1/questions/\(id)/delete", .object([:])) { store, _ in try store.deleteQuestion(id) }
    }

    private func change(_ route: String, _ body: JSONValue, _ direct: (Store, String) throws -> Void) throws {
        let path = try options.path()
        if Store.hasNode(at: path) {
            do {
                _ = try RunningNode(path: path).ask("POST", route, body)
                return
            } catch RunningNode.Failure.noNode {}  // It has ended meanwhile.
        }
        let store = try Store(path: path, settings: try options.settings())
        let result = Result { try direct(store, path) }
        try store.close()
        try result.get()
    }
}
