import Foundation
import Poses
import TestSupport
import Testing

/// Somebody falls in front of a node that runs.
@Suite struct AlarmTests {
    private let folder: TemporaryFolder
    private var database: String { folder.file("spotter.db").path }
    private var configuration: String { folder.file("config.toml").path }

    init() throws {
        folder = try TemporaryFolder()
        try writeStream()
    }

    /// A person who stands for four seconds, tips over within one and lies there.
    private func writeStream() throws {
        // Along the body and across it, in own heights, in the order of `Joint`.
        let joints: [(Double, Double)] = [
            (1, 0.02), (0.86, 0), (0.86, 0.08), (0.68, 0.1), (0.5, 0.1), (0.86, -0.08), (0.68, -0.1), (0.5, -0.1),
            (0.53, 0.06), (0.27, 0.06), (0, 0.06), (0.53, -0.06), (0.27, -0.06), (0, -0.06), (1.02, 0.01),
            (1.02, -0.01), (1, 0.03), (1, -0.03),
        ]
        let names = Joint.names.map { "\"\($0)\"" }.joined(separator: ",")
        var lines = [
            #"{"format":"spotter.poses","version":1,"joints":[\#(names)],"rate_hz":30,"width":640,"height":480,"source":"fall.mp4"}"#
        ]
        for frame in 0..<(90 * 30) {
            let time = Double(frame) / 30
            let angle = min(max(time - 4, 0), 1) * 1.54
            let points = joints.map { along, across in
                let (right, up) = (along * sin(angle) + across * cos(angle), along * cos(angle) - across * sin(angle))
                return "[\(0.3 + 0.5 * right * 0.75),\(0.9 - 0.5 * up),0.95]"
            }
            lines.append(
                #"{"t":\#(time),"poses":[{"track":1,"keypoints":[\#(points.joined(separator: ","))]}]}"#)
        }
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: folder.file("fall.poses.jsonl"))
    }

    private func write(broker: Int, enabled: Bool = true) throws {
        let text = """
            [node]
            site = "berlin"
            id = "sp-alarm"
            [[camera]]
            id = "rack-1"
            source = "\(folder.file("fall.poses.jsonl").path)"
            [alarm]
            enabled = \(enabled)
            fall_seconds = 3
            [history]
            path = "\(database)"
            [mqtt]
            port = \(broker)
            [commands]
            remote_control = true
            """
        try Data(text.utf8).write(to: folder.file("config.toml"))
    }

    private func spotter(_ arguments: String...) throws -> Program.Result {
        try Program.run(arguments + ["--config", configuration])
    }

    private func open(_ broker: Broker) throws -> [[String: Any]]? {
        try broker.messages().last { $0.topic == "alarm" }?.payload["open"] as? [[String: Any]]
    }

    @Test func `a fall is told everywhere, outlives a restart, and is acknowledged`() throws {
        let broker = try Broker(in: folder.url)
        try write(broker: broker.port)
        let first = try Program.start(["run", "--config", configuration, "--realtime", "--quiet"])
        #expect(try broker.wait { $0.contains { $0.payload["event_type"] as? String == "person_down" } })
        let event = try broker.messages().last { $0.payload["event_type"] as? String == "person_down" }?.payload
        let id = try #require(event?["alarm"] as? String)
        #expect(event?["reason"] as? String == "fall" && event?["camera"] as? String == "rack-1")
        #expect(try open(broker)?.map { $0["id"] as? String } == [id])
        #expect(try broker.wait { _ in try Program.sqlite(database, "SELECT id FROM alarm") == [id] })
        let listed = try spotter("alarm")
        #expect(listed.output.contains("rack-1") && listed.output.contains("fall"), "\(listed.output)")
        first.kill()
        _ = first.wait()

        let second = try Program.start(["run", "--config", configuration, "--realtime", "--quiet"])
        defer { second.kill() }
        // The same person falls again in the recording; whoever lies there lay there before the restart.
        #expect(
            try broker.wait { messages in
                messages.count { $0.topic == "status" && $0.payload["state"] as? String == "online" } > 1
            })
        #expect(try broker.wait { _ in try open(broker)?.count == 1 })
        let unknown = try spotter("alarm", "acknowledge", "nothing")
        #expect(unknown.status == 3 && unknown.messages.contains("no open alarm 'nothing'"), "\(unknown)")
        let answer = try spotter("alarm", "acknowledge")
        #expect(answer.status == 0 && answer.output.contains("1 alarm acknowledged"), "\(answer)")
        #expect(try broker.wait { _ in try open(broker)?.isEmpty == true })
        #expect(
            try broker.wait { $0.contains { $0.payload["event_type"] as? String == "alarm_acknowledged" } })
        #expect(try broker.wait { _ in try Program.sqlite(database, "SELECT acknowledged_ms > 0 FROM alarm") == ["1"] })
        #expect(try spotter("alarm").output.contains("No alarm is open."))
        let history = try spotter("history", "alarms", "--json")
        #expect(history.output.contains(id) && history.output.contains("acknowledged"), "\(history.output)")
        #expect(try spotter("history", "alarms").output.contains("fall"))
    }

    @Test func `what the cameras saw last is stored, and is acknowledged without a node`() throws {
        let broker = try Broker(in: folder.url)
        try write(broker: broker.port)
        // The recording is over long before the alarms are looked at again.
        let result = try Program.run(["run", "--config", configuration, "--quiet"])
        #expect(result.status == 0, "\(result.messages)")
        let id = try #require(try Program.sqlite(database, "SELECT id FROM alarm").first)
        let answer = try spotter("alarm", "acknowledge", String(id.suffix(8)))
        #expect(answer.status == 0 && answer.output.contains("1 alarm acknowledged"), "\(answer)")
        #expect(try Program.sqlite(database, "SELECT acknowledged_ms > 0 FROM alarm") == ["1"])
        #expect(try spotter("alarm", "acknowledge").output.contains("No alarm is open."))
    }

    @Test func `nobody is looked after unless the configuration says so`() throws {
        let broker = try Broker(in: folder.url)
        try write(broker: broker.port, enabled: false)
        let result = try Program.run(["run", "--config", configuration, "--quiet"])
        #expect(result.status == 0, "\(result.messages)")
        #expect(try Program.sqlite(database, "SELECT count(*) FROM alarm") == ["0"])
        #expect(try broker.messages().contains { $0.topic == "alarm" } == false)
        #expect(try spotter("alarm").output.contains("alarm.enabled is false"))
    }
}
