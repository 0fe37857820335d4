import Broker
import Contract
import Foundation
import Records
import Words

/// Which broker a node connects to, and what it says there. The settings of the connection and of publishing are members,
/// too.
@dynamicMemberLookup
public struct MQTTSettings: Sendable, Equatable {
    /// Where the broker is, and how to connect to it.
    public var broker: BrokerSettings
    /// The first levels of every topic.
    public var prefix: String
    /// The gym's id: a topic level.
    public var site: String
    /// The node's id: a topic level. `nil` for the id the history generated.
    public var node: String?
    /// What the node publishes besides records and states.
    public var publishing = Publishing()
    /// Whether the node accepts commands at all.
    public var remoteControl = true
    /// The commands the node accepts; `nil` for ``usualCommands``.
    public var allowedCommands: Set<CommandName>?
    /// The names that Home Assistant shows.
    package var words = Words(.english)

    /// Settings for the broker at `host`. The defaults suit a broker on this machine.
    public init(
        host: String = BrokerSettings().host, port: Int = BrokerSettings().port, tls: BrokerSettings.TLS? = nil,
        username: String? = nil, passwordFile: String? = nil, prefix: String = Topics.usualPrefix,
        site: String = "gym", node: String? = nil, keepaliveSeconds: Int = BrokerSettings().keepaliveSeconds,
        firstRetry: Duration = BrokerSettings().firstRetry,
        lastRetry: Duration = BrokerSettings().lastRetry
    ) {
        broker = BrokerSettings(
            host: host, port: port, tls: tls, username: username, passwordFile: passwordFile,
            keepaliveSeconds: keepaliveSeconds, firstRetry: firstRetry, lastRetry: lastRetry)
        self.prefix = prefix
        self.site = site
        self.node = node
    }

    /// A setting of the connection.
    public subscript<Value>(dynamicMember path: WritableKeyPath<BrokerSettings, Value>) -> Value {
        get { broker[keyPath: path] }
        set { broker[keyPath: path] = newValue }
    }

    /// A setting of publishing.
    public subscript<Value>(dynamicMember path: WritableKeyPath<Publishing, Value>) -> Value {
        get { publishing[keyPath: path] }
        set { publishing[keyPath: path] = newValue }
    }

    /// Checks everything that can be checked without a broker.
    ///
    /// - Throws: ``BrokerError`` for the first setting that is wrong.
    public func validate() throws {
        try broker.validate()
        _ = try Topics(prefix: prefix, site: site, node: node ?? "sp-0")
        for consumer in publishing.consumers where !Topics.isId(consumer) {
            throw BrokerError.invalidId(kind: "consumer", value: consumer)
        }
    }

    /// The commands accepted by default. A broker that authenticates this node authenticates its other clients, too;
    /// over any other connection only harmless commands are accepted.
    public var usualCommands: Set<CommandName> {
        broker.username != nil || broker.tls?.certificateFile != nil ? CommandName.usual : CommandName.harmless
    }

    /// The commands this node accepts.
    var commands: Set<CommandName> { remoteControl ? allowedCommands ?? usualCommands : [] }

    /// Why a command is not accepted, and what to do about it.
    func refusal(of command: CommandName) -> String {
        let isForStrangers = allowedCommands == nil && CommandName.usual.contains(command)
        return isForStrangers
            ? "'\(command.rawValue)' is not obeyed over a connection without user: set mqtt.user in the node's "
                + "config.toml and rights at the broker (spotter.acl), or name it in commands.allow"
            : "'\(command.rawValue)' is not allowed here: add it to commands.allow in the node's config.toml"
    }
}
