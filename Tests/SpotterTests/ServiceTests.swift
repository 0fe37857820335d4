import Foundation
import TestSupport
import Testing

/// `spotter run` under a service manager: notifications, and when the watchdog signal stops.
@Suite(.serialized) struct ServiceTests {
    private let folder: TemporaryFolder
    private let socket: NotifySocket
    private let database: String

    init() throws {
        folder = try TemporaryFolder()
        socket = try NotifySocket(in: folder.url)
        database = folder.file("spotter.db").path
    }

    private func poseStream() throws -> String {
        let url = folder.file("demo.poses.jsonl")
        try GroundTruth(clip: "demo").writePoseStream(to: url, times: 8)
        return url.path
    }

    private func sqlite(_ query: String) throws -> [String] { try Program.sqlite(database, query) }

    @Test func `a node without a broker reports to systemd that it is ready, its status, and that it stops`() throws {
        let process = try Program.start(
            ["run", "--source", try poseStream(), "--realtime", "--database", database, "--mqtt-port", "1"],
            environment: ["NOTIFY_SOCKET": socket.path])
        defer { process.terminate() }
        #expect(socket.listen(120) { $0.contains { $0.hasPrefix("READY=1") } })
        #expect(socket.listen(120) { $0.contains { $0.hasPrefix("STATUS=camera1: ") } })
        // No watchdog was requested.
        #expect(socket.count("WATCHDOG=1") == 0)
        process.terminate()
        #expect(socket.listen(120) { $0.contains { $0.hasPrefix("STOPPING=1") } })
        #expect(process.wait() == 0)
    }

    @Test func `SIGHUP reloads the configuration, and no session is lost`() throws {
        let configuration = folder.file("config.toml")
        let model = folder.file("exercises.safetensors")
        try FileManager.default.copyItem(atPath: "Models/exercises.safetensors", toPath: model.path)
        let text = """
            [[camera]]
            id = "rack-1"
            source = "\(try poseStream())"
            [recognition]
            model = "\(model.path)"
            [history]
            path = "\(database)"
            [mqtt]
            enabled = false
            """
        try Data(text.utf8).write(to: configuration)
        let process = try Program.start(
            ["run", "--config", configuration.path, "--realtime"], environment: ["NOTIFY_SOCKET": socket.path])
        defer { process.terminate() }
        #expect(socket.listen(120) { $0.contains { $0.hasPrefix("READY=1") } })
        #expect(try Program.wait { try sqlite("SELECT count(*) FROM session WHERE end_reason IS NULL") == ["1"] })
        // A reload without changes interrupts nothing.
        process.send(SIGHUP)
        socket.listen(2)
        #expect(socket.count("RELOADING=1") == 0)
        #expect(try sqlite("SELECT count(*) FROM session WHERE end_reason IS NULL") == ["1"])
        try Data((text + "\n[node]\nsite = \"berlin\"\n").utf8).write(to: configuration)
        process.send(SIGHUP)
        let isReady = socket.listen(120) { $0.filter { $0.hasPrefix("READY=1") }.count == 2 }
        #expect(isReady && process.isRunning)
        let told = socket.messages.map(\.text)
        let reloading = try #require(told.firstIndex { $0.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") })
        #expect(told.lastIndex { $0.hasPrefix("READY=1") } ?? 0 > reloading)
        #expect(socket.count("STOPPING=1") == 0)
        // The session before the reload is closed and complete; the exercise continues in a new session.
        #expect(try sqlite("SELECT end_reason FROM session") == ["stopped"])
        let before = try #require(try sqlite("SELECT sum(frames) FROM session_action").first.flatMap { Int($0) })
        #expect(before > 0)
        let after =
            "SELECT coalesce(sum(frames), 0) FROM session_action JOIN session ON id = session WHERE end_reason IS NULL"
        #expect(try Program.wait { Int(try sqlite(after).first ?? "") ?? 0 > 0 })
        // A different model under the same name is a change, too.
        try FileManager.default.removeItem(at: model)
        try FileManager.default.copyItem(atPath: "Models/exercises.safetensors", toPath: model.path)
        process.send(SIGHUP)
        #expect(socket.listen(120) { $0.filter { $0.hasPrefix("READY=1") }.count == 3 })
        process.terminate()
        process.wait()
        #expect(try sqlite("SELECT end_reason FROM session") == ["stopped", "stopped"])
        #expect(try sqlite("SELECT sum(frames) FROM session_action").first.flatMap { Int($0) } ?? 0 > before)
        #expect(try sqlite("SELECT sum(frames) FROM day_action") == sqlite("SELECT sum(frames) FROM session_action"))
    }

    @Test(.enabled(if: Program.hasPoseModels, "the pose networks are not fetched: make models"))
    func `scenario 39: a stuck pipeline thread stops the watchdog signal`() throws {
        let process = try Program.start(
            [
                "run", "--source", Program.clips.appending(path: "demo.mp4").path, "--realtime", "--database", database,
                "--no-mqtt",
            ], environment: ["NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "4000000"])
        defer {
            process.terminate()
            process.wait()
        }
        #expect(socket.listen(120) { $0.contains { $0.hasPrefix("STATUS=camera1: ") } })
        let working = Date()
        #expect(socket.listen(120) { _ in socket.count("WATCHDOG=1", since: working) >= 2 })
        let frozen = try #require(FrozenThread(busiestOf: process.id))
        // The stall is found within half the interval; signals already sent arrive before that.
        #expect(socket.listen(120) { $0.contains { $0 == "STATUS=stuck: camera1" } })
        let silence = Date()
        socket.listen(4)
        #expect(process.isRunning && socket.count("WATCHDOG=1", since: silence) == 0)
        frozen.letGo()
        #expect(socket.listen(120) { _ in socket.count("WATCHDOG=1", since: silence) > 0 })
    }

    @Test func `Prometheus finds what the contract names`() throws {
        let process = try Program.start(
            ["run", "--source", try poseStream(), "--realtime", "--database", database, "--mqtt-port", "1"],
            environment: [
                "NOTIFY_SOCKET": socket.path, "SPOTTER_METRICS_ENABLED": "true", "SPOTTER_METRICS_PORT": "19469",
            ])
        defer {
            process.terminate()
            process.wait()
        }
        #expect(socket.listen(120) { $0.contains { $0.hasPrefix("READY=1") } })
        // Predictions keep coming, and with them the counts.
        var page = ""
        #expect(
            try Program.wait {
                page = try fetch("http://127.0.0.1:19469/metrics")
                return page.contains("spotter_action_seconds_total{action=")
            })
        for name in [
            "spotter_build_info{", #"spotter_camera_up{camera="camera1"} 1"#,
            #"spotter_frames_total{camera="camera1",result="processed"}"#, "spotter_action_seconds_total{action=",
            "spotter_inference_seconds_bucket{", "spotter_last_frame_timestamp_seconds{", "spotter_mqtt_connected 0",
            "spotter_mqtt_reconnects_total 0", #"spotter_outbox_pending{consumer="broker"}"#,
            "spotter_outbox_oldest_seconds{", "spotter_records_gap_total 0", "spotter_db_bytes ",
            "spotter_db_commits_total ", "spotter_disk_written_bytes_total ", "spotter_clock_synced ",
        ] {
            #expect(page.contains("\n" + name), "\(name) is missing in:\n\(page)")
        }
        #expect(try fetch("http://127.0.0.1:19469/healthz") == "ok\n")
        // The shipped alerts use no other metric; this machine may have no temperature sensor.
        let alerts = try String(
            contentsOf: Program.root.appending(path: "deploy/package/examples/prometheus/alerts.yml"), encoding: .utf8)
        for name in Set(alerts.matches(of: /spotter_[a-z_]+/).map { String($0.output) }) {
            let mayBeMissing = ["spotter_temperature_celsius", "spotter_throttled"].contains(name)
            #expect(mayBeMissing || page.contains("\n" + name), "the alerts ask for \(name)")
        }
    }

    private func fetch(_ address: String) throws -> String {
        let script =
            "import sys, urllib.request as u; print(u.urlopen(sys.argv[1], timeout=60).read().decode(), end='')"
        return try Child("python3", ["-c", script, address]).wholeOutput()
    }
}
