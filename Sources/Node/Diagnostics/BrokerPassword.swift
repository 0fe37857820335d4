import Configuration
import Foundation

/// The password at the broker that somebody gives while a node is set up.
package struct BrokerPassword: Sendable {
    /// The password cannot be stored.
    package struct CannotStore: Error, CustomStringConvertible {
        /// A sentence that says what to do.
        package let description: String
    }

    private let configurationPath: String
    /// A password that is stored when all questions are answered.
    private var password: String?
    private var path: String

    /// The password for the node of a configuration file.
    package init(configurationPath: String) {
        self.configurationPath = configurationPath
        let folder = URL(filePath: configurationPath).deletingLastPathComponent()
        path = folder.appending(path: "mqtt-password").path
        if isForService { path = folder.appending(path: "credentials/mqtt-password").path }
    }

    /// Takes a password, and tells the configuration where it will be.
    ///
    /// Only root can write where the service manager looks for it. The service itself keeps it beside its history.
    package mutating func set(_ password: String, in configuration: inout Configuration) {
        self.password = password
        let folder = URL(filePath: path).deletingLastPathComponent().path
        if access(folder, W_OK) != 0 {
            let history = URL(filePath: configuration.history.path).deletingLastPathComponent()
            path = history.appending(path: "mqtt-password").path
        } else if isForService {
            // The service manager passes on what lies in the folder of credentials.
            return
        }
        configuration.mqtt.passwordFile = path
    }

    /// Whether the configuration belongs to the packaged service.
    private var isForService: Bool {
        let folder = URL(filePath: configurationPath).deletingLastPathComponent()
        return FileManager.default.fileExists(atPath: folder.appending(path: "credentials").path)
    }

    /// Stores the password that was given, in a file that nobody else can read.
    ///
    /// - Returns: where; `nil` where none was given.
    /// - Throws: ``CannotStore``.
    package func store() throws -> String? {
        guard let password else { return nil }
        try Self.write(password, to: path)
        return path
    }

    /// Connects as the node would.
    package func probe(_ configuration: Configuration) throws -> DiagnosticResult {
        var configuration = configuration
        guard let password else {
            let stored = isForService && configuration.mqtt.passwordFile.isEmpty && !configuration.mqtt.user.isEmpty
            if stored, access(path, R_OK) == 0 { configuration.mqtt.passwordFile = path }
            return Doctor.broker(configuration)[0]
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "spotter-setup-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        configuration.mqtt.passwordFile = folder.appending(path: "password").path
        try Self.write(password, to: configuration.mqtt.passwordFile)
        return Doctor.broker(configuration)[0]
    }

    private static func write(_ password: String, to path: String) throws {
        unlink(path)
        guard
            FileManager.default.createFile(
                atPath: path, contents: Data("\(password)\n".utf8), attributes: [.posixPermissions: 0o600])
        else {
            throw CannotStore(
                description:
                    "\(path) cannot be written (\(String(cString: strerror(errno)))): run the setup as the user "
                    + "who owns that folder")
        }
    }
}
