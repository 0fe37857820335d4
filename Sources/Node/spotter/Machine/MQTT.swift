import Agent
import ArgumentParser
import Broker
import CommandLineProgram
import Configuration
import Foundation
import History
import Messaging
import Records

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
            abstract: "Tries at the broker everything that the node needs there.",
            discussion: """
                A retained last will, the node's subscriptions, retained messages of QoS 1, and
                Home Assistant's topic. It leaves nothing behind. Ends with 0 when all of it is
                allowed, with 69 when something is not.

                EXAMPLES
                  spotter mqtt test
                  spotter mqtt test --mqtt-host hub.local --json
                """)
        @OptionGroup var options: Options

        @Flag(help: "Print JSON instead of lines.")
        var json = false

        func run() throws {
            let configuration = try options.configuration()
            let settings = configuration.mqttSettings
            let path = configuration.history.path
            let trial = try BrokerTrial(
                settings, node: try configuration.storedNodeId(), isRunning: Store.hasNode(at: path))
            let outcome = try trial.run()
            let version = outcome.version == 5 ? "5" : "3.1.1"
            let way = "\(settings.host):\(settings.port), MQTT \(version)" + (settings.tls == nil ? "" : ", TLS")
            if json {
                let milliseconds = (outcome.roundTrip / .milliseconds(1) * 10).rounded() / 10
                try JSON.print(
                    Answer(
                        host: settings.host, port: settings.port, mqtt: version, tls: settings.tls != nil,
                        roundTripMilliseconds: milliseconds, refusals: outcome.refusals))
            } else if outcome.refusals.isEmpty {
                let time = outcome.roundTrip.formatted(.units(allowed: [.milliseconds]))
                Output.line("\(way): ok, acknowledged in \(time)")
            } else {
                Output.line("\(way): the broker lets this node in, but not do all that it needs:")
                for refusal in outcome.refusals { Output.line("  \(refusal)") }
            }
            if !outcome.refusals.isEmpty { throw ExitCode(ExitStatus.unavailable.rawValue) }
        }

        private struct Answer: Encodable {
            let host: String
            let port: Int
            let mqtt: String
            let tls: Bool
            let roundTripMilliseconds: Double
            let refusals: [String]

            enum CodingKeys: String, CodingKey {
                case host, port, mqtt, tls, refusals
                case roundTripMilliseconds = "round_trip_ms"
            }
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
            if json { try JSON.print(kept) } else { for topic in kept { Output.line(topic) } }
            guard !kept.isEmpty else { return Terminal.print("The broker retains nothing for \(node).") }
            let topics = kept.count.counted("topic")
            guard yes else { throw NotConfirmed("\(topics) would be removed") }
            Terminal.print("\(topics) removed.")
        }
    }

    /// The broker answers, but not as expected.
    struct BrokerTimeout: Error, CustomStringConvertible {
        let text: String
        var description: String { text }
    }
}
