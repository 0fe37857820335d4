import Broker
import Foundation
import Glibc
import Messaging
import Synchronization
import TestSupport
import Testing

/// Which topic a broker closes the connection at.
struct ClosingTopicsTests {
    private let t0 = ContinuousClock.now

    @Test func `a topic at which three connections in a row end is left out, and tried again later`() {
        var closing = ClosingTopics()
        for attempt in 1...3 {
            closing.begin(t0)
            closing.sent("a", mid: 1, t0)
            closing.sent("live", mid: nil, t0)
            closing.sent("b", mid: 2, t0)
            closing.acknowledged(1)
            // The message without an acknowledgement came before "b", so it is the suspect until "b" is acknowledged.
            closing.acknowledged(2)
            closing.sent("bad", mid: 3, t0)
            closing.sent("c", mid: 4, t0)
            #expect(closing.lost(t0) == (attempt == 3 ? "bad" : nil))
        }
        #expect(closing.isLeftOut("bad", t0) && !closing.isLeftOut("c", t0) && closing.maySend)
        let later = t0 + ClosingTopics.restTime
        #expect(!closing.isLeftOut("bad", later))
        // One more loss is proof enough, and the rest is twice as long.
        closing.begin(later)
        closing.sent("bad", mid: 1, later)
        #expect(closing.lost(later) == "bad" && closing.isLeftOut("bad", later + ClosingTopics.restTime))
    }

    @Test func `a connection that stood for long, or ended elsewhere, proves nothing`() {
        var closing = ClosingTopics()
        for topic in ["a", "a", "b", "a", "a"] {
            closing.begin(t0)
            closing.sent(topic, mid: 1, t0)
            #expect(closing.lost(t0) == nil)
        }
        closing.begin(t0)
        closing.sent("a", mid: 1, t0)
        #expect(closing.survive(t0 + ClosingTopics.trialTime) == false)
        #expect(closing.lost(t0 + .seconds(20)) == nil && closing.maySend)
    }

    @Test func `after a loss one packet at a time is under way`() {
        var closing = ClosingTopics()
        closing.begin(t0)
        closing.sent("a", mid: 1, t0)
        #expect(closing.maySend)
        _ = closing.lost(t0)
        closing.begin(t0)
        #expect(closing.maySend)
        closing.sent("a", mid: 1, t0)
        #expect(!closing.maySend)
        closing.acknowledged(1)
        #expect(closing.maySend)
    }

    @Test func `a broker that says what it refuses is believed at once`() {
        var closing = ClosingTopics()
        closing.begin(t0)
        closing.sent("a", mid: 1, t0)
        #expect(closing.lost(t0, isRefusal: true) == "a")
    }
}

/// A broker of MQTT 3.1.1 that closes the connection at topics that it does not allow.
private final class StrictBroker: Sendable {
    private let topics = Mutex<[String]>([])
    private let server = Mutex<LoopbackServer?>(nil)

    init(closesAt forbidden: @escaping @Sendable (String) -> Bool) throws {
        let new = try LoopbackServer { [self] connection in
            while let (kind, body) = OldBroker.packet(connection) {
                switch kind >> 4 {
                case 1: OldBroker.answer(connection, body[6] == 4 ? [0x20, 2, 0, 0] : [0x20, 2, 0, 1])
                case 3:
                    let length = Int(body[0]) << 8 | Int(body[1])
                    let topic = String(decoding: body[2..<(2 + length)], as: UTF8.self)
                    topics.withLock { $0.append(topic) }
                    if forbidden(topic) { return _ = close(connection) }
                    if kind & 0x06 != 0 { OldBroker.answer(connection, [0x40, 2, body[2 + length], body[3 + length]]) }
                case 8:
                    let length = Int(body[2]) << 8 | Int(body[3])
                    if forbidden(String(decoding: body[4..<(4 + length)], as: UTF8.self)) {
                        return _ = close(connection)
                    }
                    OldBroker.answer(connection, [0x90, 3, body[0], body[1], 1])
                case 12: OldBroker.answer(connection, [0xD0, 0])
                case 14: return _ = close(connection)
                default: break
                }
            }
            close(connection)
        }
        server.withLock { $0 = new }
    }

    var port: Int { server.withLock { $0?.port ?? 0 } }
    func count(_ part: String) -> Int { topics.withLock { $0.count { $0.contains(part) } } }
}

struct StrictBrokerTests {
    private func settings(_ port: Int) -> MQTTSettings {
        var settings = MQTTSettings(port: port, firstRetry: .milliseconds(20), lastRetry: .milliseconds(200))
        settings.discovery = true
        return settings
    }

    @Test(arguments: ["homeassistant/device", "/info", "/cmd/+", "/cam/rack1/counts", "/health"])
    func `a broker that closes at a topic costs that topic, said once, and no record`(_ part: String) async throws {
        let broker = try StrictBroker { $0.contains(part) }
        let node = try Node(settings(broker.port))
        try node.publishEverything()
        for _ in 0..<3 { try node.record() }
        node.publisher.start()
        try await eventually("all records arrive") { broker.count("/rec/session") >= 3 }
        try await eventually("the connection stands") { node.publisher.report.isOnline && broker.count("/status") > 0 }
        let said = node.log.filter { $0.contains("is left out") }
        #expect(said.count == (part == "/health" ? said.count : 1), "\(said)")
        let problems = node.publisher.report.problems.map { $0.message ?? "" }
        if part != "/health" { #expect(problems.contains { $0.contains("is left out") }, "\(problems)") }
        await node.publisher.stop()
    }

    @Test func `records wait while their topic is forbidden, and none is lost`() async throws {
        let broker = try StrictBroker { $0.contains("/rec/") }
        let node = try Node(settings(broker.port))
        try node.publishEverything()
        try node.record()
        node.publisher.start()
        try await eventually("the topic is left out") { node.log.contains { $0.contains("is left out") } }
        try await eventually("the connection stands") { node.publisher.report.isOnline }
        #expect(node.publisher.report.ackedSeq == 0)
        #expect(try node.publisher.health(wall: Date()).1.pending == Int(node.store.records.lastSeq()))
        await node.publisher.stop()
    }
}

@Suite(.enabled(if: Broker.isInstalled, "mosquitto is not installed: apt install mosquitto mosquitto-clients"))
struct BrokerTrialTests {
    private func trial(_ broker: Broker) throws -> BrokerTrial {
        try BrokerTrial(MQTTSettings(port: broker.port), node: "sp-test", isRunning: false)
    }

    @Test func `a broker that allows everything passes, and keeps nothing`() async throws {
        let broker = try Broker()
        try await broker.start()
        let witness = try await Subscriber(port: broker.port, topic: "spotter/#")
        let outcome = try trial(broker).run()
        #expect(outcome.refusals.isEmpty && outcome.version == 5 && outcome.roundTrip > .zero)
        try await eventually("the trial is heard") { witness.messages("").contains { $0.topic.hasSuffix("res/_test") } }
        // Whoever subscribes to all responses reads JSON, and so does not stumble over a trial.
        let heard = witness.messages("").filter { $0.topic.hasSuffix("res/_test") && !$0.payload.isEmpty }
        #expect(heard.allSatisfy { (try? JSONSerialization.jsonObject(with: Data($0.payload.utf8))) != nil })
        let subscriber = try await Subscriber(port: broker.port, topic: "#")
        try await Task.sleep(for: .milliseconds(300))
        #expect(subscriber.messages("").filter { !$0.topic.hasPrefix("probe/") }.isEmpty)
    }

    @Test func `a broker without retained messages is refused with its own word`() async throws {
        let broker = try Broker(lines: "retain_available false")
        try await broker.start()
        let error = #expect(throws: MQTTProbe.Refusal.self) { try trial(broker).run() }
        #expect(error?.description.contains("retained messages") == true, "\(error.debugDescription)")
        // The node says the same.
        let node = try Node(MQTTSettings(port: broker.port))
        node.publisher.start()
        try await eventually("the problem") {
            node.publisher.report.problem?.message?.contains("retained messages") == true
        }
        await node.publisher.stop()
    }

    @Test func `what the access list forbids is named, topic by topic`() async throws {
        let broker = try Broker(lines: "acl_file %DIR%/acl")
        try broker.write("topic readwrite spotter/v1/gym/sp-test/#\n", to: "acl")
        try await broker.start()
        let refusals = try trial(broker).run().refusals
        #expect(refusals.contains { $0.contains("homeassistant/device") && $0.contains("mqtt.discovery = false") })
        #expect(!refusals.contains { $0.contains("/cmd/+") }, "\(refusals)")
    }

    @Test(arguments: ["message_size_limit 1000", "max_packet_size 4000"])
    func `a broker that takes only small messages is told from one that takes all`(limit: String) async throws {
        let broker = try Broker(lines: limit)
        try await broker.start()
        let refusals = try trial(broker).run().refusals
        #expect(refusals.contains { $0.contains("65536 bytes") && $0.contains("message_size_limit") }, "\(refusals)")
    }

    @Test func `a 3.1.1 broker that closes at a topic is tried to the end`() throws {
        let broker = try StrictBroker { $0.contains("homeassistant/device") || $0.contains("/cmd/+") }
        let trial = try BrokerTrial(MQTTSettings(port: broker.port), node: "sp-test", isRunning: false)
        let outcome = try trial.run()
        #expect(outcome.version == 3)
        #expect(outcome.refusals.map { $0.contains("ends the connection") } == [true, true], "\(outcome.refusals)")
    }

    @Test func `a broker that falls silent ends the trial once, not once for each topic`() throws {
        let broker = try LazyBroker(commands: 0)
        let settings = MQTTSettings(port: broker.port)
        let outcome = try BrokerTrial(settings, node: "sp-test", isRunning: false, patience: .seconds(1)).run()
        #expect(outcome.refusals.count == 1)
        #expect(outcome.refusals.first?.contains("/res/_test: the broker no longer answers.") == true)
    }
}
