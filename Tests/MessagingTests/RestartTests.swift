import Foundation
import History
import Messaging
import Records
import Testing

/// Retained messages that a killed node left at the broker.
@Suite(.enabled(if: Broker.isInstalled, "mosquitto is not installed: apt install mosquitto mosquitto-clients"))
struct RestartTests {
    @Test func `messages left by a crashed run are corrected before online`() async throws {
        let broker = try Broker()
        try await broker.start()
        let base = "spotter/v1/gym/sp-test/cam/rack1"
        let since = "2026-11-21T18:04:01.000Z"
        for (leaf, payload) in [
            ("status", #"{"v":1,"state":"online","since":"\#(since)","sid":3}"#),
            (
                "state",
                #"{"v":1,"action":"squat","confidence":0.9,"people":1,"session":"019aa0d1-22b0-7f3e-8d51-0c1f6e2b7a90","since":"\#(since)","ts":"\#(since)"}"#
            ),
            (
                "counts",
                #"{"v":1,"day":"2026-11-21","tz":"UTC","sessions":9,"frames":{},"seconds":{},"reps":{},"excluded_frames":{},"rev":9}"#
            ),
        ] {
            try run("/usr/bin/mosquitto_pub", ["-p", "\(broker.port)", "-r", "-t", "\(base)/\(leaf)", "-m", payload])
        }
        let subscriber = try await Subscriber(port: broker.port, topic: "spotter/#")
        let node = try Node(MQTTSettings(port: broker.port))
        // The camera is not open yet: the agent has published its cameras, but no predictions.
        node.publisher.info(.example)
        node.publisher.cameraEnabled(true, camera: "rack1")
        node.publisher.start()
        try await eventually("online") { subscriber.states().contains("online") }
        let heard = subscriber.messages
        let online = try #require(
            heard.firstIndex { $0.topic == "spotter/v1/gym/sp-test/status" && $0.payload.contains("\"online\"") })
        let before = heard[..<online]
        let last = { (leaf: String) in try before.last { $0.topic == "\(base)/\(leaf)" }?.json() }
        let status = try #require(try last("status"))
        #expect(status["state"] as? String == "offline" && status["reason"] as? String == "starting")
        let state = try #require(try last("state"))
        #expect(state["action"] as? String == "starting" && state["session"] == nil && state["people"] as? Int == 0)
        let counts = try #require(try last("counts"))
        #expect(counts["sessions"] as? Int == 0 && counts["day"] as? String != "2026-11-21")
        await node.publisher.stop()
    }

    @Test func `a camera that is switched off is reported as disabled, and known values are not overwritten`()
        async throws
    {
        let broker = try Broker()
        try await broker.start()
        let subscriber = try await Subscriber(port: broker.port, topic: "spotter/#")
        let node = try Node(MQTTSettings(port: broker.port))
        var info = InfoPayload.example
        info.cameras.append(info.cameras[0])
        info.cameras[1].id = "rack2"
        node.publisher.info(info)
        node.publisher.cameraEnabled(false, camera: "rack2")
        node.publisher.cameraStatus(CameraStatus(state: .online, since: Date()), camera: "rack1")
        node.publisher.start()
        try await eventually("online") { subscriber.states().contains("online") }
        #expect(try subscriber.messages("rack2/status").map { try $0.json()["state"] as? String } == ["disabled"])
        #expect(try subscriber.messages("rack1/status").map { try $0.json()["state"] as? String } == ["online"])
        #expect(subscriber.messages("rack1/enabled").map(\.payload) == ["ON"])
        await node.publisher.stop()
    }

    @Test func `info has no keys that never apply`() async throws {
        let info = try #require(
            try JSONSerialization.jsonObject(with: Data(JSONText.encode(InfoPayload.example).utf8)) as? [String: Any])
        #expect(info["build"] == nil && info["restart_required"] == nil)
    }
}
