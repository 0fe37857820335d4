import Agent
import Configuration
import Foundation
import Records
import History
import Messaging
import Testing

/// What a node says of itself in its birth document.
@Suite struct NodeInfoTests {
    @Test(arguments: [("Europe/Berlin", "Europe/Berlin"), ("", TimeZone.current.identifier)])
    func `a node names the time zone of its days: the configured one, or else the system's`(
        configured: String, named: String
    ) throws {
        let fixture = try NodeFixture()
        var configuration = fixture.configuration([])
        configuration.node.timeZone = configured
        let node = try Node(configuration, logger: fixture.log.logger())
        #expect(node.info().tz == named)
    }

    @Test func `a camera that has not delivered any frame has no time since the last one`() throws {
        let fixture = try NodeFixture()
        let node = try Node(fixture.configuration([]), logger: fixture.log.logger())
        let reports = CameraStatusBoard()
        reports.update("rack1") { _ in }
        let health = NodeHealth(node: node, reports: reports)
        let camera = try #require(health.payload([], processorPercent: nil).cams["rack1"])
        #expect(camera.lastFrameSeconds == nil && camera.fpsIn == 0)
        #expect(try !JSONText.encode(camera).contains("last_frame_s"))
    }

    @Test func `heat and a low voltage of the board are problems in health`() throws {
        let fixture = try NodeFixture()
        var node = try Node(fixture.configuration([]), logger: fixture.log.logger())
        let firmware = fixture.folder.file("sys/devices/platform/soc@107c000000/soc@107c000000:firmware")
        try FileManager.default.createDirectory(at: firmware, withIntermediateDirectories: true)
        node.machine = MachineWatch(MachineSensors(root: fixture.folder.url.path))
        let health = NodeHealth(node: node, reports: CameraStatusBoard())
        #expect(health.problems().isEmpty)
        try Data("50005".utf8).write(to: firmware.appending(path: "get_throttled"))
        node.machine = MachineWatch(MachineSensors(root: fixture.folder.url.path))
        let now = NodeHealth(node: node, reports: CameraStatusBoard())
        let payload = now.payload(now.problems(), processorPercent: nil)
        #expect(payload.problems.map(\.code) == ["under_voltage"] && !payload.ok)
        #expect(payload.problems.allSatisfy { $0.message?.contains("use the power supply") == true })
    }

    @Test func `a node that asks says how often it is right, once it has answers`() throws {
        let fixture = try NodeFixture()
        var configuration = fixture.configuration([])
        #expect(try Node(configuration, logger: fixture.log.logger()).info().learning == nil)
        configuration.learning.enabled = true
        configuration.recognition.privacy = "strict"
        configuration.history.path = fixture.folder.file("strict.db").path
        #expect(try Node(configuration, logger: fixture.log.logger()).info().learning == nil)
        configuration.recognition.privacy = "standard"
        configuration.history.path = fixture.folder.file("asking.db").path
        let node = try Node(configuration, logger: fixture.log.logger())
        let health = NodeHealth(node: node, reports: CameraStatusBoard())
        #expect(node.info().learning == true && health.payload([], processorPercent: nil).accuracy == nil)
        let week = Question.week(of: Date(), in: node.store.settings.timeZone)
        for index in 0..<8 {
            node.writer.ask(
                Question(
                    kind: .set, reason: .random, weight: 2, week: week, camera: "rack1",
                    startMilliseconds: Int64(index), endMilliseconds: 9, shown: "squat", model: "m", poses: [1]),
                quota: 9, now: .now)
        }
        _ = try node.writer.flush(now: .now, wall: Date())
        for id in 1...8 {
            try node.store.answer(
                id, id == 8 ? .none : .exercise("squat", reps: nil), known: ["squat"], wall: Date())
        }
        let payload = health.payload([], processorPercent: nil)
        let told = try #require(payload.accuracy)
        #expect(told.right?.share == 0.875 && told.right?.answers == 8)
        // MQTT says what the command and the page say.
        #expect(try node.store.query.accuracy() == [told])
        #expect(payload.accuracyByCamera == (try node.store.query.accuracy(by: .camera)))
    }
}
