import Foundation
import History
import Messaging
import Records
import Testing

@Suite(.enabled(if: Broker.isInstalled, "mosquitto is not installed: apt install mosquitto mosquitto-clients"))
struct RecordTests {
    private func seqs(_ subscriber: Subscriber) throws -> [Int] {
        try subscriber.messages("/rec/session").compactMap { try $0.json()["seq"] as? Int }
    }

    @Test func `a record that the broker finds too large is told with its size`() async throws {
        let broker = try Broker(lines: "message_size_limit 200")
        try await broker.start()
        let node = try Node(MQTTSettings(port: broker.port))
        node.publisher.start()
        try node.record()
        func told() -> String? { node.log.first { $0.contains("more than the broker takes") } }
        try await eventually("the complaint") { told() != nil }
        let size = told()?.firstMatch(of: /record 1 has (\d+) bytes/).flatMap { Int($0.1) }
        #expect(size.map { $0 > 200 } == true, "\(told() ?? "")")
        await node.publisher.stop()
    }

    @Test func `records arrive in order in the contract's envelope`() async throws {
        let broker = try Broker()
        try await broker.start()
        let subscriber = try await Subscriber(port: broker.port, topic: "spotter/#")
        let node = try Node(MQTTSettings(port: broker.port))
        node.publisher.start()
        for _ in 0..<60 { try node.record() }
        try await eventually("all sixty") { try seqs(subscriber).count == 60 }
        #expect(try seqs(subscriber) == Array(1...60))
        let first = try #require(subscriber.messages("/rec/session").first)
        let record = try first.json()
        // With an unsynchronised clock a record also carries the time since boot.
        #expect(record.keys.contains("mono_ms") == (record["clock"] as? String == "unsynced"))
        #expect(
            Set(record.keys).subtracting(["boot", "mono_ms"]) == [
                "v", "node", "site", "epoch", "seq", "type", "id", "rev", "final", "ts", "clock", "hist", "body",
            ])
        let body = try #require(record["body"] as? [String: Any])
        #expect(
            Set(body.keys) == [
                "camera", "start", "end", "end_reason", "model", "fps", "actions", "sets", "excluded_frames",
            ])
        let action = try #require((body["actions"] as? [[String: Any]])?.first)
        #expect(Set(action.keys) == ["label", "frames", "seconds", "reps", "conf_mean"])
        #expect(record["hist"] as? Bool == false && first.qos == 1 && !first.retained)
        #expect(first.userProperties.contains("seq:1") && first.userProperties.contains("type:session"))
        await node.publisher.stop()
        #expect(try node.store.records.cursor() == 60)
        #expect(try JSONText.encode(node.store.query.session(#require(record["id"] as? String))).contains("squat"))
    }

    @Test func `a restart continues after the last acknowledged record`() async throws {
        let broker = try Broker()
        try await broker.start()
        let subscriber = try await Subscriber(port: broker.port, topic: "spotter/#")
        let node = try Node(MQTTSettings(port: broker.port))
        node.publisher.start()
        for _ in 0..<3 { try node.record() }
        try await eventually("three") { try seqs(subscriber).count == 3 }
        await node.publisher.stop()
        try node.record()
        let again = try Publisher(settings: MQTTSettings(port: broker.port), store: node.store) { _, _ in }
        again.start()
        try await eventually("the fourth") { try seqs(subscriber).contains(4) }
        #expect(try seqs(subscriber) == [1, 2, 3, 4])
        await again.stop()
    }

    @Test func `a backlog is marked as history and sent at fifty records a second`() async throws {
        let broker = try Broker()
        try await broker.start()
        let node = try Node(MQTTSettings(port: broker.port))
        for _ in 0..<120 { try node.record(at: Date().addingTimeInterval(-3600)) }
        let subscriber = try await Subscriber(port: broker.port, topic: "spotter/#")
        let begin = ContinuousClock.now
        node.publisher.start()
        try await eventually("all") { try seqs(subscriber).count == 120 }
        #expect(ContinuousClock.now - begin > .seconds(2))
        #expect(try subscriber.messages("/rec/session").allSatisfy { try $0.json()["hist"] as? Bool == true })
        #expect(try seqs(subscriber) == Array(1...120))
        await node.publisher.stop()
    }

    @Test func `records in flight when the broker dies are sent again`() async throws {
        let broker = try Broker()
        try await broker.start()
        let node = try Node(
            MQTTSettings(port: broker.port, firstRetry: .milliseconds(50), lastRetry: .milliseconds(200)))
        node.publisher.start()
        try await eventually("online") { node.publisher.report.isOnline }
        broker.kill()
        for _ in 0..<30 { try node.record() }
        try await broker.start()
        let subscriber = try await Subscriber(port: broker.port, topic: "spotter/#")
        // Records that the new broker accepted before the subscription had no receiver; the cursor counts them.
        try await eventually("acknowledged") { node.publisher.report.ackedSeq == 30 }
        #expect(try seqs(subscriber) == seqs(subscriber).sorted())
        await node.publisher.stop()
    }

    @Test func `scenario 12: a record too large for the broker is skipped, and the stream continues`() async throws {
        let broker = try Broker(lines: "max_packet_size 1500")
        try await broker.start()
        let subscriber = try await Subscriber(port: broker.port, topic: "spotter/#")
        let node = try Node(MQTTSettings(port: broker.port))
        node.publisher.start()
        try node.record()
        try node.record(session: String(repeating: "x", count: 2000))
        try node.record()
        try await eventually("the third") { try seqs(subscriber).contains(3) }
        #expect(try seqs(subscriber) == [1, 3])
        #expect(node.log.contains { $0.contains("record 2") && $0.hasPrefix("error") })
        #expect(node.publisher.report.reconnects == 0)
        await node.publisher.stop()
    }

    @Test func `at most twenty records are in flight, and the cursor waits for the first`() throws {
        let node = try Node(MQTTSettings())
        for _ in 0..<50 { try node.record() }
        var sender = try RecordSender(log: node.store.records)
        let now = ContinuousClock.now
        let first = try sender.next(now, wall: Date())
        #expect(first.count == 20)
        for (place, outbound) in first.enumerated() { sender.sent(outbound, mid: Int32(place + 1)) }
        let whileFull = try sender.next(now, wall: Date())
        #expect(whileFull.isEmpty)
        let second = sender.acknowledged(mid: 2)
        #expect(second && sender.acked == 0)
        let firstToo = sender.acknowledged(mid: 1)
        #expect(firstToo && sender.acked == 2)
        let further = try sender.next(now, wall: Date())
        #expect(further.map(\.record.seq) == [21, 22])
        let stranger = sender.acknowledged(mid: 99)
        #expect(!stranger)
        try sender.persist(now, wall: Date())
        #expect(try node.store.records.cursor() == 2)
        sender.begin()
        let again = try sender.next(now, wall: Date())
        #expect(again.first?.record.seq == 3, "a new connection sends what is not acknowledged")
    }
}
