import Foundation
import History
import Testing

import Messaging

@Suite(.serialized, .enabled(if: Broker.isInstalled, "mosquitto is not installed"))
struct PublisherTests {
    @Test func `a connect greets in the contract's order and ends with online`() async throws {
        let broker = try Broker()
        try await broker.start()
        let subscriber = try await Subscriber(port: broker.port, topic: "spotter/#")
        let node = try Node(MQTTSettings(port: broker.port))
        try node.sayEverything()
        node.publisher.start()
        try await eventually("online") { subscriber.states().contains("online") }
        let leaves = subscriber.heard.filter { $0.topic.hasPrefix("spotter/") }
            .map { $0.topic.replacingOccurrences(of: "spotter/v1/gym/sp-test/", with: "") }
        #expect(leaves == ["status", "info", "cam/rack1/status", "cam/rack1/state", "cam/rack1/counts", "status"])
        #expect(subscriber.states() == ["starting", "online"])
        #expect(subscriber.heard.filter { $0.topic.hasPrefix("spotter/") }.allSatisfy { $0.qos == 1 })
        let counts = try #require(subscriber.heard("/counts").first)
        #expect(counts.expiry == "172800" && counts.contentType == "application/json")
        await node.publisher.stop()
        try await eventually("stopped") { subscriber.states() == ["starting", "online", "stopped"] }
        #expect(node.publisher.report.isOnline == false)
    }
}
