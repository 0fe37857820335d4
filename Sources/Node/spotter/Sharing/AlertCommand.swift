import Agent
import ArgumentParser
import CommandLineProgram
import Configuration
import Foundation
import History
import Records
import Sharing

struct AlertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alert", abstract: "Shows who is told of problems, and tries them.",
        discussion: """
            The [[alert]] blocks of the configuration name who is told when a problem of
            this node stands, and when it is over.

            EXAMPLES
              spotter alert list        recipients, and the problems that stand
              spotter alert test        sends a test to each recipient
              spotter alert test staff
            """,
        subcommands: [List.self, Test.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the recipients, what waits for them, and the problems that stand.")
        @OptionGroup var options: Database.Options

        @Flag(help: "Print JSON instead of tables.")
        var json = false

        private struct Standing: Encodable {
            let alert, problem, camera, since: String
            let told: Bool
        }

        private struct Answer: Encodable {
            let recipients: [WaitingRow]
            let problems: [Standing]
        }

        /// Whether what tells of a problem has not been taken yet.
        private static func waits(_ problem: StandingProblem, _ deliveries: [Delivery]) -> Bool {
            let name = Outbox.name(ofAlert: problem.alert)
            return deliveries.filter { $0.recipient == name }.compactMap(\.alert).contains { message in
                message.topic.rawValue == problem.topic && message.camera ?? "" == problem.camera
                    && message.alarm ?? "" == problem.alarm
            }
        }

        func run() throws {
            let alerts = try options.configurationFile.read().alerts
            let rows = try WaitingRow.rows(
                of: alerts.map { ($0.name, $0.kind, Outbox.name(ofAlert: $0.name)) }, in: options)
            let path = try options.path()
            let query = FileManager.default.fileExists(atPath: path) ? try HistoryQuery(path: path) : nil
            let waiting = try query?.deliveries() ?? []
            let problems = try (query?.standingProblems() ?? []).map {
                Standing(
                    alert: $0.alert, problem: $0.topic, camera: $0.camera, since: Timestamp.text($0.since),
                    told: $0.isTold && !Self.waits($0, waiting))
            }
            if json { return try JSON.print(Answer(recipients: rows, problems: problems)) }
            guard !rows.isEmpty else {
                Output.line("Nobody is told of problems: an [[alert]] block in the configuration names who is.")
                return
            }
            WaitingRow.print(rows)
            guard let zone = try query?.zone(), !problems.isEmpty else { return }
            Output.line()
            var table = Table(["ALERT", "PROBLEM", "CAMERA", "SINCE", "TOLD"])
            for problem in problems {
                table.add([
                    problem.alert, problem.problem, problem.camera.isEmpty ? "-" : problem.camera,
                    Wording.local(problem.since, zone), problem.told ? "yes" : "not yet",
                ])
            }
            table.print()
        }
    }

    struct Test: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sends a test, and says what came back; exit code 1 when one was not taken.")
        @OptionGroup var options: Trial.Options

        func run() throws {
            let configuration = try options.configurationFile.read()
            let recipients = try Trial.chosen(configuration.alerts.map(\.recipient), options.name, kind: "alert")
            let alert = AlertMessage(state: .test, topic: .camera, since: Date())
            let message = Message.alert(alert, from: try Trial.node(of: configuration))
            try Trial.run(recipients, message, of: configuration, json: options.json)
        }
    }
}
