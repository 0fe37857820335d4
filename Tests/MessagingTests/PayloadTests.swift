import Broker
import Contract
import Foundation
import History
import Messaging
import Testing

/// Compares the keys of each payload with the contract's own examples.
@Suite(.enabled(if: Broker.isInstalled, "mosquitto is not installed: apt install mosquitto mosquitto-clients"))
struct PayloadTests {
    @Test func `all payloads have the contract's keys and no others`() async throws {
        let broker = try Broker()
        try await broker.start()
        let subscriber = try await Subscriber(port: broker.port, topic: "spotter/#")
        let node = try Node(MQTTSettings(port: broker.port))
        node.publisher.start()
        try await eventually("online") { node.publisher.report.isOnline }
        try publishEverything(node)
        for (suffix, example) in Self.examples {
            try await eventually(suffix) { !subscriber.messages(suffix).isEmpty }
            let heard = try #require(subscriber.messages(suffix).last)
            let wanted = try #require(
                try JSONSerialization.jsonObject(with: Data(example.utf8)) as? [String: Any], "\(suffix)")
            #expect(try Set(heard.json().keys) == Set(wanted.keys), "\(suffix)")
            #expect(try shape(heard.json()) == shape(wanted), "\(suffix)")
            #expect(heard.payload.utf8.count < 8192)
        }
        await node.publisher.stop()
    }

    private func publishEverything(_ node: Node) throws {
        let now = Date()
        node.publisher.info(.example)
        node.publisher.cameraStatus(
            CameraStatus(
                state: .offline, reason: "no_frames", since: now, device: "/dev/v4l/by-id/x", retryInSeconds: 8),
            camera: "rack1")
        node.publisher.cameraState(
            CameraState(action: "squat", confidence: 0.94, people: 1, session: "s", since: now, reps: 12, ts: now),
            camera: "rack1")
        var row = DayRow(day: "2026-11-21", camera: "rack1")
        row.frames = ["squat": 5400]
        row.seconds = ["squat": 180]
        row.reps = ["squat": 96]
        row.excludedFrames = ["no_person": 41_200]
        node.publisher.counts(row)
        node.publisher.prediction(
            LivePrediction(
                time: now, frames: 53110...53169, credited: 10, label: "squat", confidence: 0.94, poseShare: 0.97,
                track: 1), camera: "rack1")
        node.publisher.event(
            CameraEvent(
                .sessionEnded, camera: "rack1", ts: now, session: "s", topAction: "squat", seconds: 451.8,
                reason: "idle"))
        node.publisher.health(.example(now))
    }

    /// The JSON type of each key's value.
    private func shape(_ object: [String: Any]) -> [String: String] {
        object.mapValues { value in
            switch value {
            case is String: "string"
            case is [Any]: "list"
            case is [String: Any]: "object"
            default: "number"
            }
        }
    }

    private static let examples: [(String, String)] = [
        (
            "sp-test/status",
            #"{"v":1,"state":"online","sid":4711,"boot":"7c1e0f5a","run":"1f","ts":"","clock":"synced"}"#
        ),
        (
            "/info",
            #"{"v":1,"node":"n","site":"s","name":"","tz":"","sw":"","contract":1,"boot":"","#
                + #""started":"","epoch":"","seq":1,"model":{},"cameras":[],"limits":{},"commands":[],"#
                + #""privacy":{},"config_sha256":"","host":{}}"#
        ),
        (
            "cam/rack1/status",
            #"{"v":1,"state":"offline","reason":"no_frames","since":"","device":"","retry_in_s":8,"sid":4711}"#
        ),
        (
            "/state",
            #"{"v":1,"action":"squat","confidence":0.94,"people":1,"session":"","since":"","reps":12,"ts":""}"#
        ),
        (
            "/counts",
            #"{"v":1,"day":"","tz":"","sessions":7,"frames":{},"seconds":{},"reps":{},"excluded_frames":{},"rev":311}"#
        ),
        ("/live", #"{"v":1,"t":"","f":[53110,53169],"n":10,"a":"squat","c":0.94,"p":0.97,"k":1}"#),
        (
            "/event",
            #"{"v":1,"event_type":"session_ended","id":"","session":"","camera":"rack1","ts":"","#
                + #""top_action":"squat","seconds":451.8,"reason":"idle"}"#
        ),
        (
            "/health",
            #"{"v":1,"ts":"","uptime_s":62,"ok":false,"problems":[],"cpu_pct":61.2,"mem_mb":312,"#
                + #""load1":2.1,"temp_c":66.5,"throttled":false,"disk_free_mb":11823,"db_mb":48,"wal_mb":0.6,"#
                + #""commits":7,"written_mb":1.5,"outbox":{},"mqtt":{},"clock":{},"cams":{}}"#
        ),
    ]
}

extension HealthPayload {
    static func example(_ now: Date) -> HealthPayload {
        let camera = Camera(
            fpsIn: 0, fpsProcessed: 0, stride: 1, skipped: 0, dropped: 0, inferMillisecondsP50: 0,
            inferMillisecondsP95: 0,
            lastFrameSeconds: 21.4)
        var health = HealthPayload(
            ts: now, uptimeSeconds: 62, problems: [Problem(code: "camera_offline", camera: "rack1", since: now)],
            cams: ["rack1": camera])
        health.cpuPercent = 61.2
        health.memoryMB = 312
        health.load1 = 2.1
        health.temperatureCelsius = 66.5
        health.throttled = false
        health.diskFreeMB = 11_823
        health.databaseMB = 48
        health.walMB = 0.6
        health.commits = 7
        health.writtenMB = 1.5
        health.clock = Clock(state: "synced", offsetMilliseconds: 3)
        return health
    }
}

@Suite struct TopicTests {
    @Test(arguments: [
        // The node's own answers, and topics of no node.
        ("spotter/v1/gym/sp-test/res/ping", true), ("spotter/v1/gym/sp-test/res/hall/7", true),
        ("my/answers", true), ("clients/hall-7/res", true), ("spotters/x", true), ("homeassistants/x", true),
        // Topics on which this node or another publishes or listens.
        ("spotter/v1/gym/sp-test/status", false), ("spotter/v1/gym/sp-test/rec/session", false),
        ("spotter/v1/gym/sp-test/cam/rack1/state", false), ("spotter/v1/gym/sp-test/ack/hq", false),
        ("spotter/v1/gym/sp-test/cmd/restart", false), ("spotter/v1/gym/sp-2/cmd/restart", false),
        ("spotter/v1/gym/sp-2/res/ping", false), ("spotter/v1/gym/sp-2/status", false), ("spotter/v1/gym/x", false),
        ("spotter/v1/gym/hq/answers", true), ("spotter/v1/gym/hq/cmd/x", false), ("spotter/v1/gym//answers", false),
        ("spotter/v1/other/hq/answers", false), ("spotter/v1/gym/hq/", true),
        ("spotter", false), ("spotter/v1/gym/sp-test/res/cmd/x", false),
        // Topics that command or inform other systems.
        ("other/v1/gym/sp-3/cmd/restart", false), ("zigbee2mqtt/lamp/set", false),
        ("homeassistant/device/x/config", false), ("homeassistant", false), ("homeassistant/status", false),
        // Names that are not valid topics for publishing.
        ("$SYS/broker", false), ("$share/g/x", false), ("a/+/b", false), ("a/#", false), ("", false), ("a\nb", false),
        (String(repeating: "x", count: 513), false),
    ])
    func `an answer may go below the node's own res or outside all nodes, never to a command topic`(
        topic: String, isAllowed: Bool
    ) throws {
        #expect(try Topics(site: "gym", node: "sp-test").mayAnswer(on: topic) == isAllowed)
        let own = try Topics(prefix: "gyms/berlin", site: "gym", node: "sp-test")
        #expect(!own.mayAnswer(on: "gyms/berlin/v1/gym/sp-2/status"))
        #expect(own.mayAnswer(on: "gyms/berlin/v1/gym/sp-test/res/x"))
    }

    @Test(arguments: ["gym", "gym-berlin", "sp-k3v9q2m1xa", "0", "a_b", String(repeating: "x", count: 63)])
    func `these ids are usable`(id: String) {
        #expect(Topics.isId(id))
    }

    @Test(arguments: [
        "", "-a", "_a", "Gym", "a b", "a/b", "a+", "#", "ä", "💪", "a\n", String(repeating: "x", count: 64),
    ])
    func `these ids are refused with a suggestion`(id: String) throws {
        #expect(!Topics.isId(id))
        #expect(Topics.isId(Topics.suggestion(for: id)))
        let error = #expect(throws: BrokerError.self) { try Topics(site: "gym", node: id) }
        #expect(error == .invalidId(kind: "node id", value: id))
        #expect(error?.description.contains("such as") == true)
        #expect(throws: BrokerError.self) { try Topics.check(camera: id) }
    }

    @Test(arguments: ["", "a//b", "/a", "a/", "a/+/b", "#", "A"])
    func `these prefixes are refused`(prefix: String) {
        #expect(throws: BrokerError.invalidPrefix(prefix)) { try Topics(prefix: prefix, site: "gym", node: "n") }
    }

    @Test func `topics are those of the contract`() throws {
        let topics = try Topics(prefix: "my/spotter", site: "gym-berlin", node: "sp-1")
        #expect(topics.status == "my/spotter/v1/gym-berlin/sp-1/status")
        #expect(topics.camera("rack1", .counts) == "my/spotter/v1/gym-berlin/sp-1/cam/rack1/counts")
        #expect(topics.record("session") == "my/spotter/v1/gym-berlin/sp-1/rec/session")
        #expect(topics.acknowledgement(of: "hq") == "my/spotter/v1/gym-berlin/sp-1/ack/hq")
    }

    @Test func `invalid settings are refused before anything starts`() {
        #expect(throws: BrokerError.invalidPort(0)) { try MQTTSettings(port: 0).validate() }
        #expect(throws: BrokerError.invalidPort(99_999)) { try MQTTSettings(port: 99_999).validate() }
        let half = MQTTSettings(tls: BrokerSettings.TLS(certificateFile: "/c.pem"))
        #expect(throws: BrokerError.incompleteClientCertificate) { try half.validate() }
    }
}

@Suite struct RetainedTopicTests {
    private let t0 = ContinuousClock.now

    private func state(_ action: String, confidence: Double = 0.9, ts: Double = 0) -> RetainedValue {
        let date = Date(timeIntervalSince1970: ts)
        return .state(CameraState(action: action, confidence: confidence, people: 1, since: date, ts: date))
    }

    @Test func `a change is sent at once, the next one a second later, an unchanged value only as heartbeat`() throws {
        var topic = RetainedTopic(topic: "t", minimum: .seconds(1), heartbeat: .seconds(60))
        #expect(!topic.isDue(t0))
        topic.set(state("squat"))
        #expect(topic.isDue(t0))
        _ = try topic.nextMessage(t0, sid: 1, timeZone: .gmt)
        topic.set(state("squat", confidence: 0.7, ts: 5))
        #expect(!topic.isDue(t0 + .seconds(5)), "another confidence or time is no change")
        topic.set(state("lunge"))
        #expect(!topic.isDue(t0 + .milliseconds(900)))
        #expect(topic.isDue(t0 + .milliseconds(900), hurry: true))
        topic.set(state("push_up"))
        #expect(topic.isDue(t0 + .seconds(1)))
        let message = try topic.nextMessage(t0 + .seconds(1), sid: 1, timeZone: .gmt)
        #expect(message?.payload.contains("push_up") == true && message?.retain == true)
        #expect(!topic.isDue(t0 + .seconds(60)))
        #expect(topic.isDue(t0 + .seconds(61)))
    }

    @Test func `a change that is reverted before it was due is not sent`() throws {
        var topic = RetainedTopic(topic: "t", minimum: .seconds(10))
        topic.set(.counts(DayRow(day: "d", camera: "c")))
        _ = try topic.nextMessage(t0, sid: 1, timeZone: .gmt)
        topic.set(.counts(DayRow(day: "e", camera: "c")))
        #expect(!topic.isDue(t0 + .seconds(9)) && topic.isDue(t0 + .seconds(10)))
        topic.set(.counts(DayRow(day: "d", camera: "c")))
        #expect(!topic.isDue(t0 + .seconds(10)))
    }
}
