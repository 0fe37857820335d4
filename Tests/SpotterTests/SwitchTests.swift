import Foundation
import TestSupport
import Testing

/// Switch commands that come at once, and in a flood.
@Suite(.serialized) struct SwitchTests {
    private let folder: TemporaryFolder
    private let broker: Broker
    private let configuration: String
    private static let cameras = ["rack1", "rack2", "rack3", "rack4"]

    init() throws {
        folder = try TemporaryFolder()
        broker = try Broker(in: folder.url)
        let stream = folder.file("demo.poses.jsonl")
        try GroundTruth(clip: "demo").writePoseStream(to: stream)
        let cameras = Self.cameras.map { "[[camera]]\nid = \"\($0)\"\nsource = \"\(stream.path)\"\n" }.joined()
        configuration = folder.file("config.toml").path
        let text = """
            \(cameras)
            [history]
            path = "\(folder.file("spotter.db").path)"
            [mqtt]
            host = "127.0.0.1"
            port = \(broker.port)
            [commands]
            allow = ["ping", "camera_set", "session_end"]
            """
        try Data(text.utf8).write(to: URL(filePath: configuration))
    }

    private func start() throws -> Child {
        let process = try Program.start(["run", "--config", configuration, "--realtime", "--quiet"])
        #expect(
            try broker.wait { messages in
                Self.cameras.allSatisfy { id in messages.contains { $0.topic == "cam/\(id)/live" } }
            })
        return process
    }

    private func node() throws -> String {
        try #require(try broker.messages().first { $0.topic == "info" }?.payload["node"] as? String)
    }

    private func enabled() throws -> [String: Bool] {
        let info = try #require(try broker.messages().last { $0.topic == "info" })
        let cameras = try #require(info.payload["cameras"] as? [[String: Any]])
        return Dictionary(
            uniqueKeysWithValues: cameras.map { ($0["id"] as? String ?? "", $0["enabled"] as? Bool ?? true) })
    }

    @Test func `four cameras that are switched off at once are all off, and stay so after a restart`() throws {
        let process = try start()
        let node = try node()
        // One connection, four messages in one go, as an automation for all cameras sends them.
        let script = Self.cameras.enumerated().map { index, camera in
            index % 2 == 0
                ? "c.publish('spotter/v1/gym/\(node)/cam/\(camera)/enabled/set', 'OFF', 1)"
                : "c.publish('spotter/v1/gym/\(node)/cmd/camera_set', "
                    + "'{\"id\":\"off\(index)\",\"args\":{\"camera\":\"\(camera)\",\"enabled\":false}}', 1)"
        }.joined(separator: "; ")
        try publish(script)
        #expect(
            try broker.wait { messages in
                messages.filter { $0.topic == "res/camera_set" && $0.payload["status"] as? String == "ok" }.count == 2
            })
        #expect(try broker.wait { _ in try enabled().values.allSatisfy { !$0 } }, "a camera is on")
        process.terminate()
        #expect(process.wait() == 0)
        let note = try Program.sqlite(folder.file("spotter.db").path, "SELECT v FROM meta WHERE k = 'camera_switches'")
        for camera in Self.cameras { #expect(note.first?.contains("\"\(camera)\":false") == true, "\(note)") }
    }

    @Test func `cameras switched off and on at once continue, recordings too`() throws {
        let process = try start()
        defer {
            process.terminate()
            process.wait()
        }
        // Switch on before the stopped recording has ended: that end must not count as the recording's last frame.
        // The pauses vary how far the first command has got when the second arrives.
        let names = Self.cameras.map { "'\($0)'" }.joined(separator: ", ")
        try publish(
            "[(c.publish(f'spotter/v1/gym/\(try node())/cam/{k}/enabled/set', 'OFF', 1), time.sleep(i % 5 * 0.003), "
                + "c.publish(f'spotter/v1/gym/\(try node())/cam/{k}/enabled/set', 'ON', 1), time.sleep(0.05)) "
                + "for i in range(20) for k in (\(names))]")
        #expect(
            try broker.wait { messages in
                messages.contains { $0.topic == "res/ping" && $0.payload["id"] as? String == "after" }
            })
        #expect(process.isRunning)
        #expect(try broker.wait { _ in try enabled().values.allSatisfy { $0 } })
        #expect(try broker.messages().allSatisfy { $0.payload["event"] as? String != "camera_lost" })
    }

    @Test func `a flood of switch commands takes no memory, and the last one wins`() throws {
        let process = try start()
        defer {
            process.terminate()
            process.wait()
        }
        let before = try memory(of: process)
        let node = try node()
        try publish(
            "[c.publish('spotter/v1/gym/\(node)/cam/rack1/enabled/set', 'OFF' if i % 2 else 'ON', 1) for i in range(6000)]"
        )
        #expect(
            try broker.wait { messages in
                messages.contains { $0.topic == "res/ping" && $0.payload["id"] as? String == "after" }
            })
        #expect(try broker.wait { _ in try enabled()["rack1"] == false })
        let after = try memory(of: process)
        #expect(after - before < 60, "from \(before) to \(after) MB")
    }

    private func publish(_ script: String) throws {
        let line = """
            import paho.mqtt.client as mqtt, time
            try: c = mqtt.Client(mqtt.CallbackAPIVersion.VERSION1)
            except AttributeError: c = mqtt.Client()
            c.max_inflight_messages_set(1000)
            c.connect('127.0.0.1', \(broker.port)); c.loop_start()
            \(script)
            m = c.publish('spotter/v1/gym/\(try node())/cmd/ping', '{"id":"after"}', 1)
            m.wait_for_publish(); c.loop_stop()
            """
        let answer = try Program.tool("/usr/bin/python3", ["-c", line])
        #expect(answer.isEmpty, "\(answer)")
    }

    /// Resident memory in MB.
    private func memory(of process: Child) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process.id)/statm", encoding: .utf8)
        return (Int(text.split(separator: " ")[1]) ?? 0) * 4096 >> 20
    }
}
