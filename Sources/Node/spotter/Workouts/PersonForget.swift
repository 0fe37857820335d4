import ArgumentParser
import CommandLineProgram
import Foundation
import History

extension PersonCommand {
    struct Forget: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Deletes a name everywhere on this node and at its broker, and its training clips.",
            discussion: """
                The workouts stay, without the name. Receivers get them again without it. Says
                what it did and what it cannot reach. Exit code 75: the broker was not reached,
                so run it again later. 2: nobody said yes. 1: a copy cannot be read.

                EXAMPLES
                  spotter person show anna          what would be deleted
                  spotter person forget anna --yes  without a question
                """)
        @OptionGroup var options: Options

        @Argument(help: "The name.")
        var name: String

        @Flag(help: "Do it without a question.")
        var yes = false

        func run() throws {
            let places = try PersonPlaces(options.database)
            let before = try places.traces(of: name)
            try confirm(before)
            try places.forget(name, before).tell(asJSON: options.json)
        }

        /// - Throws: ``NotConfirmed`` unless a person said yes.
        private func confirm(_ traces: PersonTraces) throws {
            if yes { return }
            if options.json {
                try JSON.print(traces)
            } else {
                for line in PersonWords(traces).found { Output.line(line) }
            }
            Output.flush()
            guard isatty(STDIN_FILENO) == 1, !options.json else {
                throw NotConfirmed("all of this would be deleted")
            }
            guard try Questions(areAsked: true).yes("Delete all of this?", usual: false) else {
                throw NotConfirmed("all of this would be deleted")
            }
        }
    }
}

extension PersonTraces {
    /// Says what was deleted, and what was not reached.
    ///
    /// - Throws: ``PersonCommand/Incomplete`` where something could not be looked at.
    func tell(asJSON: Bool) throws {
        if asJSON {
            try JSON.print(self)
        } else {
            for line in PersonWords(self).forgotten { Output.line(line) }
        }
        if let problem = problems.first {
            throw PersonCommand.Incomplete(
                description: "not everything was reached: \(problem)", isTemporary: copyProblems.isEmpty)
        }
    }
}
