import Foundation
import Messaging

extension Doctor {
    static func broker(_ configuration: Configuration) -> [Finding] {
        guard configuration.mqtt.enabled else { return [.unknown("broker", "MQTT is switched off")] }
        let settings = configuration.mqttSettings
        let place = "\(settings.host):\(settings.port)"
        do {
            let visitor = try MQTTVisitor(settings, patience: .seconds(4))
            defer { visitor.leave() }
            return [.good("broker", "\(place) lets this node in, MQTT \(visitor.protocolVersion == 5 ? "5" : "3.1.1")")]
        } catch {
            return [.bad("broker", error)]
        }
    }

    static func encryption(_ configuration: Configuration) -> [Finding] {
        guard configuration.mqtt.enabled else { return [] }
        let settings = configuration.mqttSettings
        if settings.tls != nil { return [.good("TLS", "on; the broker's certificate was checked where it lets us in")] }
        let isHere = ["localhost", "127.0.0.1", "::1"].contains(settings.host)
        if isHere { return [.good("TLS", "off; the broker is on this machine")] }
        let text = "off; everybody in the network can read along"
        return settings.passwordFile == nil
            ? [.unknown("TLS", text, advice: "set mqtt.ca_file when the broker speaks TLS")]
            : [.bad("TLS", text + ", the password included", advice: "set mqtt.ca_file and the broker's TLS port")]
    }
}
