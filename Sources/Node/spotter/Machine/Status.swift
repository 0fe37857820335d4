import CommandLineProgram
import Broker
import Agent
import ArgumentParser
import Configuration
import Foundation
import History
import Messaging
import Records

/// Prints on one screen whether the node is well.
struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Says on one screen whether this node is well.",
        discussion: """
            Looks at the database, and asks the node that writes it, with a broker or
            without. A node of another machine, or one whose database this user may
            not write, is asked over MQTT. Ends with 0 when all is well, with 69 when
            the node does not run or does not answer, with 1 when it reports a problem.

            EXAMPLES
              spotter status
              spotter status --json | jq .health.outbox
            """)
    @OptionGroup var options: MQTT.Options

    @Option(help: ArgumentHelp("The database file.", valueName: "file"))
    var database: String?

    @Flag(help: "Print JSON instead of lines.")
    var json = false

    func run() throws {
        var configuration = try options.configuration()
        if let database { configuration.history.path = database }
        let query = try HistoryQuery(path: configuration.history.path)
        try MadeUpNotice.show(query)
        let summary = try query.summary()
        var runs = Store.hasNode(at: configuration.history.path)
        var (health, trouble) = runs ? askNode(configuration) : (nil, nil)
        // One that was killed may just have looked as if it ran.
        if health == nil { runs = runs && Store.hasNode(at: configuration.history.path) }
        if health == nil {
            let overBroker = askBroker(configuration, node: summary.node)
            health = overBroker.health
            let none = "no node runs with \(configuration.history.path): start it with `spotter run` or its service"
            trouble = health == nil ? (runs ? trouble ?? overBroker.trouble : none) : nil
        }
        let occupancy = runs && health != nil ? askOccupancy(configuration) : nil
        if json {
            try JSON.print(
                Answer(
                    history: summary, running: runs || health != nil, health: health, occupancy: occupancy,
                    trouble: trouble))
        } else {
            show(summary, configuration)
            if let occupancy { show(occupancy) }
            show(health, runs, trouble)
            let alarms = try query.openAlarms().count
            if alarms > 0 {
                say(
                    "alarm     ", in: .red,
                    "\(alarms.counted("alarm is", "alarms are")) open: 'spotter alarm' shows them")
            }
        }
        if health == nil { throw ExitCode(ExitStatus.unavailable.rawValue) }
        if health?["ok"] != .bool(true) { throw ExitCode(ExitStatus.failed.rawValue) }
    }

    /// The answer of the node that writes the database, or why there is none.
    private func askNode(_ configuration: Configuration) -> (health: JSONValue?, trouble: String?) {
        do {
            return (try RunningNode(path: configuration.history.path).ask("GET", "/api/v1/health", seconds: 10), nil)
        } catch RunningNode.Failure.noAnswer(let seconds) {
            return (nil, "it has said nothing for \(Int(seconds)) s; look at its log, or restart it")
        } catch { return (nil, "\(error)") }
    }

    /// How many people there are; `nil` where this user may not ask the node.
    private func askOccupancy(_ configuration: Configuration) -> JSONValue? {
        do {
            return try RunningNode(path: configuration.history.path).ask("GET", "/api/v1/occupancy", seconds: 10)
        } catch {
            return nil
        }
    }

    /// The node's answer at the broker, or why there is none.
    private func askBroker(_ configuration: Configuration, node: String) -> (health: JSONValue?, trouble: String?) {
        let settings = configuration.mqttSettings
        guard configuration.mqtt.enabled else { return (nil, "MQTT is switched off in the configuration") }
        do {
            let base = "\(settings.prefix)/v1/\(settings.site)/\(settings.node ?? node)"
            let probe = try MQTTProbe(settings.broker, patience: .seconds(3))
            defer { probe.disconnect() }
            try probe.subscribe(base + "/res/health")
            let id = "status-\(UInt32.random(in: .min ... .max))"
            try probe.publish(#"{"id":"\#(id)"}"#, to: base + "/cmd/health")
            let answer = try probe.message(within: .seconds(3)) { $0.text.contains(id) }
            guard let answer else { return (nil, "the node does not answer at the broker; is `spotter run` running?") }
            let fields = try JSONDecoder().decode(JSONValue.self, from: Data(answer.payload))
            return (fields["data"], fields["error"]?["message"]?.text)
        } catch {
            return (nil, "\(error)")
        }
    }

    private func show(_ summary: HistorySummary, _ configuration: Configuration) {
        Output.line("node      \(summary.node), site \(configuration.node.site)")
        Output.line("history   \(configuration.history.path)")
        let open = summary.openSessions > 0 ? " (\(summary.openSessions) open)" : ""
        let since = summary.predictionsSince.map { ", single predictions since \($0.prefix(10))" } ?? ""
        let sessions = summary.sessions.counted("session")
        Output.line("          \(sessions)\(open), \(summary.lastSeq.counted("record"))\(since)")
    }

    private func show(_ occupancy: JSONValue) {
        let now = occupancy["people"].map { "\(Self.text($0)) now" } ?? "unknown: no camera delivers pictures"
        let weeks = occupancy["weeks"]?.integer ?? 0
        let usual = occupancy["usual"].map {
            ", usual at this hour: \(Self.text($0)) (\(Int(weeks).counted("week")))"
        }
        Output.line("people    \(now)\(usual ?? "")")
    }

    private func show(_ health: JSONValue?, _ runs: Bool, _ trouble: String?) {
        guard let health else {
            let word = runs ? "yes, but it does not answer: " : "no: "
            return say("running   ", in: .red, word + (trouble ?? "no answer"))
        }
        let text = { (value: JSONValue?) in value.map(Self.text) ?? "-" }
        let load = health["cpu_pct"].map { ", processor \(text($0)) %" } ?? ""
        Output.line(
            "running   ", in: .green, "for \(Self.span(health["uptime_s"])), \(text(health["mem_mb"])) MB\(load)")
        // A node without MQTT is well.
        let isOnline = health["mqtt"]?["online"] == .bool(true)
        let off = health["mqtt"] == nil ? "none: MQTT is switched off" : "not connected; the problems say why"
        Output.line("broker    ", in: isOnline ? .green : .yellow, isOnline ? "connected" : off)
        let pending = health["outbox"]?["pending"]?.integer ?? 0
        let age = pending > 0 ? ", the oldest for \(Self.span(health["outbox"]?["oldest_s"]))" : ""
        Output.line("records   \(pending) waiting\(age)")
        for (camera, fields) in (health["cams"]?.object ?? [:]).sorted(by: { $0.key < $1.key }) {
            let last = fields["last_frame_s"].map { "last frame \(text($0)) s ago" } ?? "no frame yet"
            Output.line(
                "camera    \(camera): \(text(fields["fps_proc"])) of \(text(fields["fps_in"])) frames/s, "
                    + "\(text(fields["dropped"])) dropped, \(last)")
        }
        if health["clock"]?["state"]?.text == "unsynced" {
            say("clock     ", in: .red, "not synchronised, so times may be wrong: 'timedatectl' shows why")
        }
        guard case .list(let problems)? = health["problems"], !problems.isEmpty else {
            return Output.line("problems  ", in: .green, "none")
        }
        for problem in problems {
            say(
                "problem   ", in: .red,
                "\(text(problem["code"])): \(text(problem["message"])) (since \(text(problem["since"])))")
        }
    }

    private static func text(_ value: JSONValue?) -> String { value?.plain ?? "-" }

    private static func span(_ value: JSONValue?) -> String {
        value?.integer.map { DurationText.of(Double($0)) } ?? "-"
    }

    /// Prints a sentence behind its subject; on a terminal it is folded, in a pipe it stays one line.
    private func say(_ subject: String, in colour: OutputColour, _ sentence: String) {
        let width = max(20, Terminal.columns(of: STDOUT_FILENO) - subject.count)
        let lines = isatty(STDOUT_FILENO) == 1 ? sentence.folded(to: width) : [sentence]
        Output.line(subject, in: colour, lines[0])
        for line in lines.dropFirst() { Output.line(String(repeating: " ", count: subject.count) + line) }
    }

    private struct Answer: Encodable {
        let history: HistorySummary
        let running: Bool
        let health: JSONValue?
        let occupancy: JSONValue?
        let trouble: String?
    }
}
