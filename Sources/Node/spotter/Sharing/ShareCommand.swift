import Agent
import ArgumentParser
import CommandLineProgram
import Configuration
import Foundation
import History
import Records
import Sharing

struct ShareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share", abstract: "Shows who gets finished workouts, and tries them.",
        discussion: """
            The [[share]] blocks of the configuration name who gets a named workout when it
            has ended. `spotter workout send` writes one workout into a file instead.

            EXAMPLES
              spotter share list        recipients, and what waits for them
              spotter share test        sends a made-up workout to each recipient
              spotter share test club
            """,
        subcommands: [List.self, Test.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the recipients, and what waits for them.")
        @OptionGroup var options: Database.Options

        @Flag(help: "Print JSON instead of a table.")
        var json = false

        func run() throws {
            let shares = try options.configurationFile.read().shares
            let rows = try WaitingRow.rows(
                of: shares.map { ($0.name, $0.kind, Outbox.name(ofShare: $0.name)) }, in: options)
            if json { return try JSON.print(rows) }
            guard !rows.isEmpty else {
                Output.line("Nobody gets workouts: a [[share]] block in the configuration names who does.")
                return
            }
            WaitingRow.print(rows)
        }
    }

    struct Test: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sends a made-up workout, and says what came back; exit code 1 when one was not taken.",
            discussion: "A diary of wger is only asked whether it knows the token.")
        @OptionGroup var options: Trial.Options

        func run() throws {
            let configuration = try options.configurationFile.read()
            let recipients = try Trial.chosen(configuration.shares.map(\.recipient), options.name, kind: "share")
            let message = Message.workout(.example(at: Date()), from: try Trial.node(of: configuration))
            try Trial.run(recipients, message, of: configuration, json: options.json)
        }
    }
}

/// What waits for a recipient.
struct WaitingRow: Encodable {
    let name, kind: String
    let waiting, givenUp: Int
    let failure: String?

    enum CodingKeys: String, CodingKey {
        case name, kind, waiting, failure
        case givenUp = "given_up"
    }

    /// - Parameter recipients: name, kind, and the name that deliveries have.
    static func rows(
        of recipients: [(name: String, kind: String, key: String)], in options: Database.Options
    ) throws -> [WaitingRow] {
        let path = try options.path()
        // Before the first run nothing waits.
        let all = FileManager.default.fileExists(atPath: path) ? try HistoryQuery(path: path).deliveries() : []
        return recipients.map { name, kind, key in
            let own = all.filter { $0.recipient == key }
            return WaitingRow(
                name: name, kind: kind, waiting: own.count { !$0.isGivenUp }, givenUp: own.count(where: \.isGivenUp),
                failure: own.last { $0.failure != nil }?.failure)
        }
    }

    static func print(_ rows: [WaitingRow]) {
        var table = Table(["NAME", "KIND", "WAITING", "GIVEN UP", "LAST FAILURE"], rightAligned: [2, 3])
        for row in rows {
            table.add([row.name, row.kind, String(row.waiting), String(row.givenUp), row.failure ?? "-"])
        }
        table.print(isWrapped: true)
    }
}
