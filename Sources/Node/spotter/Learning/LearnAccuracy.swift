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
            let query = try HistoryQuery(path: try options.path())
            let rows = try query.accuracy(by: by, weeks: weeks)
            if json { return try JSON.print(rows) }
            guard rows.contains(where: { $0.right != nil }) else {
                Output.line(
                    "Too few answers: \(Accuracy.minimumAnswers) to questions that were drawn by chance are the least. "
                        + "`spotter learn` asks.")
                return
            }
            if by == .all, let row = rows.first { return Output.line(Self.sentences(row).joined(separator: "\n")) }
            var table = Table(
                [by.rawValue.uppercased(), "SETS", "HOURS", "RIGHT", "COUNTS", "FALSE/H", "FOUND"],
                rightAligned: [1, 2])
            for row in rows {
                table.add([
                    row.group ?? "all", String(row.sets), Self.number(row.hours), Self.words(row.right),
                    Self.words(row.countsWithinOne),
                    row.falseSetsAnHour.map {
                        "\(Self.number($0.value)) (\(Self.number($0.low)) to \(Self.number($0.high)))"
                    }
                        ?? "-", Self.words(row.recall),
                ])
            }
            table.print()
        }

        /// The figures in words; the first one is for an owner.
        private static func sentences(_ row: Accuracy) -> [String] {
            guard let right = row.right else { return [] }
            let hundred = { (value: Double) in Int((100 * value).rounded()) }
            let of = { (share: Accuracy.Share) in
                "\(hundred(share.share)) of 100 (\(hundred(share.low)) to \(hundred(share.high)))"
            }
            return [
                "Right about \(hundred(right.share)) of 100 sets (\(hundred(right.low)) to \(hundred(right.high))).",
                row.falseSetsAnHour.map {
                    "Sets that were none: \(number($0.value)) an hour with people in view "
                        + "(\(number($0.low)) to \(number($0.high)))."
                },
                row.countsWithinOne.map { "Counts within one: \(of($0))." },
                row.recall.map { "Exercise found: \(of($0)) seconds." },
                "From \(right.answers.counted("answer")) about \(row.sets.counted("set")); 90 % intervals.",
            ].compactMap(\.self)
        }

        private static func words(_ share: Accuracy.Share?) -> String {
            guard let share else { return "-" }
            let percent = { (value: Double) in String(Int((100 * value).rounded())) }
            return "\(percent(share.share)) % (\(percent(share.low)) to \(percent(share.high)))"
        }

        private static func number(_ value: Double) -> String {
            value.formatted(.number.precision(.fractionLength(1)).grouping(.never).locale(Locale(identifier: "en")))
        }
    }
}

extension Accuracy.Grouping: ExpressibleByArgument {}
