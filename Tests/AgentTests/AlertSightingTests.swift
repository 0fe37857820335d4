import Agent
import Foundation
import History
import Messaging
import Records
import Sharing
import Testing

@Suite struct AlertSightingTests {
    @Test func `problems of a node's health become what alerts tell of, one for each camera`() throws {
        let fixture = try NodeFixture()
        let node = try fixture.node(source: "/dev/video99")
        defer { try? node.store.close() }
        let reports = CameraStatusBoard()
        let health = NodeHealth(node: node, reports: reports)
        // The machine's own clock and disk may be in trouble.
        func seen(_ topics: AlertTopic...) -> [AlertWatch.Sighting] {
            health.sightings().filter { topics.contains($0.topic) }
        }
        #expect(seen(.camera, .broker, .model).isEmpty)
        for (code, camera) in [("camera_offline", "rack1"), ("camera_stalled", "rack1"), ("too_slow", "rack2")] {
            reports.update(camera) {
                $0.problems[code] = Problem(code: code, camera: camera, since: Date(), message: "\(code): plug it in.")
            }
        }
        reports.update("rack2") {
            $0.problems["model_output"] = Problem(code: "model_output", camera: "rack2", since: Date())
        }
        #expect(
            seen(.camera, .broker, .model) == [
                AlertWatch.Sighting(.camera, camera: "rack1", advice: "camera_offline: plug it in."),
                AlertWatch.Sighting(.model, camera: "rack2"),
            ])
        node.storage.report(HistoryError.storage(.diskFull, path: "x", reason: "it is full"))
        #expect(seen(.disk).map(\.advice.isEmpty) == [false])
    }

    @Test func `two people who fell before one camera are two problems`() throws {
        let fixture = try NodeFixture()
        let moment = Date(timeIntervalSince1970: 1_800_000_000)
        let alarms = (0..<2).map {
            Alarm(
                id: UUIDv7.string(at: moment + Double($0)), camera: "rack1", zone: $0 == 1 ? "mat" : nil, cause: .fall,
                since: moment, raised: moment + Double($0))
        }
        // A store is open for as long as it is there.
        try { try $0.save(alarms) }(Store(path: fixture.database))
        let node = try fixture.node(source: "/dev/video99")
        defer { try? node.store.close() }
        let seen = NodeHealth(node: node, reports: CameraStatusBoard()).sightings().filter { $0.topic == .person }
        #expect(seen.map(\.alarm) == alarms.map(\.id) && seen.map(\.camera) == ["rack1", "rack1"])
        #expect(seen.map(\.advice) == alarms.map(\.advice))
    }
}
