import Broker
import Foundation
import TOMLSettings

/// The settings of `spotter-sink`: `sink.toml` and the environment.
package struct SinkConfiguration: Sendable, Equatable, ConfigurationRoot {
    /// How the environment variables of its keys begin.
    package static let variablePrefix = "SPOTTER_SINK_"

    /// `[mqtt]`: the hub.
    package var mqtt = MQTT()
    /// `[database]`: PostgreSQL.
    package var database = Database()
    /// `[sink]`: what is done.
    package var sink = Sink()
    /// `[metrics]`: the page for Prometheus.
    package var metrics = Metrics()
    /// `[log]`: what is written to standard error.
    package var log = Log()

    /// The hub.
    package struct MQTT: Sendable, Equatable {
        /// The host name or address.
        package var host = BrokerSettings().host
        /// The TCP port.
        package var port = BrokerSettings().port
        /// Whether the connection is encrypted.
        package var tls = false
        /// The CA certificates to trust; empty for the system's.
        package var caFile = ""
        /// The own certificate; empty for none.
        package var certificate = ""
        /// Its key.
        package var key = ""
        /// The name in the hub's certificate; empty for the host.
        package var serverName = ""
        /// The user; empty for none.
        package var user = ""
        /// The file with the password.
        package var passwordFile = ""
        /// The client id, under which the hub keeps messages while no sink is connected.
        package var clientId = "spotter-sink"
        /// The first levels of all topics.
        package var prefix = Topics.usualPrefix
        /// The quality of service of the subscriptions: 1, or 0 for a hub that keeps nothing for an absent sink.
        package var qos = 1
        /// How long the hub keeps messages for an absent sink, hours; with MQTT 3.1.1 the hub itself decides.
        package var sessionHours = 168
    }

    /// PostgreSQL.
    package struct Database: Sendable, Equatable {
        /// libpq's connection string.
        package var connection = "host=/var/run/postgresql dbname=spotter user=spotter_sink"
    }

    /// What is done.
    package struct Sink: Sendable, Equatable {
        /// The name under which records are acknowledged; the nodes have it in `mqtt.consumers`.
        package var consumer = "hq"
        /// The most messages of one transaction.
        package var batch = 500
        /// How long the first message of a batch waits for others, milliseconds.
        package var flushMilliseconds = 200
        /// How long a record must be missing before it is asked for, seconds.
        package var holeSeconds = 30
        /// Which part of the nodes is stored: `k/n`.
        package var shard = "1/1"
        /// How many months are kept; 0 for all.
        package var keepMonths = 0
    }

    /// The page for Prometheus.
    package struct Metrics: Sendable, Equatable {
        /// Whether there is one.
        package var enabled = true
        /// Its address and port.
        package var listen = "127.0.0.1:9108"
    }

    /// What is written to standard error.
    package struct Log: Sendable, Equatable {
        /// The least severe level.
        package var level = "info"
    }

    /// The defaults.
    package init() {}

    /// Reads a file, then the environment.
    ///
    /// - Parameter path: the file; `nil` for the defaults and the environment alone.
    /// - Throws: ``ConfigurationError``.
    package init(path: String?, environment: [String: String] = [:]) throws {
        if let path {
            let file = try TOMLDocument(path: path)
            for (name, value) in file.values {
                try ConfigurationKey.apply(
                    value, name, among: Self.keys, known: Self.keys.map(\.name), to: &self, file.place(of: name))
            }
        }
        for key in Self.keys {
            if let text = environment[key.variable] { try key.apply(variable: text, to: &self) }
        }
    }
}

extension SinkConfiguration {
    /// All keys, in the order of the shipped file.
    package static let keys: [ConfigurationKey<SinkConfiguration>] = [
        .text("mqtt.host", \.mqtt.host, .notEmpty),
        .integer("mqtt.port", \.mqtt.port, 1...65_535),
        .flag("mqtt.tls", \.mqtt.tls),
        .text("mqtt.ca_file", \.mqtt.caFile),
        .text("mqtt.certificate", \.mqtt.certificate),
        .text("mqtt.key", \.mqtt.key),
        .text("mqtt.server_name", \.mqtt.serverName),
        .text("mqtt.user", \.mqtt.user),
        .text("mqtt.password_file", \.mqtt.passwordFile),
        .text("mqtt.client_id", \.mqtt.clientId, .identifier),
        .text("mqtt.prefix", \.mqtt.prefix, .topicPrefix),
        .integer("mqtt.qos", \.mqtt.qos, 0...1),
        .integer("mqtt.session_hours", \.mqtt.sessionHours, 1...8760),
        .text("database.connection", \.database.connection, .notEmpty),
        .text("sink.consumer", \.sink.consumer, .identifier),
        .integer("sink.batch", \.sink.batch, 1...10_000),
        .integer("sink.flush_ms", \.sink.flushMilliseconds, 10...10_000),
        .integer("sink.hole_seconds", \.sink.holeSeconds, 1...86_400),
        .text("sink.shard", \.sink.shard, .shard),
        .integer("sink.keep_months", \.sink.keepMonths, 0...1200),
        .flag("metrics.enabled", \.metrics.enabled),
        .text("metrics.listen", \.metrics.listen, .listenAddress),
        .text("log.level", \.log.level, .choice(["trace", "debug", "info", "warning", "error"])),
    ]

    /// How to connect to the hub.
    package var broker: BrokerSettings {
        func file(_ path: String) -> String? { path.isEmpty ? nil : path }
        return BrokerSettings(
            host: mqtt.host, port: mqtt.port,
            tls: mqtt.tls
                ? BrokerSettings.TLS(
                    caFile: file(mqtt.caFile), certificateFile: file(mqtt.certificate), keyFile: file(mqtt.key),
                    serverName: file(mqtt.serverName)) : nil,
            username: file(mqtt.user), passwordFile: file(mqtt.passwordFile),
            lastRetry: .seconds(30))
    }

    /// Which part of the nodes is stored.
    package var shard: Shard { Shard(sink.shard) ?? Shard(part: 1, of: 1) }
}

/// A part of the nodes, chosen by their ids, so that several sinks share the work.
package struct Shard: Sendable, Equatable {
    private let part: UInt64
    private let count: UInt64

    /// The `part`-th of `count` parts, from 1.
    init(part: UInt64, of count: UInt64) {
        self.part = part
        self.count = count
    }

    /// Reads `k/n`; `nil` for anything else.
    package init?(_ text: String) {
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { UInt64($0) }
        guard numbers.count == 2, let part = numbers[0], let count = numbers[1], (1...1000).contains(count),
            (1...count).contains(part)
        else { return nil }
        self.init(part: part, of: count)
    }

    /// Whether the node's records are stored by this part.
    package func has(node: String) -> Bool {
        // FNV-1a, which every program computes alike.
        let hash = node.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return count == 1 || hash % count == part - 1
    }

    /// `k/n`.
    package var text: String { "\(part)/\(count)" }
}

extension TextRule {
    fileprivate static let shard = TextRule {
        Shard($0) != nil ? nil : "expects a part and the number of parts, such as \"1/2\""
    }

    fileprivate static let topicPrefix = TextRule {
        (try? Topics(prefix: $0, site: "a", node: "a")) != nil
            ? nil : "expects words of a-z 0-9 - _ joined by /, such as \"spotter\""
    }
}
