import Foundation
import History
import Messaging
import Testing

/// Consumers that acknowledge records themselves.
@Suite(.enabled(if: Broker.isInstalled, "mosquitto is not installed: apt install mosquitto mosquitto-clients"))
struct ConsumerTests {
    private func settings(_ port: Int, _ consumers: [String] = ["hq"]) -> MQTTSettings {
        var settings = MQTTSettings(port: port, firstRetry: .milliseconds(50), lastRetry: .milliseconds(200))
        settings.consumers = consumers
        return settings
    }

    private func acknowledge(_ seq: Int64, epoch: String, port: Int, consumer: String = "hq", retain: Bool = true)
        throws
    {
        try run(
            "/usr/bin/mosquitto_pub",
            [
                "-p", "\(port)", "-q", "1", "-t", "spotter/v1/gym/sp-test/ack/\(consumer)", "-m",
                #"{"epoch":"\#(epoch)","seq":\#(seq)}"#,
            ]
                + (retain ? ["-r"] : []))
    }

    private func seqs(_ subscriber: Subscriber, _ type: String = "session") throws -> [Int] {
        try subscriber.messages("/rec/\(type)").compactMap { try $0.json()["seq"] as? Int }
    }

    @Test func `with consumers, only their acknowledgements move a cursor, not the broker's; retained ones count`()
        async throws
    {
        let broker = try Broker()
        try await broker.start()
        let subscriber = try await Subscriber(port: broker.port, topic: "spotter/#")
        let node = try Node(settings(broker.port))
        for _ in 0..<30 { try node.record() }
        node.publisher.start()
        try await eventually("all thirty") { try seqs(subscriber).count == 30 }
        #expect(node.publisher.report.ackedSeq == 0)
        try acknowledge(12, epoch: node.store.identity.epoch, port: broker.port)
        try await eventually("moved") { node.publisher.report.ackedSeq == 12 }
        await node.publisher.stop()
        #expect(try node.store.records.cursor(of: "hq") == 12 && node.store.records.cursor() == 0)
        // The next run starts after the acknowledged record.
        try acknowledge(20, epoch: node.store.identity.epoch, port: broker.port)
        let again = try Publisher(settings: settings(broker.port), store: node.store) { _, _ in }
        again.start()
        try await eventually("the kept word is heard") { again.report.ackedSeq == 20 }
        try await eventually("13 to 30 again") { try seqs(subscriber).filter { $0 > 12 }.count >= 36 }
        #expect(try seqs(subscriber).filter { $0 <= 12 }.count == 12)
        await again.stop()
    }

    @Test func `scenario 4: records that a broker acknowledged and lost are sent again, all of them`() async throws {
        let broker = try Broker()
        try await broker.start()
        // Not the consumer: it acknowledges nothing.
        let witness = try await Subscriber(port: broker.port, topic: "spotter/#")
        let node = try Node(settings(broker.port))
        for _ in 0..<200 { try node.record() }
        node.publisher.start()
        // The broker accepts all records and dies before the consumer receives any.
        try await eventually("taken") { try Set(seqs(witness)) == Set(1...200) }
        broker.kill()
        try await broker.start()
        let subscriber = try await Subscriber(port: broker.port, topic: "spotter/#")
        // The consumer missed records between the restart and its subscription; it requests them as in the contract.
        try await eventually("online again") { node.publisher.report.isOnline }
        let epoch = node.store.identity.epoch
        try run(
            "/usr/bin/mosquitto_pub",
            [
                "-p", "\(broker.port)", "-q", "1", "-t", "spotter/v1/gym/sp-test/cmd/sync", "-m",
                #"{"id":"s1","args":{"epoch":"\#(epoch)","from_seq":1,"to_seq":200}}"#,
            ])
        try await eventually("every one", within: 30) { try Set(seqs(subscriber)) == Set(1...200) }
        try acknowledge(200, epoch: epoch, port: broker.port)
        try await eventually("acknowledged") { node.publisher.report.ackedSeq == 200 }
        await node.publisher.stop()
    }

    @Test func `an acknowledgement of unsent records is reported and ignored`() async throws {
        let broker = try Broker()
        try await broker.start()
        let node = try Node(settings(broker.port))
        // Old records go at fifty a second, so the retained acknowledgement arrives before most of them are sent.
        for _ in 0..<90 { try node.record(at: Date().addingTimeInterval(-3600)) }
        let epoch = node.store.identity.epoch
        try acknowledge(90, epoch: epoch, port: broker.port)
        let subscriber = try await Subscriber(port: broker.port, topic: "spotter/#")
        node.publisher.start()
        let isSeen = { node.publisher.report.problems.contains { $0.code == "acknowledgement_ignored" } }
        try await eventually("seen") { isSeen() }
        #expect(node.log.contains { $0.contains("hq acknowledges record 90, but only ") })
        try await eventually("all of them are sent") { try Set(seqs(subscriber)) == Set(1...90) }
        #expect(node.publisher.report.ackedSeq == 0)
        try acknowledge(90, epoch: epoch, port: broker.port)
        try await eventually("believed now") { node.publisher.report.ackedSeq == 90 }
        #expect(!isSeen(), "and no problem any more")
        await node.publisher.stop()
    }

    @Test func `records sent by the previous run can be acknowledged to this one, unsent ones cannot`() throws {
        let node = try Node(settings(1))
        let epoch = node.store.identity.epoch
        for _ in 0..<200 { try node.record() }
        var sender = try RecordSender(log: node.store.records, consumers: ["hq"], store: node.store)
        for one in try sender.next(.now, wall: Date()) { sender.sent(one, mid: Int32(one.record.seq)) }
        // The run is killed here. The mark on disk is a little ahead of the twenty records that were sent.
        var next = try RecordSender(log: node.store.records, consumers: ["hq"], store: node.store)
        #expect(throws: Cursors.Refusal.unsent(consumer: "hq", seq: 200, sent: 70)) {
            try next.acknowledged(ConsumerPosition(epoch: epoch, seq: 200), by: "hq")
        }
        #expect(next.acked == 0)
        #expect(try next.acknowledged(ConsumerPosition(epoch: epoch, seq: 20), by: "hq"))
        #expect(next.acked == 20)
    }

    @Test func `scenario 13: an acknowledgement from the future, of another epoch or by a stranger changes nothing`()
        async throws
    {
        let broker = try Broker()
        try await broker.start()
        let node = try Node(settings(broker.port))
        for _ in 0..<3 { try node.record() }
        node.publisher.start()
        try await eventually("online") { node.publisher.report.isOnline }
        let epoch = node.store.identity.epoch
        try acknowledge(99, epoch: epoch, port: broker.port, retain: false)
        try acknowledge(2, epoch: "019aa0c4-6d2e-7c11-9f00-3f6a2c1d9e55", port: broker.port, retain: false)
        try acknowledge(2, epoch: epoch, port: broker.port, consumer: "spy", retain: false)
        try run(
            "/usr/bin/mosquitto_pub",
            ["-p", "\(broker.port)", "-q", "1", "-t", "spotter/v1/gym/sp-test/ack/hq", "-m", "2"])
        try await eventually("four complaints") { node.log.filter { $0.hasPrefix("warning") }.count == 4 }
        #expect(node.publisher.report.ackedSeq == 0)
        #expect(node.publisher.report.notices.map(\.code) == ["acknowledgement_ignored"])
        try acknowledge(2, epoch: epoch, port: broker.port)
        try await eventually("a true one") { node.publisher.report.ackedSeq == 2 }
        try acknowledge(1, epoch: epoch, port: broker.port)
        try acknowledge(3, epoch: epoch, port: broker.port)
        try await eventually("never back") { node.publisher.report.ackedSeq == 3 }
        await node.publisher.stop()
    }

    @Test func `scenario 14: a request for deleted records gets gap records, and the rest as history`() async throws {
        let broker = try Broker()
        try await broker.start()
        let node = try Node(settings(broker.port, []))
        for _ in 0..<10 { try node.record() }
        try node.sql("DELETE FROM record WHERE seq <= 4")
        let subscriber = try await Subscriber(port: broker.port, topic: "spotter/#")
        node.publisher.start()
        try await eventually("the rest") { try seqs(subscriber) == [5, 6, 7, 8, 9, 10] }
        try run(
            "/usr/bin/mosquitto_pub",
            [
                "-p", "\(broker.port)", "-q", "1", "-t", "spotter/v1/gym/sp-test/cmd/sync", "-m",
                #"{"id":"s1","args":{"epoch":"\#(node.store.identity.epoch)","from_seq":1,"to_seq":7}}"#,
            ])
        try await eventually("answered") { subscriber.messages("/res/sync").count == 1 }
        let data = try #require(try subscriber.messages("/res/sync").first?.json()["data"] as? [String: Any])
        #expect(data["records"] as? Int == 3)
        try await eventually("again") { try seqs(subscriber).count == 9 && !seqs(subscriber, "gap").isEmpty }
        #expect(try seqs(subscriber).suffix(3) == [5, 6, 7])
        #expect(try subscriber.messages("/rec/session").suffix(3).allSatisfy { try $0.json()["hist"] as? Bool == true })
        let gap = try #require(try subscriber.messages("/rec/gap").first?.json()["body"] as? [String: Any])
        #expect(gap["from_seq"] as? Int == 1 && gap["to_seq"] as? Int == 4 && gap["records"] as? Int == 4)
        await node.publisher.stop()
    }

    @Test func `a silent consumer gets its records again after ten minutes, then after twice as long`() throws {
        let node = try Node(MQTTSettings())
        for _ in 0..<3 { try node.record() }
        var sender = try RecordSender(log: node.store.records, consumers: ["hq"])
        var now = ContinuousClock.now
        func take() throws -> [Int64] {
            let outbound = try sender.next(now, wall: Date())
            for (place, one) in outbound.enumerated() { sender.sent(one, mid: Int32(place + 1)) }
            for place in outbound.indices { _ = sender.acknowledged(mid: Int32(place + 1)) }
            return outbound.map(\.record.seq)
        }
        #expect(try take() == [1, 2, 3] && take().isEmpty)
        try sender.acknowledged(ConsumerPosition(epoch: node.store.identity.epoch, seq: 1), by: "hq")
        #expect(try take().isEmpty)
        now += .seconds(599)
        #expect(try take().isEmpty)
        now += .seconds(2)
        #expect(try take() == [2, 3])
        #expect(try take().isEmpty)
        now += .seconds(1190)
        #expect(try take().isEmpty)
        now += .seconds(20)
        #expect(try take() == [2, 3])
        #expect(sender.acked == 1)
    }

    @Test func `consumers that are far behind get old records slowly, and fast again once one keeps up`() throws {
        let node = try Node(MQTTSettings())
        for _ in 0..<300 { try node.record() }
        var sender = try RecordSender(log: node.store.records, consumers: ["hq", "gone"])
        let start = ContinuousClock.now, wall = Date() + 86_400
        var mid: Int32 = 0
        /// The records that are sent in one second, which begins `seconds` after the start.
        func sent(_ seconds: Int) throws -> Int {
            var count = 0
            for _ in 0..<10 {
                for one in try sender.next(start + .seconds(seconds), wall: wall) {
                    mid += 1
                    count += 1
                    sender.sent(one, mid: mid)
                    sender.acknowledged(mid: mid)
                }
            }
            return count
        }
        #expect(try [sent(0), sent(1)] == [50, 50], "a hundred without an acknowledgement")
        #expect(try [sent(2), sent(3), sent(11), sent(12), sent(21)] == [1, 0, 0, 1, 0], "then one every ten seconds")
        try sender.acknowledged(ConsumerPosition(epoch: node.store.identity.epoch, seq: 90), by: "hq")
        #expect(try sent(22) == 50)
        // After a new connection everything is sent again that the slowest lacks, and no more than that ahead of the other.
        sender.begin()
        #expect(try [sent(23), sent(24), sent(25), sent(26), sent(27)] == [50, 50, 50, 41, 0])
    }

    @Test func `a replay is sent at fifty records a second, after new ones`() throws {
        let node = try Node(MQTTSettings())
        for _ in 0..<60 { try node.record() }
        try node.store.records.advance(to: 60, wall: Date())
        var sender = try RecordSender(log: node.store.records)
        let isTaken = sender.replay(1...60)
        let isTakenAgain = sender.replay(1...60)
        #expect(isTaken && isTakenAgain)
        let start = ContinuousClock.now
        var mid: Int32 = 0
        func take(_ now: ContinuousClock.Instant) throws -> [RecordSender.Outbound] {
            let outbound = try sender.next(now, wall: Date())
            for one in outbound {
                mid += 1
                sender.sent(one, mid: mid)
                sender.acknowledged(mid: mid)
            }
            return outbound
        }
        var first: [RecordSender.Outbound] = []
        for _ in 0..<10 { first += try take(start) }
        #expect(first.count == 50 && first.allSatisfy(\.isReplay))
        try node.record()
        sender.recordsAvailable()
        #expect(try take(start).map(\.record.seq) == [61], "what is new does not wait")
        #expect(try take(start + .seconds(1)).count == 10)
    }
}
