import Broker
import Foundation
import History
import Messaging
import Synchronization
import TestSupport
import Testing

/// Failures of networks and brokers.
@Suite(.enabled(if: Broker.isInstalled, "mosquitto is not installed: apt install mosquitto mosquitto-clients"))
struct FaultTests {
    private let quick = (first: Duration.milliseconds(50), last: Duration.milliseconds(200))

    @Test func `scenario 3: after an outage records are sent as history, and old events are not sent`() async throws {
        let port = Ports.free()
        let node = try Node(MQTTSettings(port: port, firstRetry: quick.first, lastRetry: quick.last))
        node.publisher.start()
        for _ in 0..<80 { try node.record(at: Date().addingTimeInterval(-8 * 3600)) }
        for number in 0..<150 {
            node.publisher.event(CameraEvent(.sessionStarted, camera: "rack1", ts: Date(), session: "s\(number)"))
            node.publisher.prediction(.example(keypoints: false), camera: "rack1")
        }
        try await eventually("nobody to tell") { node.publisher.report.droppedEphemeral >= 150 }
        let broker = try Broker(port: port)
        try await broker.start()
        let subscriber = try await Subscriber(port: port, topic: "spotter/#")
        try await eventually("the log's last record") { node.publisher.report.ackedSeq == 80 }
        node.publishState("lunge")
        try await eventually("the present") { subscriber.messages("/state").contains { $0.payload.contains("lunge") } }
        let records = subscriber.messages("/rec/session")
        #expect(try records.allSatisfy { try $0.json()["hist"] as? Bool == true })
        #expect(subscriber.messages("/live").isEmpty)
        #expect(
            subscriber.messages("/event").count <= 100, "events younger than 30 s may still be told, the newest hundred"
        )
        await node.publisher.stop()
    }

    @Test func `scenario 5: a dead connection is noticed, and the new one's online is the last status`() async throws {
        let broker = try Broker()
        try await broker.start()
        let proxy = try Proxy(to: broker.port)
        let subscriber = try await Subscriber(port: broker.port, topic: "spotter/#")
        let settings = MQTTSettings(
            port: proxy.port, keepaliveSeconds: 5, firstRetry: quick.first, lastRetry: quick.last)
        let node = try Node(settings)
        node.publisher.start()
        try await eventually("online") { subscriber.states().contains("online") }
        proxy.freeze()
        let begin = ContinuousClock.now
        try await eventually("noticed and connected anew", within: 45) {
            node.publisher.report.sid > 1 && node.publisher.report.isOnline
        }
        #expect(ContinuousClock.now - begin < .seconds(45))
        try await eventually("online") { subscriber.states().last == "online" }
        // The broker drops the old connection later and publishes its will, which must not remain the last status.
        // Nothing shows when that has happened, so wait.
        try await Task.sleep(for: .seconds(4))
        #expect(try subscriber.messages("sp-test/status").last?.json()["sid"] as? Int == Int(node.publisher.report.sid))
        #expect(subscriber.states().last == "online")
        await node.publisher.stop()
    }

    @Test func `an unresponsive broker blocks nobody: ten thousand messages are queued at once`() async throws {
        let silent = try SilentHost()
        let node = try Node(MQTTSettings(port: silent.port))
        node.publisher.start()
        try await eventually("swallowed") { silent.connections > 0 }
        let prediction = LivePrediction.example(keypoints: true)
        let begin = ContinuousClock.now
        var longest = Duration.zero
        for number in 0..<10_000 {
            let one = ContinuousClock.now
            node.publishState(number % 2 == 0 ? "squat" : "lunge")
            node.publisher.prediction(prediction, camera: "rack1")
            node.publisher.event(CameraEvent(.actionChanged, camera: "rack1", ts: Date()))
            longest = max(longest, .now - one)
        }
        let took = ContinuousClock.now - begin
        print("black hole: 30,000 calls took \(took), the longest three \(longest)")
        #expect(took < .seconds(5), "\(took)")
        // A generous limit for a machine busy with other tests; a blocked socket would block for seconds.
        #expect(longest < .milliseconds(500), "\(longest)")
        #expect(node.publisher.report.droppedEphemeral > 0)
        await node.publisher.stop()
    }

    @Test(arguments: [
        ("20010101000000Z", "20020101000000Z", "certificate has expired", "until 2002-01-01 00:00 UTC"),
        // This is how every certificate looks to a clock in 1970.
        ("20900101000000Z", "20910101000000Z", "not yet valid", "from 2090-01-01 00:00"),
    ])
    func `scenario 8: an expired or future certificate is refused with its validity and the node's time`(
        from: String, until: String, reason: String, time: String
    ) async throws {
        let broker = try Broker(port: Ports.free(), listener: "certfile %DIR%/server.pem\nkeyfile %DIR%/server.key")
        try Certificates.make(in: broker.directory)
        try Certificates.sign(in: broker.directory, from: from, until: until)
        try await broker.start()
        var settings = MQTTSettings(
            host: "localhost", port: broker.port, firstRetry: quick.first, lastRetry: quick.last)
        settings.tls = BrokerSettings.TLS(caFile: broker.directory.appendingPathComponent("ca.pem").path)
        let node = try Node(settings)
        node.publisher.start()
        try await eventually("told") { node.publisher.report.problem?.code == "mqtt_tls" }
        let message = try #require(node.publisher.report.problem?.message)
        let year = Calendar(identifier: .gregorian).component(.year, from: Date())
        #expect(message.contains(reason) && message.contains(time), "\(message)")
        #expect(message.contains("clock says \(year)-"), "\(message)")
        await node.publisher.stop()
    }

    @Test func `scenario 8: a broker may have a configured name instead of its address, and no other`() async throws {
        let broker = try Broker(port: Ports.free(), listener: "certfile %DIR%/server.pem\nkeyfile %DIR%/server.key")
        try Certificates.make(in: broker.directory)
        try await broker.start()
        var settings = MQTTSettings(
            host: "127.0.0.1", port: broker.port, firstRetry: quick.first, lastRetry: quick.last)
        settings.tls = BrokerSettings.TLS(
            caFile: broker.directory.appendingPathComponent("ca.pem").path, serverName: "localhost")
        let node = try Node(settings)
        node.publisher.start()
        try await eventually("online") { node.publisher.report.isOnline }
        await node.publisher.stop()

        settings.host = "localhost"
        settings.tls?.serverName = "hub.example"
        let stranger = try Node(settings)
        stranger.publisher.start()
        try await eventually("refused") { stranger.publisher.report.problem?.code == "mqtt_tls" }
        let message = try #require(stranger.publisher.report.problem?.message)
        #expect(
            message.contains("hostname mismatch: wanted hub.example, the certificate is for localhost"), "\(message)")
        #expect(!stranger.publisher.report.isOnline)
        await stranger.publisher.stop()
    }

    @Test(
        "a broker behind a shared address is asked for by its name",
        arguments: [(nil, "localhost"), ("hub.example", "hub.example")])
    func nameIndication(serverName: String?, asked: String) async throws {
        let folder = try Node.temporaryDirectory()
        defer { try? FileManager.default.removeItem(at: folder) }
        try Certificates.make(in: folder)
        let path = { (name: String) in folder.appendingPathComponent(name).path }
        let port = Ports.free()
        // With a second name the broker shows which one was requested.
        let listener = try Child(
            "/usr/bin/openssl",
            [
                "s_server", "-accept", "\(port)", "-cert", path("server.pem"), "-key", path("server.key"),
                "-servername", "another.example", "-cert2", path("server.pem"), "-key2", path("server.key"),
            ], input: .open)
        var settings = MQTTSettings(
            host: "localhost", port: port, firstRetry: quick.first, lastRetry: quick.last)
        settings.tls = BrokerSettings.TLS(caFile: path("ca.pem"), serverName: serverName)
        let node = try Node(settings)
        node.publisher.start()
        try await eventually("asked") {
            listener.output.lines.contains { $0.contains("Hostname in TLS extension: \"\(asked)\"") }
        }
        await node.publisher.stop()
    }

    @Test func `scenario 8: a wrong name and an unknown authority are reported, and a new file is used at once`()
        async throws
    {
        let broker = try Broker(
            port: Ports.free(), listener: "cafile %DIR%/ca.pem\ncertfile %DIR%/server.pem\nkeyfile %DIR%/server.key")
        try Certificates.make(in: broker.directory)
        try await broker.start()
        let path = { (name: String) in broker.directory.appendingPathComponent(name).path }
        var settings = MQTTSettings(
            host: "127.0.0.1", port: broker.port, firstRetry: quick.first, lastRetry: quick.last)
        settings.tls = BrokerSettings.TLS(caFile: path("ca.pem"))
        settings.fileCheckInterval = .milliseconds(100)
        // The certificate names localhost, not the address.
        let stranger = try Node(settings)
        stranger.publisher.start()
        try await eventually("wrong name") { stranger.publisher.report.problem?.code == "mqtt_tls" }
        await stranger.publisher.stop()

        settings.host = "localhost"
        settings.tls = BrokerSettings.TLS(caFile: path("own.pem"))
        let node = try Node(settings)
        node.publisher.start()
        try await eventually("no file at all, again and again") { node.publisher.report.problem?.code == "mqtt_config" }
        try run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=Another", "-keyout",
                path("own.key"), "-out", path("own.pem"),
            ])
        try await eventually("unknown CA") { node.publisher.report.problem?.code == "mqtt_tls" }
        try FileManager.default.copyItem(atPath: path("ca.pem"), toPath: path("right.pem"))
        #expect(rename(path("right.pem"), path("own.pem")) == 0)
        try await eventually("trusted now", log: node.log) { node.publisher.report.isOnline }
        let before = node.publisher.report.sid
        // A renewal during normal operation: the same certificates with a new file date.
        try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: path("own.pem"))
        try await eventually("connected anew with the renewed file") {
            node.publisher.report.sid > before && node.publisher.report.isOnline
        }
        #expect(node.log.contains { $0.contains("certificates or password changed") })
        await node.publisher.stop()
    }

    @Test func `commands that come faster than the broker takes answers are left out, and the node obeys again`()
        async throws
    {
        let broker = try LazyBroker(commands: 6_000)
        let node = try Node(MQTTSettings(port: broker.port, firstRetry: quick.first, lastRetry: quick.last))
        node.publisher.start()
        try await eventually("flooded", log: node.log) { node.publisher.report.droppedEphemeral > 3_000 }
        try await eventually("told") { node.log.contains { $0.contains("faster than the broker takes the answers") } }
        // libmosquitto sends twenty at a time; nothing was acknowledged.
        // A node that has to connect again gets all commands again.
        #expect(node.publisher.report.droppedEphemeral < 6_000 * broker.floods)
        #expect(broker.answers.count <= 20 * broker.floods)
        broker.acknowledge()
        try await eventually("answered again") { broker.answers.contains { $0.contains("\"last\"") } }
        await node.publisher.stop()
    }

    @Test func `purging a former site leaves alone what the node uses at the new one`() async throws {
        let broker = try Broker()
        try await broker.start()
        for site in ["berlin", "hamburg"] {
            let node = try Node(MQTTSettings(port: broker.port, site: site), node: "sp-moved")
            try node.publishEverything()
            node.publisher.start()
            try await eventually("online at \(site)") { node.publisher.report.isOnline }
            await node.publisher.stop()
        }
        let probe = try MQTTProbe(BrokerSettings(port: broker.port))
        defer { probe.disconnect() }
        let old = try Purge(prefix: "spotter", site: "berlin", node: "sp-moved").keptTopics(probe)
        #expect(old.count == 7 && old.allSatisfy { $0.hasPrefix("spotter/v1/berlin/sp-moved/") }, "\(old)")
        let new = try Purge(prefix: "spotter", site: "hamburg", node: "sp-moved").keptTopics(probe)
        #expect(new.count == 8 && new.first == "homeassistant/device/spotter_sp-moved/config", "\(new)")
    }

    @Test func `a search for retained messages does not wait for a node that goes on talking`() async throws {
        let broker = try Broker()
        try await broker.start()
        let isOver = Mutex(false)
        let talker = Thread {
            let probe = try? MQTTProbe(BrokerSettings(port: broker.port))
            for number in 0..<300 {
                try? probe?.publish("\(number)", to: "spotter/v1/gym/sp-talks/cam/camera1/live", retain: false)
                Thread.sleep(forTimeInterval: 0.1)
            }
            isOver.withLock { $0 = true }
        }
        talker.start()
        let probe = try MQTTProbe(BrokerSettings(port: broker.port))
        try probe.publish("{}", to: "spotter/v1/gym/sp-talks/info", retain: true)
        let purge = try Purge(prefix: "spotter", site: "gym", node: "sp-talks")
        #expect(try purge.keptTopics(probe) == ["spotter/v1/gym/sp-talks/info"])
        #expect(!isOver.withLock { $0 }, "it waited for half a second of silence")
    }

    @Test func `a probe deletes a node's retained messages, and nothing else`() async throws {
        let broker = try Broker()
        try await broker.start()
        let nodes = try ["sp-gone", "sp-stays"].map { try Node(MQTTSettings(port: broker.port), node: $0) }
        for node in nodes {
            try node.publishEverything()
            node.publisher.start()
        }
        try await eventually("both online") { nodes.allSatisfy { $0.publisher.report.isOnline } }
        let purge = try Purge(prefix: "spotter", site: "gym", node: "sp-gone")
        let probe = try MQTTProbe(BrokerSettings(port: broker.port))
        #expect(try purge.isOnline(probe))
        for node in nodes { await node.publisher.stop() }
        #expect(try !purge.isOnline(probe))
        let kept = try purge.keptTopics(probe)
        #expect(kept.count == 8 && kept.first == "homeassistant/device/spotter_sp-gone/config", "\(kept)")
        try purge.remove(kept, probe)
        probe.disconnect()
        let subscriber = try await Subscriber(port: broker.port)
        let topics = Set(subscriber.messages.filter(\.retained).map(\.topic))
        #expect(!topics.contains { $0.contains("sp-gone") } && topics.filter { $0.contains("sp-stays") }.count == 8)
    }
}
