import Foundation
import Records

/// Which broker a node connects to, and how.
public struct MQTTSettings: Sendable, Equatable {
    /// The broker's host name or address.
    public var host: String
    /// The broker's TCP port.
    public var port: Int
    /// The TLS settings; `nil` for an unencrypted connection.
    public var tls: TLS?
    /// The user name; `nil` to connect without user and password.
    public var username: String?
    /// The file with the password. It is read at every connect, so that a changed password needs no restart.
    public var passwordFile: String?
    /// The first levels of every topic.
    public var prefix: String
    /// The gym's id: a topic level.
    public var site: String
    /// The node's id: a topic level. `nil` for the id the history generated.
    public var node: String?
    /// The keep-alive interval in seconds. A dead connection is detected after about twice this time.
    public var keepaliveSeconds: Int
    /// Whether every prediction is published.
    public var live: Bool
    /// Whether predictions include the joints of the prominent person.
    public var keypoints = false
    /// Whether warnings and errors are published.
    public var log = false
    /// Receivers that acknowledge themselves up to which position they have stored the records.
    public var consumers: [String] = []
    /// Whether the node accepts commands at all.
    public var remoteControl = true
    /// The commands the node accepts; `nil` for ``usualCommands``.
    public var allowedCommands: Set<CommandName>?
    /// Whether the node announces itself to Home Assistant.
    public var discovery = true
    /// How often the TLS files and the password file are checked for changes.
    public var fileCheckInterval = Duration.seconds(5)
    /// The delay before the first retry after a lost connection; later delays double.
    public var firstRetry: Duration
    /// The longest delay between two attempts to connect.
    public var lastRetry: Duration

    /// Settings for the broker at `host`. The defaults suit a broker on this machine.
    public init(
        host: String = "127.0.0.1", port: Int = 1883, tls: TLS? = nil, username: String? = nil,
        passwordFile: String? = nil, prefix: String = "spotter", site: String = "gym", node: String? = nil,
        keepaliveSeconds: Int = 20, live: Bool = false, firstRetry: Duration = .seconds(1),
        lastRetry: Duration = .seconds(60)
    ) {
        self.host = host
        self.port = port
        self.tls = tls
        self.username = username
        self.passwordFile = passwordFile
        self.prefix = prefix
        self.site = site
        self.node = node
        self.keepaliveSeconds = keepaliveSeconds
        self.live = live
        self.firstRetry = firstRetry
        self.lastRetry = lastRetry
    }

    /// TLS settings. The broker's certificate and its name are always verified.
    public struct TLS: Sendable, Equatable {
        /// The PEM file with the CA certificates to trust; `nil` for those the system trusts.
        public var caFile: String?
        /// The PEM file with the node's own certificate; needs ``keyFile``.
        public var certificateFile: String?
        /// The PEM file with the key of ``certificateFile``.
        public var keyFile: String?
        /// The name or address the broker's certificate must carry; `nil` for the host.
        public var serverName: String?

        /// TLS settings; all `nil` trusts the system's certificates and sends none.
        public init(
            caFile: String? = nil, certificateFile: String? = nil, keyFile: String? = nil, serverName: String? = nil
        ) {
            self.serverName = serverName
            self.caFile = caFile
            self.certificateFile = certificateFile
            self.keyFile = keyFile
        }
    }

    /// Checks everything that can be checked without a broker.
    ///
    /// - Throws: ``MessagingError`` for the first setting that is wrong.
    public func validate() throws {
        guard (1...65_535).contains(port) else { throw MessagingError.invalidPort(port) }
        _ = try Topics(prefix: prefix, site: site, node: node ?? "sp-0")
        for consumer in consumers where !Topics.isId(consumer) {
            throw MessagingError.invalidId(kind: "consumer", value: consumer)
        }
        if let tls, (tls.certificateFile == nil) != (tls.keyFile == nil) {
            throw MessagingError.incompleteClientCertificate
        }
    }

    /// The password without its line end; `nil` when no file is set.
    ///
    /// - Throws: ``MessagingError/unreadableFile(purpose:path:reason:)``.
    func password() throws -> String? {
        guard let passwordFile else { return nil }
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: passwordFile))
            return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
        } catch {
            throw MessagingError.unreadableFile(
                purpose: "password", path: passwordFile, reason: String(cString: strerror(errno)))
        }
    }

    /// The commands accepted by default. A broker that authenticates this node authenticates its other clients, too;
    /// over any other connection only harmless commands are accepted.
    public var usualCommands: Set<CommandName> {
        username != nil || tls?.certificateFile != nil ? CommandName.usual : CommandName.harmless
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

    /// The files a new connection would read.
    var files: [String] { [passwordFile, tls?.caFile, tls?.certificateFile, tls?.keyFile].compactMap { $0 } }
}
