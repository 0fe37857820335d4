import Foundation

/// Which broker a node talks to, and how.
public struct MQTTSettings: Sendable, Equatable {
    /// Name or address.
    public var host: String
    public var port: Int
    /// `nil` for a plain connection.
    public var tls: TLS?
    public var username: String?
    /// Read at every connect, so that a changed password needs no restart.
    public var passwordFile: String?
    public var prefix: String
    public var site: String
    /// `nil` for the id the history made.
    public var node: String?
    /// Seconds without traffic after which the broker is asked for a sign of life; a dead line is noticed after
    /// twice this time.
    public var keepaliveSeconds: Int
    /// Whether every prediction is sent.
    public var live: Bool
    /// Whether the prominent person's joints go with the predictions.
    public var keypoints = false
    /// Whether warnings and errors are sent.
    public var log = false
    /// Receivers that say themselves up to where they have stored the records.
    public var consumers: [String] = []
    /// Whether the node may be commanded at all, and by which commands.
    public var remoteControl = true
    /// `nil` for what suits the connection: ``usualCommands``.
    public var allowedCommands: Set<CommandName>?
    /// Whether Home Assistant is told of the node.
    public var discovery = true
    /// How often the files of TLS and password are looked at for a change.
    public var fileCheckInterval = Duration.seconds(5)
    /// Shortest and longest time between two attempts to connect.
    public var firstRetry: Duration
    public var lastRetry: Duration

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

    /// Encryption; the broker's certificate is always verified, also its name.
    public struct TLS: Sendable, Equatable {
        /// `nil` for the certificates the system trusts.
        public var caFile: String?
        public var certificateFile: String?
        public var keyFile: String?
        /// The name or address the broker's certificate must carry; `nil` for the host.
        public var serverName: String?

        public init(
            caFile: String? = nil, certificateFile: String? = nil, keyFile: String? = nil, serverName: String? = nil
        ) {
            self.serverName = serverName
            self.caFile = caFile
            self.certificateFile = certificateFile
            self.keyFile = keyFile
        }
    }

    /// What can be checked without a broker.
    ///
    /// - Throws: ``MessagingError``.
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

    /// The password without its line end; `nil` when no file is named.
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

    /// What is obeyed unless it is configured. A broker that the node has to tell who it is knows its other clients,
    /// too; over any other connection only harmless commands are obeyed.
    public var usualCommands: Set<CommandName> {
        username != nil || tls?.certificateFile != nil ? CommandName.usual : CommandName.harmless
    }

    /// The commands this node obeys.
    var commands: Set<CommandName> { remoteControl ? allowedCommands ?? usualCommands : [] }

    /// Why a command is not obeyed, and what to do about it.
    func refusal(of command: CommandName) -> String {
        let isForStrangers = allowedCommands == nil && CommandName.usual.contains(command)
        return isForStrangers
            ? "'\(command.rawValue)' is not obeyed over a connection without user: set mqtt.user in the node's config.toml "
                + "and rights at the broker (spotter.acl), or name it in commands.allow"
            : "'\(command.rawValue)' is not allowed here: add it to commands.allow in the node's config.toml"
    }

    /// The files a new connection would read.
    var files: [String] { [passwordFile, tls?.caFile, tls?.certificateFile, tls?.keyFile].compactMap { $0 } }
}
