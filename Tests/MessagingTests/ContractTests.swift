import Foundation
import History
import Messaging
import Records
import Testing

/// Compares the node's messages with the contract.
@Suite struct ContractTests {
    /// The folder with the generated contract.
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../deploy/contract").standardizedFileURL

    private func schema(_ name: String) throws -> SchemaCheck {
        try SchemaCheck(try #require(try MQTTContract.schemas().first { $0.name == name }?.text))
    }

    @Test func `every message has a schema, and every schema a message`() throws {
        #expect(try MQTTContract.schemas().map(\.name) == MQTTContract.messages.map(\.name))
    }

    @Test func `the shipped files are what the program prints`() throws {
        for (name, text) in try MQTTContract.schemas() + [("asyncapi", MQTTContract.asyncAPI())] {
            let file = Self.folder.appending(path: name == "asyncapi" ? "asyncapi.json" : "\(name).schema.json")
            let shipped = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? NSDictionary
            let printed = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary
            #expect(shipped == printed, "\(name): run `spotter contract schemas --output deploy/contract`")
        }
    }

    @Test func `every fault in the table has the tests listed there`() throws {
        let table = try String(contentsOf: Self.folder.appending(path: "SCENARIOS.md"), encoding: .utf8)
        let rows = table.matches(of: /(?m)^\| (\d+) \|.*\| ([^|]*) \|$/)
        #expect(rows.map { Int($0.1) } == Array(1...40))
        let tests = Self.folder.appending(path: "../../Tests")
        let files =
            FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL } ?? []
        for row in rows {
            let suites = row.2.matches(of: /`(\w+Tests)`/).map { String($0.1) }
            let texts = try suites.compactMap { suite in files.first { $0.lastPathComponent == "\(suite).swift" } }
                .map { try String(contentsOf: $0, encoding: .utf8) }
            #expect(texts.contains { $0.contains("scenario \(row.1):") }, "scenario \(row.1) in \(suites)")
        }
    }

    @Test func `the schema check finds errors`() throws {
        let status = try schema("status")
        #expect(try status.problems(in: #"{"v":1,"state":"offline","sid":4711}"#).isEmpty)
        for wrong in [
            "[]", #"{"v":2,"state":"offline","sid":1}"#, #"{"v":1,"state":"gone","sid":1}"#,
            #"{"v":1,"state":"online"}"#,
            #"{"v":1,"state":"online","sid":-1}"#, #"{"v":1,"state":"online","sid":1.5}"#,
            #"{"v":1,"state":"online","sid":1,"ts":"today"}"#, #"{"v":1,"state":"online","sid":1,"new":1}"#,
            #"{"v":true,"state":"online","sid":true}"#,
        ] { #expect(try !status.problems(in: wrong).isEmpty, "\(wrong)") }
        #expect(try schema("cam_enabled").problems(in: "\"ON\"").isEmpty)
        #expect(try !schema("cam_enabled").problems(in: "\"on\"").isEmpty)
    }

    @Test func `the contract's own examples match their schemas`() throws {
        let examples = [
            (
                "status",
                #"{"v":1,"state":"online","sid":4711,"boot":"7c1e0f5a","ts":"2026-11-21T18:03:22.114Z","clock":"synced"}"#
            ),
            (
                "cam_counts",
                #"{"v":1,"day":"2026-11-21","tz":"Europe/Berlin","sessions":7,"frames":{"squat":5400},"seconds":{"squat":180.0},"reps":{"squat":96},"excluded_frames":{"dropped":12},"rev":311}"#
            ),
            (
                "rec_gap",
                #"{"v":1,"node":"sp-k3v9q2m1xa","site":"gym-berlin","epoch":"019aa0c4-6d2e-7c11-9f00-3f6a2c1d9e55","seq":18240,"type":"gap","id":"019aa0f0-7c55-7b02-8a3c-2b9d4f6e1a08","rev":1,"final":true,"ts":"2026-11-21T19:00:00.000Z","clock":"synced","hist":false,"body":{"from_seq":18232,"to_seq":18239,"reason":"retention","records":8}}"#
            ),
            ("cmd", #"{"id":"c-7f3a","args":{"camera":"rack1","enabled":false},"exp":"2026-11-21T18:05:00Z"}"#),
            (
                "res",
                #"{"v":1,"id":"c-7f3b","cmd":"camera_set","status":"error","error":{"code":"unknown_camera","message":"m","retryable":false},"ts":"2026-11-21T18:04:33.511Z"}"#
            ),
            ("res", #"{"v":1,"id":null,"cmd":"ping","status":"ok","data":{},"ts":"2026-11-21T18:04:33.511Z"}"#),
            ("ack", #"{"epoch":"019aa0c4-6d2e-7c11-9f00-3f6a2c1d9e55","seq":18231}"#),
        ]
        for (name, text) in examples { #expect(try schema(name).problems(in: text) == [], "\(name)") }
    }

    @Test(.enabled(if: Broker.isInstalled))
    func `every message of a busy node has the contract's topic, qos, retain flag, expiry and schema`()
        async throws
    {
        let broker = try Broker()
        try await broker.start()
        let subscriber = try await Subscriber(port: broker.port, topic: "spotter/#")
        var settings = MQTTSettings(port: broker.port)
        settings.keypoints = true
        settings.log = true
        let node = try Node(settings)
        node.publisher.start()
        try node.publishEverything()
        // What is heard now or never is dropped before.
        try await eventually("online") { node.publisher.report.isOnline }
        try node.record()
        node.writer.credit(.example, camera: "rack1", wall: Date(), now: .now)
        node.writer.enqueue(.gone(camera: "rack1", at: Date() - 5, reason: "unplugged"), now: .now)
        node.writer.enqueue(.present(camera: "rack1", at: Date()), now: .now)
        _ = try node.writer.flush(now: .now, wall: Date())
        try node.sql("DELETE FROM record WHERE seq = 1")
        _ = try node.store.records.declareHoles(in: 1...1, wall: Date())
        node.publisher.recordsAvailable()
        node.publisher.health(.example(Date()))
        try run(
            "/usr/bin/mosquitto_pub",
            ["-p", "\(broker.port)", "-q", "1", "-t", "spotter/v1/gym/sp-test/cmd/info", "-m", #"{"id":"a"}"#])
        try node.record()
        try node.workout()
        node.publisher.preview(Array("a picture".utf8), camera: "rack1")
        node.publisher.log(LogPayload(level: "warning", message: "rtsp://user:secret@camera/1 is lost", ts: Date()))
        node.publisher.prediction(.example(keypoints: true), camera: "rack1")
        node.publisher.event(CameraEvent(.setCompleted, camera: "rack1", ts: Date(), action: "squat", reps: 12))
        node.publisher.occupancy(
            OccupancyPayload(people: 3, usual: UsualOccupancy(people: 4.5, weeks: 8), ts: Date()))
        node.publisher.alarms([
            Alarm(
                id: UUIDv7.string(at: Date()), camera: "rack1", zone: "mat", cause: .fall, since: Date() - 9,
                raised: Date())
        ])
        let said = MQTTContract.messages.filter { !$0.isSubscribed }
        for message in said {
            let leaf = message.topic.replacing("{camera}", with: "rack1").replacing("{command}", with: "info")
            try await eventually(leaf) { !subscriber.messages("sp-test/\(leaf)").isEmpty }
            let check = try schema(message.name)
            for heard in subscriber.messages("sp-test/\(leaf)") {
                let text =
                    ["cam_enabled", "cam_preview"].contains(message.name) ? "\"\(heard.payload)\"" : heard.payload
                #expect(try check.problems(in: text) == [], "\(leaf): \(heard.payload)")
                #expect(heard.qos == message.qos && !heard.retained, "\(leaf)")
                if let expiry = message.expirySeconds {
                    #expect(Int(heard.expiry) ?? 0 <= expiry && !heard.expiry.isEmpty)
                }
            }
        }
        #expect(subscriber.messages("/log").allSatisfy { !$0.payload.contains("secret") })
        let late = try await Subscriber(port: broker.port, topic: "spotter/#")
        let kept = Set(
            said.filter(\.isRetained).map { "spotter/v1/gym/sp-test/" + $0.topic.replacing("{camera}", with: "rack1") })
        try await eventually("what is kept") { Set(late.messages.filter(\.retained).map(\.topic)).isSuperset(of: kept) }
        #expect(Set(late.messages.filter { $0.retained && $0.topic.hasPrefix("spotter/") }.map(\.topic)) == kept)
        await node.publisher.stop()
    }
}

extension LivePrediction {
    static func example(keypoints: Bool) -> LivePrediction {
        LivePrediction(
            time: Date(), frames: 0...59, credited: 10, label: "squat", confidence: 0.94, poseShare: 1, track: 1,
            keypoints: keypoints ? Array(repeating: [0.123456, 0.5, 0.99], count: 18) : nil)
    }
}
