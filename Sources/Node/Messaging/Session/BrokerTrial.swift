import Broker
import Foundation
import Records

/// Tries at a broker what a node needs there: a retained last will, the node's subscriptions, and retained messages of QoS 1
/// in its topics and in Home Assistant's, and a message as large as the node's largest.
///
/// It leaves nothing behind, and disturbs no node: its messages are empty, or go to `res/_test` and are an
/// empty JSON object, which a subscriber of all responses can read.
public struct BrokerTrial {
    /// What was found.
    public struct Outcome: Sendable, Equatable {
        /// The MQTT version: 5, or 3 for 3.1.1.
        public var version = 5
        /// How long an acknowledged message took.
        public var roundTrip = Duration.zero
        /// What the broker does not let the node do, each a sentence that ends in what to do. Empty when all is well.
        public var refusals: [String] = []
    }

    private let settings: MQTTSettings
    private let topics: Topics
    private let clientId: String?
    private let patience: Duration

    /// - Parameters:
    ///   - node: the node's id; `nil` while it has none.
    ///   - isRunning: whether the node is running. Its client id is then left to it.
    ///   - patience: how long the broker may take to answer everything.
    /// - Throws: ``BrokerError`` for settings that cannot work.
    public init(
        _ settings: MQTTSettings, node: String?, isRunning: Bool, patience: Duration = .seconds(15)
    ) throws {
        self.settings = settings
        self.patience = patience
        topics = try Topics(prefix: settings.prefix, site: settings.site, node: settings.node ?? node ?? "sp-test")
        clientId = isRunning || (settings.node ?? node) == nil ? nil : "spotter-\(topics.node)"
    }

    /// Tries everything. A refused topic does not end the trial of the others; silence does.
    ///
    /// - Throws: `BrokerError` or `MQTTProbe.Refusal` when the broker does not let the node in at all.
    public func run() throws -> Outcome {
        let deadline = ContinuousClock.now + patience
        var outcome = Outcome()
        var probe = try connect(until: deadline)
        outcome.version = probe.protocolVersion
        for step in steps {
            do {
                let began = ContinuousClock.now
                if let reason = try step.work(probe, deadline) {
                    outcome.refusals.append("\(step.what): refused (\(reason)). \(step.advice)")
                } else if step.isMeasured {
                    outcome.roundTrip = .now - began
                }
            } catch {
                guard .now < deadline else {
                    let advice = "The trial ended here. Restart the broker, then try again."
                    outcome.refusals.append("\(step.what): the broker no longer answers. \(advice)")
                    return outcome
                }
                let reason = (error as? MQTTProbe.Refusal)?.reason ?? (error as? BrokerError)?.briefReason ?? "\(error)"
                outcome.refusals.append("\(step.what): the broker ends the connection (\(reason)). \(step.advice)")
                guard let next = try? connect(until: deadline) else { return outcome }
                probe = next
            }
        }
        probe.disconnect()
        return outcome
    }

    private func connect(until deadline: ContinuousClock.Instant) throws -> MQTTProbe {
        let will = MQTTMessage(topic: testTopic, payload: "", retain: true)
        return try MQTTProbe(settings.broker, clientId: clientId, will: will, patience: deadline - .now)
    }

    private var testTopic: String { topics.response("_test") }

    private struct Step {
        let what: String
        let advice: String
        var isMeasured = false
        /// Returns why the broker refused it; `nil` when it did not.
        let work: (MQTTProbe, ContinuousClock.Instant) throws -> String?
    }

    private var steps: [Step] {
        let acl = "Allow it in the broker's ACL."
        var steps = filters.map { filter in
            Step(what: "subscribing to \(filter)", advice: acl) { try $0.subscription(to: filter, until: $1) }
        }
        steps.append(
            Step(what: "a message of QoS 1 to \(testTopic)", advice: acl, isMeasured: true) {
                try $0.publication("", to: testTopic, retain: false, until: $1)
            })
        steps.append(
            Step(
                what: "a retained message to \(testTopic)",
                advice: "The node needs retained messages: switch them on at the broker, and allow them in its ACL."
            ) { probe, deadline in
                guard try probe.publication("{}", to: testTopic, retain: true, until: deadline) == nil else {
                    return "retain"
                }
                return try probe.publication("", to: testTopic, retain: true, until: deadline)
            })
        let largest = InfoPayload.Limits().maxPayload
        steps.append(
            Step(
                what: "a message of \(largest) bytes to \(testTopic)",
                advice: "Raise the broker's limits to it (mosquitto: message_size_limit, max_packet_size)."
            ) { probe, deadline in
                let filling = String(repeating: " ", count: largest - 2)
                return try probe.publication("{\(filling)}", to: testTopic, retain: false, until: deadline)
            })
        if settings.discovery {
            let topic = Discovery.configTopic(node: topics.node + "_test")
            steps.append(
                Step(
                    what: "a retained message to \(topic)",
                    advice: "Allow \(Discovery.prefix)/# in the broker's ACL, or set mqtt.discovery = false."
                ) { try $0.publication("", to: topic, retain: true, until: $1) })
        }
        return steps
    }

    /// What the node subscribes to.
    private var filters: [String] {
        [topics.status] + (settings.consumers.isEmpty ? [] : [topics.acknowledgements])
            + (settings.commands.isEmpty ? [] : [topics.commands, topics.switches])
            + (settings.discovery ? [Discovery.birthTopic] : [])
    }
}

extension BrokerError {
    fileprivate var briefReason: String? {
        if case .library(_, let reason) = self { reason } else { nil }
    }
}
