import ArgumentParser
import CommandLineProgram
import Foundation
import History
import Records

struct AlarmCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alarm", abstract: "Shows who lies on the floor and does not move, and acknowledges it.",
        discussion: """
            Alarms are raised where [alarm] of the configuration says so: for people who
            fell, and for those who lie still for long. An alarm is open until the person
            is up again or somebody has acknowledged it. Spotter is no medical device.

            EXAMPLES
              spotter alarm                         the open alarms
              spotter alarm acknowledge             all of them
              spotter alarm acknowledge 6e2b7a90
              spotter history alarms --last 4w      earlier ones
            """,
        subcommands: [List.self, Acknowledge.self], defaultSubcommand: List.self)

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the open alarms.")
        @OptionGroup var options: Database.Options

        @Flag(help: "Print JSON instead of a table.")
        var json = false

        func run() throws {
            let query = try options.query()
            let open = try query.openAlarms()
            if json { return try JSON.print(open) }
            guard !open.isEmpty else {
                let isOn = try options.configurationFile.read().alarm.enabled
                let hint = isOn ? "" : " Nobody is looked after: alarm.enabled is false in the configuration."
                return Output.line("No alarm is open.\(hint)")
            }
            let zone = try query.zone()
            var table = Table(["CAMERA", "ZONE", "CAUSE", "LIES FROM", "ALARM"])
            for alarm in open {
                table.add([
                    alarm.camera, alarm.zone ?? "-", alarm.cause.rawValue,
                    Wording.local(Timestamp.text(alarm.since), zone),
                    TypedId.short(alarm.id),
                ])
            }
            table.print()
        }
    }

    struct Acknowledge: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says that somebody looks after it. A node that runs is asked to do it.")
        @OptionGroup var options: Database.Options

        @Argument(help: "The alarm's id, or any unique beginning or end of it (default: all open alarms).")
        var alarm: String?

        func run() throws {
            let path = try options.path()
            var chosen = try HistoryQuery(path: path).openAlarms()
            if let alarm {
                guard let id = try TypedId(alarm).find(among: chosen.map(\.id)) else {
                    throw NodeRefusal(code: "unknown_alarm", description: "no open alarm '\(alarm)': see spotter alarm")
                }
                chosen = chosen.filter { $0.id == id }
            }
            guard !chosen.isEmpty else { return Output.line("No alarm is open.") }
            if Store.holder(of: path) != nil {
                for one in chosen { _ = try options.ask(.alarmAcknowledge, ["alarm": one.id]) }
            } else {
                let store = try Store(path: path, settings: try options.settings())
                let result = Result { try store.acknowledge(chosen, at: Date()) }
                try store.close()
                try result.get()
            }
            Output.line("\(chosen.count.counted("alarm")) acknowledged.")
        }
    }
}
