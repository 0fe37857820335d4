import ArgumentParser
import CommandLineProgram
import Foundation
import History
import Records
import Web
import Workouts

extension PersonCommand {
    struct Code: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes the code with which a member sees their own workouts on the page.",
            discussion: """
                The member opens /member on the node's page and types the nickname and the
                code. They see their workouts, records and weeks in a row, and may enter load
                and exertion for their sets of today. The code has six digits and is shown
                once; only its hash is kept. A new code ends the log-ins of the former one.
                `spotter person forget` deletes it with the name.

                EXAMPLES
                  spotter person code anna
                  spotter person code anna --nickname wolf
                  spotter person code anna --remove
                """)
        @OptionGroup var options: Options

        @Argument(help: "The name under which the workouts are stored.")
        var name: String

        @Option(
            help: ArgumentHelp("What the member types beside the code (default: the name).", valueName: "nickname"))
        var nickname: String?

        @Flag(help: "Take the code back instead.")
        var remove = false

        func validate() throws {
            if remove, nickname != nil { throw ValidationError("--remove needs no --nickname: leave it away.") }
            for text in [name, nickname].compactMap({ $0 }) where PersonName(text) == nil {
                throw ValidationError("'\(text.prefix(50))' is no name: \(PersonName.rule).")
            }
        }

        private struct Made: Encodable { let name, nickname, code: String }

        func run() throws {
            let path = try options.database.path()
            if remove { return try removeCode(path) }
            let made = try Store.holder(of: path) != nil ? askNode(path) : makeCode(path)
            if options.json { return try JSON.print(made) }
            Output.line(made.code)
            let isKnown = try !HistoryQuery(path: path).workouts(WorkoutFilter(name: name, limit: 1)).isEmpty
            Terminal.print(
                "This is the code for the nickname \(made.nickname). It is not shown again. The member types both at "
                    + "/member on the page." + (isKnown ? "" : " No workout has the name \(name) yet."))
        }

        private func makeCode(_ path: String) throws -> Made {
            guard let name = PersonName(name), let nickname = PersonName(nickname ?? name.text) else {
                throw ValidationError(PersonName.rule)
            }
            let (code, member) = try MemberCode.new(name: name, nickname: nickname, now: Date(), path: path)
            try change(path) { try $0.store(member) }
            return Made(name: member.name, nickname: member.nickname, code: code)
        }

        private func removeCode(_ path: String) throws {
            let wasThere: Bool
            if Store.holder(of: path) != nil {
                let answer = try RunningNode(path: path).ask("POST", "/api/v1/members/remove", ["name": .text(name)])
                wasThere = answer["removed"]?.bool == true
            } else {
                wasThere = try change(path) { try $0.removeCode(of: name) }
            }
            if options.json { return try JSON.print(["removed": wasThere]) }
            Output.line(wasThere ? "The code of \(name) is deleted, and every log-in with it." : "\(name) has no code.")
        }

        private func change<Answer>(_ path: String, _ body: (Store) throws -> Answer) throws -> Answer {
            let store = try Store(path: path, settings: try options.database.settings())
            let result = Result { try body(store) }
            try store.close()
            return try result.get()
        }

        /// The node that writes the database makes the code.
        private func askNode(_ path: String) throws -> Made {
            var body: [String: JSONValue] = ["name": .text(name)]
            body["nickname"] = nickname.map { .text($0) }
            let answer = try RunningNode(path: path).ask("POST", "/api/v1/members/code", .object(body))
            return Made(
                name: answer["name"]?.text ?? name, nickname: answer["nickname"]?.text ?? name,
                code: answer["code"]?.text ?? "")
        }
    }
}
