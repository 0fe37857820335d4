import ArgumentParser
import CommandLineProgram
import Foundation
import History
import Records

extension Learn {
    struct AccuracyCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "accuracy", abstract: "Says how often the node is right, by the answers.",
            discussion: """
                Only questions that were drawn by chance count; the others are the hard
                ones. Behind each figure stands the interval in which the truth lies with
                90 %.

                RIGHT     sets that are of the exercise that was shown
                COUNTS    of these: those whose count is within one of the answer
                FALSE/H   sets that were none, in each hour with a person in view
                FOUND     of the time with exercise: how much lies in sets that are right

                EXAMPLES
                  spotter learn accuracy
                  spotter learn accuracy --by camera --weeks 13
                  spotter learn accuracy --by month --json
                """)
        @OptionGroup var options: Database.Options

        @Option(help: ArgumentHelp("One row for each label, camera or month.", valueName: "group"))
        var by: Accuracy.Grouping = .all

        @Option(
            help: ArgumentHelp(
                "The last weeks, this one included (default: \(Accuracy.usualWeeks); by month all).", valueName: "n"))
        var weeks: Int?

        @Flag(help: "Print a JSON list instead of a table.")
        var json = false

        func validate() throws {
            if let weeks, weeks < 1 { throw ValidationError("--weeks takes a number from 1 on.") }
        }

        func run() throws {
            let query = try options.query()
            let rows = try query.accuracy(by: by, weeks: weeks)
            if json { return try JSON.print(rows) }
            guard rows.contains(where: { $0.right != nil }) else { return Output.line(AccuracyText.tooFew) }
            let lines = by == .all ? rows.flatMap(AccuracyText.sentences) : AccuracyText.table(rows, by: by)
            for line in lines { Output.line(line) }
        }
    }
}

extension Accuracy.Grouping: ExpressibleByArgument {}
