import Agent
import Capture
import Configuration
import Foundation
import Messaging
import Poses
import Testing

/// Tests a camera from start to end, with a recorded pose stream instead of a device.
@Suite struct CameraSupervisorTests {
    private let fixture: NodeFixture
    private let reports = CameraStatusBoard()
    private let stopping = StopSignal()
    /// Three frames, and a late one for which no test waits.
    private let endless = [0, 0.1, 0.2, 1_000_000]

    init() throws { fixture = try NodeFixture() }

    private func supervisor(_ node: Node, isPatient: Bool = false) -> CameraSupervisor {
        CameraSupervisor(
            camera: node.configuration.cameras[0], node: node, reports: reports, realtime: false, isPatient: isPatient,
            stopping: stopping, load: SharedLoad(total: 1, most: 1))
    }

    /// Runs as in the node: on the camera's own thread, and stopped when it is switched off.
    private func start(_ node: Node, isPatient: Bool = false) -> Task<Void, any Error> {
        let (reports, stopping) = (reports, stopping)
        node.commands.onSwitch { [switches = node.commands.switches] camera in
            if !switches.isOn(camera) { stopping.stop(camera) }
        }
        return Task(executorPreference: SerialTaskExecutor(label: "rack1")) {
            var supervisor = CameraSupervisor(
                camera: node.configuration.cameras[0], node: node, reports: reports, realtime: true,
                isPatient: isPatient, stopping: stopping, load: SharedLoad(total: 1, most: 1))
            try await supervisor.run()
        }
    }

    private func turn(_ node: Node, on: Bool) async throws {
        let answer = await outcome { node.commands.submit(.setCamera("rack1", enabled: on), done: $0) }
        _ = try answer.get()
    }

    private var frames: Int { reports.all["rack1"]?.frames ?? 0 }
    /// How often the source was opened.
    private var openings: Int { fixture.log.count("rack1: 640×480") }

    @Test func `a recording ends after its last frame and is not played again`() async throws {
        let node = try fixture.node(source: fixture.recording((0..<90).map { Double($0) / 30 }))
        var supervisor = supervisor(node)
        try await supervisor.run()
        #expect(frames == 90 && openings == 1)
        #expect(!node.commands.sessionEnds.isPipelineRunning("rack1"))
        #expect(reports.all["rack1"]?.problems.isEmpty == true)
    }

    @Test func `a camera that is switched off ends, and begins again when it is switched on`() async throws {
        let node = try fixture.node(source: fixture.recording(endless))
        let running = start(node)
        #expect(try await eventually { frames == 3 })
        #expect(node.commands.sessionEnds.isPipelineRunning("rack1"))
        try await turn(node, on: false)
        #expect(try await eventually { fixture.log.count("switched off") == 1 })
        #expect(!node.commands.sessionEnds.isPipelineRunning("rack1") && openings == 1)
        try await turn(node, on: true)
        #expect(try await eventually { frames == 6 })
        stopping.stopAll()
        try await running.value
        #expect(openings == 2)
    }

    @Test func `a camera that is switched off and on before it notices continues`() async throws {
        let node = try fixture.node(source: fixture.recording(endless))
        let running = start(node)
        for round in 1...3 {
            #expect(try await eventually { frames == 3 * round && openings == round })
            // Switch without a pause: the stop must not be mistaken for the end of the recording.
            node.commands.submit(.setCamera("rack1", enabled: false)) { _ in }
            try await turn(node, on: true)
        }
        #expect(try await eventually { frames == 12 })
        stopping.stopAll()
        try await running.value
    }

    @Test func `a camera that is off at the start opens nothing, and ends with the node`() async throws {
        let node = try fixture.node(source: fixture.folder.file("missing.poses.jsonl").path, enabled: false)
        let running = start(node)
        #expect(try await eventually { fixture.log.count("rack1: switched off") == 1 })
        stopping.stopAll()
        // Opening the source would fail.
        try await running.value
        #expect(frames == 0)
    }

    @Test func `nothing is opened once the node stops`() async throws {
        let node = try fixture.node(source: fixture.folder.file("missing.poses.jsonl").path)
        stopping.stopAll()
        var supervisor = supervisor(node)
        try await supervisor.run()
        #expect(reports.all["rack1"] == nil)
    }

    @Test func `a recording that cannot be opened is abandoned and reported`() async throws {
        let node = try fixture.node(source: fixture.folder.file("missing.poses.jsonl").path)
        var supervisor = supervisor(node)
        do {
            try await supervisor.run()
            Issue.record("a file that is not there was played")
        } catch {
            #expect(error is PoseStreamError)
            supervisor.reportGivenUp(error)
        }
        let problem = try #require(reports.all["rack1"]?.problems["camera_failed"])
        #expect(problem.camera == "rack1" && problem.message?.hasPrefix("cannot read ") == true)
        #expect(fixture.log.count("error rack1: cannot read") == 1)
        #expect(reports.all["rack1"]?.opening == nil, "nothing is being opened any more")
    }

    @Test func `a recording that breaks off is not reopened, and its frames count`() async throws {
        let path = try fixture.recording([0, 0.1])
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data("{}\n".utf8))
        try file.close()
        let node = try fixture.node(source: path)
        var supervisor = supervisor(node)
        do {
            try await supervisor.run()
            Issue.record("a damaged line was played")
        } catch {
            #expect(error is PoseStreamError)
        }
        #expect(frames == 2 && openings == 1)
        #expect(!node.commands.sessionEnds.isPipelineRunning("rack1"))
    }

    @Test func `the report of a camera that is given up hides the stream's address`() throws {
        struct Silence: Error, CustomStringConvertible {
            let description = "cannot open rtsp://anna:pa55word@camera/live now"
        }
        supervisor(try fixture.node(source: "rtsp://anna:pa55word@camera/live")).reportGivenUp(Silence())
        #expect(reports.all["rack1"]?.problems["camera_failed"]?.message == "cannot open the stream now")
        #expect(fixture.log.count("pa55word") == 0)
    }

    @Test func `the sentence around a stream's address keeps its marks`() throws {
        let source = "rtsp://anna:pa55word@camera/live"
        supervisor(try fixture.node(source: source)).reportGivenUp(
            CaptureError.decodingFailed(source: source, reason: "Connection refused"))
        #expect(
            reports.all["rack1"]?.problems["camera_failed"]?.message
                == "cannot decode the stream: Connection refused; nothing listens at this port: check the port, "
                + "and switch the stream on in the camera's settings")
    }

    @Test(.enabled(if: NodeFixture.hasPoseModels, "the pose networks are not fetched: make models"))
    func `a camera that is missing at the start is waited for by a patient node alone`() async throws {
        let node = try fixture.node(source: "/dev/video-missing")
        var impatient = supervisor(node)
        do {
            try await impatient.run()
            Issue.record("a camera that is not there was opened")
        } catch {
            #expect(error is CaptureError)
        }
        let running = start(node, isPatient: true)
        #expect(try await eventually { reports.all["rack1"]?.problems["camera_offline"] != nil })
        stopping.stopAll()
        try await running.value
    }
}
