import CommandLineProgram
import Configuration
import Diagnostics
import Foundation

/// Asks for the broker, and connects to it.
struct SetupBroker {
    let questions: Questions
    let configurationPath: String
    /// A password that is stored when all questions are answered.
    private var password: String?

    init(questions: Questions, configurationPath: String) {
        (self.questions, self.configurationPath) = (questions, configurationPath)
    }

    /// Asks until the broker lets the node in, or until the answer shall be kept all the same.
    ///
    /// - Returns: whether the broker lets the node in, or none is wanted.
    /// - Throws: ``Questions/NoAnswer``.
    mutating func choose(_ configuration: inout Configuration) throws -> Bool {
        while true {
            var copy = configuration
            let mqtt = configuration.mqtt
            let usual = mqtt.enabled ? "\(mqtt.host):\(mqtt.port)" : "none"
            _ = try questions.text("MQTT broker, host[:port], or none", usual: usual) {
                Self.set($0, in: &copy).map { "A broker \($0)." }
            }
            configuration = copy
            guard configuration.mqtt.enabled else { return true }
            try askForTLS(&configuration)
            try askForUser(&configuration)
            let finding = try probe(configuration)
            if finding.state == .good {
                Terminal.print("  good: \(finding.text)")
                return true
            }
            Terminal.print("  bad: \(finding.text)")
            if let advice = finding.advice { Terminal.print("  → \(advice)") }
            if try !questions.areAsked || questions.yes("Keep this broker all the same", usual: false) { return false }
        }
    }

    /// Sets host and port.
    ///
    /// - Returns: what is wrong with the words; `nil` if nothing is.
    static func set(_ words: String, in configuration: inout Configuration) -> String? {
        guard words != "none" else {
            configuration.mqtt.enabled = false
            return nil
        }
        guard let parts = words.wholeMatch(of: /(\[[0-9A-Fa-f:.]+\]|[^:\s\/@]+)(?::([0-9]{1,5}))?/) else {
            return "is written as a host such as hub.local, or with a port: hub.local:8883"
        }
        configuration.mqtt.enabled = true
        let host = parts.1.hasPrefix("[") ? String(parts.1.dropFirst().dropLast()) : String(parts.1)
        if let reason = configuration.set("mqtt.host", to: host) { return reason }
        return parts.2.flatMap { configuration.set("mqtt.port", to: String($0)) }
    }

    private func askForTLS(_ configuration: inout Configuration) throws {
        var copy = configuration
        // Port 8883 is usual with TLS.
        let now = copy.mqtt.caFile.isEmpty ? (copy.mqtt.port == 8883 ? "system" : "none") : copy.mqtt.caFile
        let answer = try questions.text("TLS: the file of the broker's authority, system, or none", usual: now) {
            $0 == "none" || $0 == "system" || FileManager.default.isReadableFile(atPath: $0)
                ? nil : "\($0) cannot be read."
        }
        guard questions.areAsked else { return }
        copy.mqtt.caFile = answer == "none" ? "" : answer == "system" ? answer : URL(filePath: answer).path
        configuration = copy
    }

    private mutating func askForUser(_ configuration: inout Configuration) throws {
        let user = configuration.mqtt.user
        let answer = try questions.text("User at the broker, or none", usual: user.isEmpty ? "none" : user)
        guard questions.areAsked else { return }
        configuration.mqtt.user = answer == "none" ? "" : answer
        guard answer != "none" else { return }
        let secret = try questions.secret("Password (empty: as before)")
        guard !secret.isEmpty else { return }
        password = secret
        // The service manager passes on what lies in the folder of credentials.
        if !isForService { configuration.mqtt.passwordFile = passwordPath }
    }

    /// Whether the configuration belongs to the packaged service.
    private var isForService: Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: "credentials").path)
    }

    private var folder: URL { URL(filePath: configurationPath).deletingLastPathComponent() }

    private var passwordPath: String {
        folder.appending(path: isForService ? "credentials/mqtt-password" : "mqtt-password").path
    }

    /// Stores the password that was given, in a file that nobody else can read.
    func storePassword() throws {
        guard let password else { return }
        try Self.write(password, to: passwordPath)
        Terminal.print("wrote \(passwordPath)")
    }

    private static func write(_ password: String, to path: String) throws {
        unlink(path)
        guard
            FileManager.default.createFile(
                atPath: path, contents: Data("\(password)\n".utf8), attributes: [.posixPermissions: 0o600])
        else { throw FileProblem(path: path, reason: String(cString: strerror(errno))) }
    }

    /// Connects as the node would.
    private func probe(_ configuration: Configuration) throws -> DiagnosticResult {
        var configuration = configuration
        guard let password else {
            let stored = isForService && configuration.mqtt.passwordFile.isEmpty && !configuration.mqtt.user.isEmpty
            if stored, access(passwordPath, R_OK) == 0 { configuration.mqtt.passwordFile = passwordPath }
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
}
