import CommandLineProgram
import Broker
import Agent
import ArgumentParser
import Configuration
import Foundation
import Messaging

/// Tests the broker, and removes a node's retained messages from it.
struct MQTT: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mqtt", abstract: "Tests the broker, and removes a node's retained messages from it.",
        discussion: """
            EXAMPLES
              spotter mqtt test  whether the configured broker lets this node in
              spotter mqtt purge --node sp-k3v9q2m1xa  what would be removed
              spotter mqtt purge --node sp-k3v9q2m1xa --yes  remove it
            """,
        subcommands: [Test.self, PurgeNode.self])

    /// The broker to connect to.
    struct Options: ParsableArguments {
        @OptionGroup var configurationFile: ConfigurationFile

        @Option(help: ArgumentHelp("The MQTT broker.", valueName: "name"))
        var mqttHost: String?

        @Option(help: ArgumentHelp("The broker's port.", valueName: "port"))
        var mqttPort: Int?

        func configuration() throws -> Configuration {
            var configuration = try configurationFile.read()
            if let mqttHost { configuration.mqtt.host = mqttHost }
            if let mqttPort { configuration.mqtt.port = mqttPort }
            return configuration
        }
    }

    struct Test: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Connects to the broker and sends a message to itself.")
        @OptionGroup var options: Options

        func run() throws {
            let settings = try options.configuration().mqttSettings
            let probe = try MQTTProbe(settings.broker)
            let topic = "\(settings.prefix)/v1/\(settings.site)/_test/\(UInt32.random(in: .min ... .max))"
            try probe.subscribe(topic)
            let began = ContinuousClock.now
            try probe.publish("hello", to: topic)
            let echo = try probe.message(within: .seconds(5)) { $0.topic == topic }
            let took = ContinuousClock.now - began
            probe.disconnect()
            let version = probe.protocolVersion == 5 ? "5" : "3.1.1"
            let way = "\(settings.host):\(settings.port), MQTT \(version)" + (settings.tls == nil ? "" : ", TLS")
            guard echo != nil else {
                throw BrokerTimeout(text: "\(way): a message to \(topic) did not come back: check the broker's ACL")
            }
            Output.line(
                "\(way): ok, round trip in \(took.formatted(.units(allowed: [.milliseconds])))"
            )
        }
    }

    struct PurgeNode: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "purge",
            abstract: "Removes everything the broker retains for a node, Home Assistant's description too.",
            discussion: """
                For a node that was renamed or is gone. Shows what would be removed; --yes does
                it. Home Assistant removes the device if it is running meanwhile; otherwise
                delete the device there.
                """)
        @OptionGroup var options: Options

        @Option(help: ArgumentHelp("The node (default: this one).", valueName: "id"))
        var node: String?

        @Option(help: ArgumentHelp("The node's site (default: the configured one).", valueName: "id"))
        var site: String?

        @Flag(help: "Do it.")
        var yes = false

        @Flag(help: "Do it even though the node is online: what is purged comes back with its next connection.")
        var force = false

        @Flag(help: "Print a JSON list instead of lines.")
        var json = false

        func run() throws {
            let configuration = try options.configuration()
            let settings = configuration.mqttSettings
            guard let node = try node ?? settings.node ?? configuration.storedNodeId() else {
                throw ValidationError("Which node? Name it with --node.")
            }
            let purge = try Purge(prefix: settings.prefix, site: site ?? settings.site, node: node)
            let probe = try MQTTProbe(settings.broker)
            defer { probe.disconnect() }
            if yes, !force, try purge.isOnline(probe) {
                throw BrokerTimeout(
                    text: "\(node) is online and would publish everything again: stop it first, or use --force")
            }
            let kept = try purge.keptTopics(probe)
            if yes { try purge.remove(kept, probe) }
            if json { return try JSON.print(kept) }
            for topic in kept { Output.line(topic) }
            Terminal.print(
                kept.isEmpty
                    ? "The broker retains nothing for \(node)."
                    : "\(kept.count) topics " + (yes ? "were removed." : "would be removed; --yes does it."))
        }
    }

    /// The broker answers, but not as expected.
    struct BrokerTimeout: Error, CustomStringConvertible {
        let text: String
        var description: String { text }
    }
}
