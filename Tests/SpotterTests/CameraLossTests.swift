import Foundation
import TestSupport
import Testing

/// `spotter run` with cameras that are lost and return, and with an unusable camera beside a usable one.
@Suite(.serialized, .enabled(if: Program.hasPoseModels, "the pose networks are not fetched: make models"))
struct CameraLossTests {
    private let folder: TemporaryFolder
    private let database: String

    init() throws {
        folder = try TemporaryFolder()
        database = folder.file("spotter.db").path
    }

    private func configure(_ text: String) throws -> String {
        let file = folder.file("config.toml")
        try Data(text.utf8).write(to: file)
        return file.path
    }

    @Test("scenarios 15 and 16: an RTSP camera that is lost in a session ends it, and is there again by itself")
    func streamLost() throws {
        let camera = try NetworkCamera(showing: Program.clips.appending(path: "demo.mp4").path)
        let broker = try Broker(in: folder.url)
        let file = try configure(
            """
            [[camera]]
            id = "rack1"
            source = "rtsp://user:secret@127.0.0.1:\(camera.port)/demo"
            [mqtt]
            host = "127.0.0.1"
            port = \(broker.port)
            [history]
            path = "\(database)"
            """)
        let process = try Program.start(["run", "--config", file])
        defer { process.terminate() }
        // A session opens once an exercise has been recognised twice.
        #expect(try broker.wait { $0.event("session_started") != nil })
        camera.stop()
        #expect(try broker.wait { $0.event("camera_lost") != nil })
        #expect(try broker.wait { $0.event("session_ended") != nil })
        let ended = try #require(try broker.messages().event("session_ended"))
        #expect(ended["reason"] as? String == "camera_lost")
        let status = try #require(try broker.messages().last { $0.topic == "cam/rack1/status" }?.payload)
        #expect(status["state"] as? String == "offline" && status["reason"] as? String == "no_frames")

        try camera.start()
        #expect(try broker.wait { $0.event("camera_recovered") != nil })
        #expect(
            try broker.wait {
                $0.last { $0.topic == "cam/rack1/status" }?.payload["state"] as? String == "online"
            })
        process.terminate()
        let log = process.messages.whole()
        #expect(process.wait() == 0, "\(log)")
        #expect(!log.contains("secret"), "\(log)")
        #expect(try !broker.messages().contains { "\($0.payload)".contains("secret") })
    }

    @Test("scenario 21: a camera whose pose networks are missing is given up, and another goes on")
    func modelMissing() throws {
        let poses = folder.file("squat.poses.jsonl").path
        let made = try Program.run("poses", Program.clips.appending(path: "squat_front.mp4").path, "-o", poses)
        #expect(made.status == 0)
        let file = try configure(
            """
            [[camera]]
            id = "blind"
            source = "\(Program.clips.appending(path: "squat_front.mp4").path)"
            [[camera]]
            id = "seeing"
            source = "\(poses)"
            [recognition]
            pose_models = "\(folder.url.path)"
            [mqtt]
            enabled = false
            [history]
            path = "\(database)"
            """)
        let run = try Program.run("run", "--config", file)
        #expect(run.status == 78, "\(run.messages)")
        #expect(run.messages.contains("blind: ") && run.messages.contains("pose_detection.tflite"))
        let sessions = try Program.run("history", "sessions", "--database", database, "--json")
        #expect(sessions.output.contains("\"seeing\""), "\(sessions.output)")
    }
}

extension [(topic: String, payload: [String: Any])] {
    /// The last event of a kind.
    fileprivate func event(_ kind: String) -> [String: Any]? {
        last { $0.topic == "cam/rack1/event" && $0.payload["event_type"] as? String == kind }?.payload
    }
}

/// An RTSP server with an endless stream.
private final class NetworkCamera {
    let port: Int
    private let film: String
    private var processes: [Child] = []

    init(showing film: String) throws {
        self.film = film
        // The server needs a port for viewers and the next one for the publisher.
        port = Int.random(in: 20_000..<30_000)
        try start()
    }

    deinit { stop() }

    func start() throws {
        try start(["rtsp-server-perl", "--clientport", "\(port)", "--serverport", "\(port + 1)"])
        guard try Program.wait(until: { try isListening(port + 1) }) else { throw CocoaError(.executableLoad) }
        try start([
            "ffmpeg", "-v", "error", "-nostdin", "-re", "-stream_loop", "-1", "-i", film, "-c", "copy", "-an",
            "-f", "rtsp", "rtsp://127.0.0.1:\(port + 1)/demo",
        ])
    }

    private func isListening(_ port: Int) throws -> Bool {
        try start(["bash", "-c", "</dev/tcp/127.0.0.1/\(port)"])
        let probe = processes.removeLast()
        probe.wait()
        return probe.status == 0
    }

    func stop() {
        for process in processes.reversed() { process.kill() }
        processes = []
    }

    private func start(_ command: [String]) throws {
        processes.append(try Child(command[0], Array(command.dropFirst()), output: .nothing, messages: .nothing))
    }
}
