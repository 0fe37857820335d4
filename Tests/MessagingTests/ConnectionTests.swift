import Broker
import Foundation
import History
import Messaging
import TestSupport
import Testing

@Suite(.enabled(if: Broker.isInstalled, "mosquitto is not installed: apt install mosquitto mosquitto-clients"))
struct ConnectionTests {
    private let quick = (first: Duration.milliseconds(50), last: Duration.milliseconds(200))

    @Test func `the node uses MQTT 3.1.1 with a broker that refuses MQTT 5`() async throws {
        let old = try OldBroker()
        let node = try Node(MQTTSettings(port: old.port, firstRetry: quick.first, lastRetry: quick.last))
        node.publisher.start()
        try await eventually("connected in 3.1.1") { node.publisher.report.isOnline }
        #expect(old.levels.prefix(2) == [5, 4])
        #expect(node.publisher.report.protocolVersion == 3)
        #expect(!node.log.contains { $0.contains("no MQTT connection") }, "an old broker is no trouble")
        await node.publisher.stop()
    }

    @Test func `the node uses MQTT 3.1.1 at once with a broker that hangs up on MQTT 5`() async throws {
        let old = try OldBroker(hangsUp: true)
        let node = try Node(MQTTSettings(port: old.port, firstRetry: .seconds(30), lastRetry: .seconds(60)))
        node.publisher.start()
        try await eventually("connected in 3.1.1") { node.publisher.report.isOnline }
        #expect(old.levels.prefix(2) == [5, 4])
        await node.publisher.stop()
    }

    @Test(arguments: [
        ("A TLS error occurred: certificate verify failed", ConnectionTrouble.tls),
        ("The connection was lost, before TLS was agreed on", .unreachable), ("Connection refused", .unreachable),
    ]) func `a cut connection is no fault of a certificate`(reason: String, trouble: ConnectionTrouble) {
        #expect(ConnectionTrouble(code: 8, reason: reason) == trouble)
    }

    @Test func `scenario 7: a wrong password is reported as such, and a corrected one is used`() async throws {
        let broker = try Broker(lines: "allow_anonymous false\npassword_file %DIR%/passwords")
        try run(
            "/usr/bin/mosquitto_passwd",
            ["-b", "-c", broker.directory.appendingPathComponent("passwords").path, "n", "right"])
        try await broker.start()
        try broker.write("wrong\n", to: "secret")
        var settings = MQTTSettings(port: broker.port, firstRetry: quick.first, lastRetry: quick.last)
        settings.username = "n"
        settings.passwordFile = broker.directory.appendingPathComponent("secret").path
        let node = try Node(settings)
        node.publisher.start()
        try await eventually("refused") { node.publisher.report.problem?.code == "not_authorized" }
        #expect(node.log.allSatisfy { !$0.contains("wrong") }, "a secret is never logged")
        try broker.write("right\n", to: "secret")
        try await eventually("accepted") { node.publisher.report.isOnline }
        await node.publisher.stop()
    }

    @Test func `scenario 7: a topic that the broker declines is named, and the others continue`() async throws {
        let broker = try Broker(lines: "acl_file %DIR%/acl")
        try broker.write(
            ["spotter/v1/gym/sp-test/status", "spotter/+/+/+/cam/#", "probe/#"]
                .map { "topic readwrite \($0)\n" }.joined(),
            to: "acl")
        try await broker.start()
        let node = try Node(MQTTSettings(port: broker.port))
        let subscriber = try await Subscriber(port: broker.port, topic: "spotter/v1/gym/sp-test/cam/#")
        try node.publishEverything()
        try node.record()
        node.publisher.start()
        try await eventually("state") { subscriber.messages("/state").count == 1 }
        try await eventually("told") { node.publisher.report.problems.map(\.code) == ["not_authorized"] }
        try await eventually("named") { node.log.contains { $0.contains("/info") || $0.contains("/rec/") } }
        #expect(node.publisher.report.isOnline && node.publisher.report.ackedSeq == 0)
        await node.publisher.stop()
    }

    @Test func `subscriptions that a broker refuses are asked for again, and the problem goes when they are granted`()
        async throws
    {
        let broker = try OldBroker(refusals: 5)
        let node = try Node(MQTTSettings(port: broker.port, firstRetry: .milliseconds(20), lastRetry: quick.last))
        try node.publishEverything()
        node.publisher.start()
        try await eventually("told") { node.log.contains { $0.contains("does not let this node subscribe") } }
        try await eventually("granted") {
            broker.subscriptions.count { $0 != 128 } >= 4 && node.publisher.report.problems.isEmpty
        }
        #expect(broker.subscriptions.count { $0 == 128 } == 5)
        #expect(node.publisher.report.isOnline && broker.levels.count == 2)
        await node.publisher.stop()
    }

    @Test func `scenario 8: encrypted connections verify the broker, and report why they fail`() async throws {
        let broker = try Broker(
            port: Ports.free(), listener: "cafile %DIR%/ca.pem\ncertfile %DIR%/server.pem\nkeyfile %DIR%/server.key")
        try Certificates.make(in: broker.directory)
        try await broker.start()
        var settings = MQTTSettings(port: broker.port, firstRetry: quick.first, lastRetry: quick.last)
        settings.host = "localhost"
        settings.tls = BrokerSettings.TLS(caFile: broker.directory.appendingPathComponent("ca.pem").path)
        let node = try Node(settings)
        node.publisher.start()
        try await eventually("online over TLS") { node.publisher.report.isOnline }
        await node.publisher.stop()

        settings.tls = BrokerSettings.TLS()
        let stranger = try Node(settings)
        stranger.publisher.start()
        try await eventually("not trusted") { stranger.publisher.report.problem?.code == "mqtt_tls" }
        #expect(stranger.publisher.report.problem?.message?.contains("certificate verify failed") == true)
        await stranger.publisher.stop()
    }

    @Test func `the validity of certificate files is read`() throws {
        let folder = try Node.temporaryDirectory()
        defer { try? FileManager.default.removeItem(at: folder) }
        try Certificates.make(in: folder)
        let path = { (name: String) in folder.appendingPathComponent(name).path }
        let fresh = BrokerSettings.TLS(caFile: path("ca.pem"), certificateFile: path("server.pem"))
        for end in [fresh.authorityExpiry, fresh.certificateExpiry] {
            #expect(abs(try #require(end).timeIntervalSinceNow - 2 * 86_400) < 600)
        }
        try Certificates.sign(in: folder, from: "20010101000000Z", until: "20020101000000Z")
        #expect(fresh.certificateExpiry == Date(timeIntervalSince1970: 1_009_843_200))
        // In a bundle the newest certificate counts, in a chain the first.
        let both = try ["server.pem", "ca.pem"].map { try String(contentsOfFile: path($0), encoding: .utf8) }.joined()
        try both.write(toFile: path("both.pem"), atomically: true, encoding: .utf8)
        let bundle = BrokerSettings.TLS(caFile: path("both.pem"), certificateFile: path("both.pem"))
        #expect(try #require(bundle.authorityExpiry) > Date() && #require(bundle.certificateExpiry) < Date())
        let none = BrokerSettings.TLS(caFile: path("server.key"), certificateFile: path("nothing"))
        #expect(none.authorityExpiry == nil && none.certificateExpiry == nil)
    }

    @Test func `stopping does not wait for a host that never answers`() async throws {
        let silent = try SilentHost()
        let node = try Node(MQTTSettings(port: silent.port))
        node.publisher.start()
        try await eventually("accepted and ignored") { silent.connections > 0 }
        let begin = ContinuousClock.now
        await node.publisher.stop()
        // It takes 1.5 s on an idle machine, longer beside other tests. Waiting for the host would take 20 s.
        #expect(ContinuousClock.now - begin < .seconds(18))
    }

    @Test func `a publisher that never started stops at once`() async throws {
        let node = try Node(MQTTSettings())
        await node.publisher.stop()
    }

    @Test func `the retry delay doubles up to its limit, with full jitter, and is reset after a stable time`() {
        var retry = RetryDelay(first: .seconds(1), last: .seconds(60))
        #expect(
            (0..<8).map { _ in retry.next(after: .unreachable, random: 1) }
                == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        #expect(retry.next(after: .unreachable, random: 0.25) == .seconds(15))
        retry.reset()
        #expect(retry.next(after: .tls, random: 1) == .seconds(1))
        // A broker that starts may refuse for a moment. Only what goes on is for somebody to mend.
        #expect(
            (0..<4).map { _ in retry.next(after: .notAuthorized, random: 1) } == [2, 4, 120, 120].map { .seconds($0) })
        #expect(retry.next(after: .duplicateClientId, random: 0) == .seconds(120))
        for _ in 0..<100 { _ = retry.next(after: .unreachable, random: 1) }
        #expect(retry.next(after: .unreachable, random: 1) == .seconds(60))
        retry.ease()
        #expect(retry.next(after: .unreachable, random: 1) == .seconds(4), "the broker was there a moment ago")
        retry.reset()
        retry.ease()
        #expect(retry.next(after: .unreachable, random: 1) == .seconds(1))
    }
}
