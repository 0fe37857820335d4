import CommandLineProgram
import Configuration
import Diagnostics
import Foundation

/// Asks for the broker, and connects to it.
struct SetupBroker {
    let questions: Questions
    /// A password that is stored when all questions are answered.
    private var file: BrokerPassword

    init(questions: Questions, configurationPath: String) {
        self.questions = questions
        file = BrokerPassword(configurationPath: configurationPath)
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
                copy.setBroker($0).map { "A broker \($0)." }
            }
            configuration = copy
            guard configuration.mqtt.enabled else { return true }
            try askForTLS(&configuration)
            try askForUser(&configuration)
            let finding = try file.probe(configuration)
            if finding.state == .good {
                Terminal.print("  good: \(finding.text)")
                return true
            }
            Terminal.print("  bad: \(finding.text)")
            if let advice = finding.advice { Terminal.print("  → \(advice)") }
            if try !questions.areAsked || questions.yes("Keep this broker all the same", usual: false) { return false }
        }
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
        file.set(secret, in: &configuration)
    }

    /// Stores the password that was given, in a file that nobody else can read.
    func storePassword() throws {
        guard let written = try file.store() else { return }
        Terminal.print("wrote \(written)")
    }
}
