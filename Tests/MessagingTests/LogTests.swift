import Foundation
import History
import Messaging
import Synchronization
import Testing

/// Repeated log lines are sent once a minute.
@Suite(.enabled(if: Broker.isInstalled, "mosquitto is not installed: apt install mosquitto mosquitto-clients"))
struct LogTests {
    /// A node whose warnings also go to its own topic, as the agent's do.
    private final class Talkative: Sendable {
        let lines = Mutex<[String]>([])
        let publisher = Mutex<Publisher?>(nil)

        func add(_ level: Messaging.LogLevel, _ text: String) {
            lines.withLock { $0.append(text) }
            guard level != .info else { return }
            publisher.withLock { $0 }?.log(LogPayload(level: level.rawValue, message: text, ts: Date()))
        }
    }

    @Test func `similar lines are sent once a minute: the newest, with the number of suppressed ones`() {
        var throttle = LogThrottle(interval: .seconds(60))
        let start = ContinuousClock.now
        #expect(throttle.line("a 1", key: "a", at: start) == "a 1")
        for number in 2...500 {
            #expect(throttle.line("a \(number)", key: "a", at: start + .milliseconds(100 * number)) == nil)
        }
        #expect(throttle.line("b 1", key: "b", at: start + .seconds(1)) == "b 1", "another kind is not held back")
        #expect(throttle.summaries(at: start + .seconds(59)).isEmpty)
        #expect(throttle.summaries(at: start + .seconds(60)) == ["a 500 (499 times)"])
        #expect(throttle.summaries(at: start + .seconds(60)).isEmpty)
        #expect(throttle.line("a 501", key: "a", at: start + .seconds(61)) == nil)
        #expect(throttle.summaries(at: start + .seconds(120)) == ["a 501"], "one is not counted")
        #expect(throttle.summaries(at: start + .seconds(180)).isEmpty, "and then it is over")
        #expect(throttle.line("a 502", key: "a", at: start + .seconds(200)) == "a 502")
    }

    @Test func `any number of names takes bounded memory: from the thirty-second on they count as one`() {
        var throttle = LogThrottle(interval: .seconds(60))
        let start = ContinuousClock.now
        let lines = (0..<1000).compactMap { throttle.line("line", key: "stranger \($0)", at: start) }
        #expect(lines.count == 33)
        #expect(throttle.summaries(at: start + .seconds(60)) == ["line (967 times)"])
    }

    @Test func `an unreadable record log is reported once, and the thread does not spin`() async throws {
        let broker = try Broker()
        try await broker.start()
        var settings = MQTTSettings(port: broker.port)
        settings.log = true
        let node = try Node(settings)
        let talkative = Talkative()
        let publisher = try Publisher(settings: settings, store: node.store) { talkative.add($0, $1) }
        talkative.publisher.withLock { $0 = publisher }
        publisher.start()
        try await eventually("online") { publisher.report.isOnline }
        try node.sql("ALTER TABLE record RENAME TO lost")
        publisher.recordsAvailable()
        let complaints = { talkative.lines.withLock { $0.filter { $0.contains("record") } } }
        try await eventually("said") { !complaints().isEmpty }
        // The test checks that little happens during this time.
        try await Task.sleep(for: .seconds(3))
        #expect(complaints().count <= 3, "\(complaints().count) lines")
        // Everything that does not need the record log continues.
        let subscriber = try await Subscriber(port: broker.port, topic: "spotter/#")
        publisher.cameraState(
            CameraState(action: "squat", confidence: 1, people: 1, since: Date(), ts: Date()), camera: "rack1")
        try await eventually("the present") { subscriber.messages("/state").count == 1 }
        try node.sql("ALTER TABLE lost RENAME TO record")
        await publisher.stop()
        talkative.publisher.withLock { $0 = nil }
    }

    @Test func `a flood of commands whose answers cannot be sent logs one line a minute`() async throws {
        let broker = try Broker(lines: "max_packet_size 1000")
        try await broker.start()
        let node = try Node(MQTTSettings(port: broker.port))
        try node.publishEverything()
        node.publisher.start()
        try await eventually("online") { node.publisher.report.isOnline }
        let flood =
            "for i in $(seq 400); do echo '{\"id\":\"i'$i'\"}'; done | /usr/bin/mosquitto_pub -l -q 1 "
            + "-p \(broker.port) -t spotter/v1/gym/sp-test/cmd/info"
        try run("/bin/sh", ["-c", flood])
        try run(
            "/usr/bin/mosquitto_pub",
            ["-p", "\(broker.port)", "-q", "1", "-t", "spotter/v1/gym/sp-test/cmd/ping", "-m", #"{"id":"last"}"#])
        try await eventually("the last one", log: node.log) { node.log.contains { $0.contains("ping") } }
        let lines = node.log.filter { $0.contains("not sent") }
        #expect((1...10).contains(lines.count), "\(lines.count) lines")
        await node.publisher.stop()
    }
}
