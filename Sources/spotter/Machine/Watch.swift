import CommandLineProgram
import Broker
import Agent
import ArgumentParser
import Foundation
import History
import Messaging
import Records

/// Follows nodes live over MQTT, from any machine that reaches the broker.
struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Follows a node live over MQTT, from anywhere.",
        discussion: """
            Prints a line for each message: the node, the camera, who did what and how
            often. Ends with Ctrl-C, or after --for. --json prints the messages themselves.

            EXAMPLES
              spotter watch  this site's nodes at the configured broker
              spotter watch --mqtt-host gym-hub --node sp-k3v9q2m1xa
              spotter watch --json | jq 'select(.topic | endswith("/state"))'
            """)
    @OptionGroup var options: MQTT.Options

    @Option(help: ArgumentHelp("Only this site (default: all).", valueName: "id"))
    var site: String?

    @Option(help: ArgumentHelp("Only this node (default: all).", valueName: "id"))
    var node: String?

    @Option(name: .customLong("for"), help: ArgumentHelp("End after this many seconds.", valueName: "seconds"))
    var seconds: Double?

    @Flag(help: "Print one JSON object a line: topic, retained, payload.")
    var json = false

    func run() throws {
        let settings = try options.configuration().mqttSettings
        let probe = try MQTTProbe(settings.broker)
        defer { probe.disconnect() }
        try probe.subscribe("\(settings.prefix)/v1/\(site ?? "+")/\(node ?? "+")/#")
        let deadline = seconds.map { ContinuousClock.now + .seconds($0) }
        while deadline.map({ .now < $0 }) ?? true {
            for message in try probe.messages(within: .milliseconds(500)) { try show(message) }
        }
    }

    private func show(_ message: MQTTProbe.Message) throws {
        // A preview is a JPEG, which a terminal cannot show.
        let isText = String(validating: message.payload, as: UTF8.self) != nil
        let text = isText ? message.text : "\(message.payload.count) bytes"
        let payload = try? JSONDecoder().decode(JSONValue.self, from: Data(message.payload))
        if json {
            let retained = JSONValue.bool(message.isRetained)
            let line: JSONValue = [
                "topic": .text(message.topic), "retained": retained, "payload": payload ?? .text(text),
            ]
            Output.raw(JSON.escaped(try JSONText.encode(line)) + "\n")
            return Output.flush()
        }
        let levels = message.topic.split(separator: "/").dropFirst(2).map(String.init)
        let said = payload.flatMap { WatchLine(levels: levels, $0).text }
        let line =
            said.map { "\(levels.prefix(2).joined(separator: "/"))  \($0)" }
            ?? "\(levels.joined(separator: "/"))  \(payload.map(Self.summary) ?? text)"
        Output.line(line.singleLine)
        // Flush into pipes too, so that live lines do not wait in a buffer.
        Output.flush()
    }

    /// The most informative fields; for a payload without any, the names of its fields.
    private static func summary(_ payload: JSONValue) -> String {
        guard let fields = payload.object else { return "" }
        let informative = [
            "event_type", "state", "action", "a", "confidence", "c", "people", "type", "seq", "status", "ok",
        ]
        let parts = informative.compactMap { name in fields[name].map { "\(name)=\($0.plain ?? "…")" } }
        return parts.isEmpty ? fields.keys.sorted().joined(separator: " ") : parts.joined(separator: " ")
    }
}
