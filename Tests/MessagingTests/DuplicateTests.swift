import Foundation
import Glibc
import History
import Messaging
import Synchronization
import Testing

/// Tests the detection of another client with this node's id, and cases that only look like one.
@Suite(.enabled(if: Broker.isInstalled, "mosquitto is not installed: apt install mosquitto mosquitto-clients"))
struct DuplicateTests {
    /// A broker with persistence restores the status of an earlier run.
    @Test(arguments: [
        "", "persistence true\npersistence_location %DIR%/\nautosave_on_changes true\nautosave_interval 1",
    ])
    func `a broker that is killed and restarted three times within seconds is no duplicate`(lines: String)
        async throws
    {
        let broker = try Broker(lines: lines)
        try await broker.start()
        let earlier = #"{"v":1,"state":"online","sid":0,"boot":"aaaaaaaa","run":"b","clock":"synced"}"#
        try run(
            "/usr/bin/mosquitto_pub",
            ["-p", "\(broker.port)", "-t", "spotter/v1/gym/sp-test/status", "-q", "1", "-r", "-m", earlier])
        // With the default longest delay, a node taken for a duplicate stays away for two minutes.
        let node = try Node(MQTTSettings(port: broker.port, firstRetry: .milliseconds(200), lastRetry: .seconds(60)))
        try node.publishEverything()
        node.publisher.start()
        for _ in 0..<3 {
            try await eventually("online") { node.publisher.report.isOnline }
            broker.kill()
            try await eventually("lost") { !node.publisher.report.isOnline }
            try await broker.start()
        }
        try await eventually("back after the last start") { node.publisher.report.isOnline }
        #expect(node.log.allSatisfy { !$0.contains("another client") }, "\(node.log)")
        #expect(node.publisher.report.problems.isEmpty)
        await node.publisher.stop()
    }

    @Test func `scenario 6: of two nodes with one id, one reports the duplicate and stays away`() async throws {
        let broker = try Broker()
        try await broker.start()
        let nodes = try (0..<2).map { _ in
            try Node(MQTTSettings(port: broker.port, firstRetry: .milliseconds(50), lastRetry: .seconds(60)))
        }
        for node in nodes { node.publisher.start() }
        try await eventually("told") {
            nodes.contains { $0.publisher.report.problem?.code == "duplicate_client_id" }
        }
        for node in nodes { await node.publisher.stop() }
    }

    @Test func `a status that another run wrote after this one began is a duplicate; one from an earlier run is not`() {
        var watch = DuplicateNodeDetector(run: "own")
        func isNew(_ run: String, _ sid: Int64) -> Bool {
            watch.observe(DuplicateNodeDetector.Author(run: run, sid: sid))
        }
        #expect(!isNew("early", 900), "no connection of this run yet")
        watch.connecting(sid: 40)
        watch.connecting(sid: 41)
        #expect(!isNew("own", 40) && !isNew("own", 41))
        #expect(!isNew("before", 39), "the last connection of the run before")
        #expect(!isNew("before", 39) && !isNew("before", 12), "a broker found it on its disk again")
        #expect(isNew("before", 40), "it goes on: no earlier run of this history has this number")
        #expect(isNew("other", 40))
        #expect(!isNew("other", 40), "the same once more proves nothing new")
        #expect(!isNew("low", 3), "may be an earlier run")
        #expect(isNew("low", 4), "it is alive")
    }

    @Test func `a forged message on the node's status topic is a problem, and the node stays connected`() async throws {
        let broker = try Broker()
        try await broker.start()
        let node = try Node(MQTTSettings(port: broker.port))
        node.publisher.start()
        try await eventually("online") { node.publisher.report.isOnline }
        let forged = #"{"v":1,"state":"online","sid":9,"boot":"aaaaaaaa","run":"b","clock":"synced"}"#
        try run(
            "/usr/bin/mosquitto_pub",
            ["-p", "\(broker.port)", "-t", "spotter/v1/gym/sp-test/status", "-q", "1", "-m", forged])
        try await eventually("seen") { node.publisher.report.problems.map(\.code) == ["duplicate_client_id"] }
        #expect(node.publisher.report.isOnline && node.publisher.report.reconnects == 0)
        await node.publisher.stop()
    }

    @Test func `scenario 6: the node stays away as soon as the broker reports session taken over`() async throws {
        let broker = try TakingOverBroker()
        let node = try Node(MQTTSettings(port: broker.port, firstRetry: .milliseconds(50), lastRetry: .seconds(60)))
        let begin = ContinuousClock.now
        node.publisher.start()
        try await eventually("told") { node.publisher.report.problem?.code == "duplicate_client_id" }
        // It comes back after a minute at the earliest; on a busy machine this task may be delayed for longer.
        #expect(broker.connections == 1 || ContinuousClock.now - begin > .seconds(50), "it stays away")
        await node.publisher.stop()
    }
}
