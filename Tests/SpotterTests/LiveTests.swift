import Foundation
import TestSupport
import Testing

/// `spotter run` on real-time sources: a stream over HTTP, and a clip on an overloaded machine.
@Suite(.serialized, .enabled(if: Program.hasPoseModels, "the pose networks are not fetched: make models"))
struct LiveTests {
    private let folder: TemporaryFolder
    private let database: String

    init() throws {
        folder = try TemporaryFolder()
        database = folder.file("spotter.db").path
    }

    /// Serves an endless clip as a live MPEG-TS stream to every client, and returns the port.
    private static let server = """
        import subprocess, sys
        from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
        class Live(BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "video/mp2t")
                self.end_headers()
                film = subprocess.Popen(
                    ["ffmpeg", "-v", "error", "-nostdin", "-re", "-stream_loop", "-1", "-i", sys.argv[1],
                     "-c", "copy", "-f", "mpegts", "-"], stdout=subprocess.PIPE)
                try:
                    while piece := film.stdout.read1(65536):
                        self.wfile.write(piece)
                except OSError:
                    pass
                finally:
                    film.kill()
                    film.wait()
            def log_message(self, *words):
                pass
        server = ThreadingHTTPServer(("127.0.0.1", 0), Live)
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """

    private func counts(_ broker: Broker) throws -> [String: Int] {
        try broker.messages().last { $0.topic == "cam/camera1/counts" }?.payload["frames"] as? [String: Int] ?? [:]
    }

    @Test func `a live stream over HTTP is seen at its full rate`() throws {
        let server = try Child("python3", ["-c", Self.server, Program.clips.appending(path: "demo.mp4").path])
        defer { server.terminate() }
        #expect(Program.wait { !server.output.lines.isEmpty }, "\(server.messages.text)")
        let port = try #require(server.output.lines.first.flatMap { Int($0) })
        let test = try Program.run(["cameras", "test", "http://127.0.0.1:\(port)/live", "--seconds", "3", "--json"])
        let report = try JSONSerialization.jsonObject(with: Data(test.output.utf8)) as? [String: Any]
        #expect(report?["width"] as? Int == 640 && report?["frames"] as? Int ?? 0 > 20, "\(test)")
        let broker = try Broker(in: folder.url)
        let process = try Program.start([
            "run", "--source", "http://127.0.0.1:\(port)/live", "--database", database, "--mqtt-host", "127.0.0.1",
            "--mqtt-port", "\(broker.port)", "--quiet",
        ])
        // The second heartbeat comes after 30 s; probing the stream takes the first five.
        let camera = try broker.camera(within: 240) { ($0["fps_in"] as? Double ?? 0) > 0 }
        process.terminate()
        #expect(process.wait() == 0)
        let told = try #require(camera)
        // In unpaced bursts of a second, all frames but the last of each burst would be late.
        let arriving = try #require(told["fps_in"] as? Double)
        #expect((10...33).contains(arriving), "\(told)")
        // Other load on the machine may cost frames, or even raise the stride.
        let looked = try #require(told["fps_proc"] as? Double) * Double(try #require(told["stride"] as? Int))
        #expect(looked > arriving / 2, "\(told)")
    }

    @Test func `scenario 38: without time for every frame every third one is enough to count by`() throws {
        let broker = try Broker(in: folder.url)
        let process = try Program.start(
            [
                "run", "--source", Program.clips.appending(path: "demo.mp4").path, "--realtime", "--database",
                database, "--mqtt-host", "127.0.0.1", "--mqtt-port", "\(broker.port)",
            ],
            // Even at every third frame only two milliseconds are left for each: too few on any board.
            environment: ["SPOTTER_RECOGNITION_MAXIMUM_LOAD": "0.05"])
        let camera = try broker.camera(within: 240) { ($0["stride"] as? Int ?? 1) > 1 }
        let log = process.messages.whole()
        #expect(process.wait() == 0, "\(log)")
        #expect(log.split(separator: "\n").count { $0.contains("looks at one frame in 3 now") } == 1, "\(log)")
        let told = try #require(camera)
        #expect(told["stride"] as? Int == 3)
        // Two thirds of the delivered frames since the stride grew: a heartbeat comes after 5 s, and then every 30 s.
        #expect((20...640).contains(told["skipped"] as? Int ?? 0), "\(told)")
        #expect(try broker.wait { $0.contains { $0.topic == "status" && $0.payload["state"] as? String == "stopped" } })
        let counts = try counts(broker)
        for exercise in ["jumping_jack", "squat", "lunge", "burpee"] {
            #expect((counts[exercise] ?? 0) >= 60, "\(counts)")
        }
    }
}

extension Broker {
    /// The heartbeat's entry of the camera once it fulfils a condition; `nil` when it never does.
    fileprivate func camera(within seconds: Double, _ isRight: ([String: Any]) -> Bool) throws -> [String: Any]? {
        // Count attempts, not seconds: on a busy machine this process itself may be delayed.
        for _ in 0..<Int(seconds * 5) {
            let all = try messages().filter { $0.topic == "health" }
            let cameras = all.compactMap { ($0.payload["cams"] as? [String: Any])?["camera1"] as? [String: Any] }
            if let camera = cameras.last(where: isRight) { return camera }
            Thread.sleep(forTimeInterval: 0.2)
        }
        return nil
    }
}
