import Agent
import Broker
import Configuration
import Foundation
import History
import Messaging
import Records

extension Doctor {
    /// Whether the broker lets the node in, and do what it needs.
    package static func broker(_ configuration: Configuration) -> [DiagnosticResult] {
        guard configuration.mqtt.enabled else { return [.unknown("broker", "MQTT is switched off")] }
        let settings = configuration.mqttSettings
        let place = "\(settings.host):\(settings.port)"
        do {
            let node = try? configuration.storedNodeId()
            let isRunning = Store.hasNode(at: configuration.history.path)
            let outcome = try BrokerTrial(settings, node: node, isRunning: isRunning, patience: .seconds(4)).run()
            let version = outcome.version == 5 ? "5" : "3.1.1"
            guard outcome.refusals.isEmpty else {
                return outcome.refusals.map { .bad("broker", $0, advice: "see `spotter mqtt test`") }
            }
            return [.good("broker", "\(place) lets this node in and do what it needs, MQTT \(version)")]
        } catch {
            return [.bad("broker", error)]
        }
    }

    static func encryption(_ configuration: Configuration) -> [DiagnosticResult] {
        guard configuration.mqtt.enabled else { return [] }
        let settings = configuration.mqttSettings
        if let tls = settings.tls {
            let authority = tls.caFile.map { certificate("mqtt.ca_file", $0, tls.authorityExpiry) }
            let own = tls.certificateFile.map { certificate("mqtt.certificate_file", $0, tls.certificateExpiry) }
            return [.good("TLS", "on; the broker's certificate is valid if the broker check is good")]
                + [authority, own].compactMap(\.self)
        }
        let isHere = ["localhost", "127.0.0.1", "::1"].contains(settings.host)
        if isHere { return [.good("TLS", "off; the broker is on this machine")] }
        let text = "off; everyone on the network can read the traffic"
        return settings.passwordFile == nil
            ? [.warning("TLS", text, advice: "set mqtt.ca_file when the broker speaks TLS")]
            : [.bad("TLS", text + ", the password included", advice: "set mqtt.ca_file and the broker's TLS port")]
    }

    /// Whether a certificate is valid. One that ends within 30 days is a warning.
    private static func certificate(_ key: String, _ file: String, _ end: Date?) -> DiagnosticResult {
        guard let end else {
            return .bad(key, "\(file) holds no certificate", advice: "name a file in PEM format that the node may read")
        }
        let days = Int((end.timeIntervalSinceNow / 86_400).rounded(.down))
        let day = end.formatted(.iso8601.year().month().day())
        if days < 0 { return .bad(key, "expired on \(day)", advice: "renew \(file); it is read again by itself") }
        let text = "good until \(day), for \(days.counted("day"))"
        return days < 30
            ? .warning(key, text, advice: "renew \(file) in time; it is read again by itself") : .good(key, text)
    }
}
