import Foundation
import Records

/// Which broker to connect to, and how.
public struct BrokerSettings: Sendable, Equatable {
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
    /// The keep-alive interval in seconds. A dead connection is detected after about twice this time.
    public var keepaliveSeconds: Int
    /// How often the TLS files and the password file are checked for changes.
    public var fileCheckInterval = Duration.seconds(5)
    /// The delay before the first retry after a lost connection; later delays double.
    public var firstRetry: Duration
    /// The longest delay between two attempts to connect.
    public var lastRetry: Duration

    /// Settings for the broker at `host`. The defaults suit a broker on this machine; both programs have them.
    public init(
        host: String = "localhost", port: Int = 1883, tls: TLS? = nil, username: String? = nil,
        passwordFile: String? = nil, keepaliveSeconds: Int = 20, firstRetry: Duration = .seconds(1),
        lastRetry: Duration = .seconds(60)
    ) {
        self.host = host
        self.port = port
        self.tls = tls
        self.username = username
        self.passwordFile = passwordFile
        self.keepaliveSeconds = keepaliveSeconds
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
    /// - Throws: ``BrokerError`` for the first setting that is wrong.
    public func validate() throws {
        guard (1...65_535).contains(port) else { throw BrokerError.invalidPort(port) }
        if let tls, (tls.certificateFile == nil) != (tls.keyFile == nil) {
            throw BrokerError.incompleteClientCertificate
        }
    }

    /// The password: the first line of its file; `nil` when no file is set. Editors add line ends, and people notes.
    ///
    /// - Throws: ``BrokerError/unreadableFile(purpose:path:reason:)``.
    func password() throws -> String? {
        guard let passwordFile else { return nil }
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: passwordFile))
            let text = String(decoding: data, as: UTF8.self)
            let line = text.prefix { !$0.isNewline }
            return String(line.hasPrefix("\u{FEFF}") ? line.dropFirst() : line)
        } catch {
            throw BrokerError.unreadableFile(purpose: "password", path: passwordFile, reason: error.fileReason)
        }
    }

    /// The files a new connection would read.
    package var files: [String] { [passwordFile, tls?.caFile, tls?.certificateFile, tls?.keyFile].compactMap { $0 } }
}
