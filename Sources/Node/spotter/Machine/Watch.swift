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
            often. What a person does is said again when it changes. Ends with Ctrl-C, or
            after --for. --json prints the messages themselves.

            EXAMPLES
              spotter watch  this site's nodes at the configured broker
              spotter watch --mqtt-host gym-hub --node sp-k3v9q2m1xa
              spotter watch --json | jq 'select(.topic | endswith("/state"))'
            """)
    private static let maximumPersons = 1000

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
        var doing: [String: String] = [:]
        while deadline.map({ .now < $0 }) ?? true {
            for message in try probe.messages(within: .milliseconds(500)) { try show(message, &doing) }
        }
    }

    /// - Parameter doing: what each person was last said to do.
    private func show(_ message: MQTTProbe.Message, _ doing: inout [String: String]) throws {
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
        let words = WatchLine(levels: levels, payload ?? .text(text))
        let node = levels.prefix(2).joined(separator: "/")
        if let now = words.doing {
            // Persons are numbered upwards for ever; those of long ago are not needed.
            if doing.count > Self.maximumPersons { doing = [:] }
            if doing.updateValue(now.action, forKey: "\(node) \(now.person)") == now.action { return }
        }
        let line =
            words.text.map { "\(node)  \($0)" }
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
