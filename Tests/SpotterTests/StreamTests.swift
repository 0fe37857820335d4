import Foundation
import TestSupport
import Testing

/// `spotter run` with unresponsive servers, and the visibility of their addresses.
///
/// One test after another: one looks for secrets in the arguments of all processes, and others pass them as arguments.
@Suite(.serialized) struct StreamTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let secrets = ["pa55word", "t0ken", "s1gnature"]

    private static func address(_ scheme: String, _ port: Int) -> String {
        "\(scheme)://anna:pa55word@127.0.0.1:\(port)/live?channel=1&access_token=t0ken&sig=s1gnature"
    }

    private func configuration(_ source: String) throws -> String {
        let file = folder.file("config.toml")
        let text = """
            [[camera]]
            id = "rack1"
            source = "\(source)"
            [mqtt]
            enabled = false
            [history]
            path = "\(folder.file("spotter.db").path)"
            """
        try Data(text.utf8).write(to: file)
        return file.path
    }

    /// Waits at least a minute. Counts attempts, not seconds: on a busy machine this process itself may be delayed.
    private func eventually(_ isTrue: () -> Bool) -> Bool {
        for _ in 0..<1200 {
            if isTrue() { return true }
            Thread.sleep(forTimeInterval: 0.05)
        }
        return isTrue()
    }

    @Test(
        .enabled(if: Program.hasPoseModels, "the pose networks are not fetched: make models"),
        arguments: ["http", "rtsp"], [HTTPCamera.Answer.silence, .trickle])
    func `SIGTERM ends a run at once whatever its camera does, and the camera's password is never visible`(
        scheme: String, answer: HTTPCamera.Answer
    ) throws {
        let camera = try HTTPCamera(answer)
        defer { camera.stop() }
        let file = try configuration(Self.address(scheme, camera.port))
        let process = try Program.start(["run", "--config", file])
        defer { process.send(SIGKILL) }
        #expect(eventually { !camera.asked.isEmpty })
        for secret in Self.secrets { #expect(try Self.processes(holding: secret).isEmpty) }
        let asked = Date()
        process.terminate()
        try #require(eventually { !process.isRunning })
        // It takes less than a second; the timeout of the server would take fifteen.
        #expect(Date().timeIntervalSince(asked) < 10)
        let log = process.messages.whole()
        #expect(process.status == 0, "\(log)")
        for secret in Self.secrets { #expect(!log.contains(secret), "\(log)") }
    }

    @Test(arguments: [["config", "show"], ["config", "show", "--json"], ["cameras", "test"], ["doctor"], ["run"]])
    func `no command shows the secrets in an address`(command: [String]) throws {
        let file = try configuration(Self.address("nothing", 1))
        let source = command == ["run"] ? ["--source", Self.address("nothing", 1)] : []
        let result = try Program.run(command + source + ["--config", file])
        for secret in Self.secrets {
            #expect(!result.output.contains(secret) && !result.messages.contains(secret), "\(result)")
        }
    }

    @Test func `the error for a wrong command line hides secrets`() throws {
        let result = try Program.run("cameras", "list", Self.address("rtsp", 1))
        #expect(result.status == 2)
        for secret in Self.secrets { #expect(!result.messages.contains(secret), "\(result.messages)") }
    }

    @Test func `a running node ignores SIGPIPE from the start`() throws {
        let file = folder.file("stand.poses.jsonl")
        try GroundTruth(clip: "stand_45").writePoseStream(to: file)
        let process = try Program.start([
            "run", "--source", file.path, "--realtime", "--no-mqtt", "--database", folder.file("spotter.db").path,
        ])
        defer {
            process.terminate()
            process.wait()
        }
        let database = folder.file("spotter.db").path
        #expect(eventually { FileManager.default.fileExists(atPath: database) })
        let status = try String(contentsOfFile: "/proc/\(process.id)/status", encoding: .utf8)
        let ignored = try #require(
            status.split(separator: "\n").first { $0.hasPrefix("SigIgn:") }?.split(separator: "\t").last)
        #expect((UInt64(ignored, radix: 16) ?? 0) >> UInt64(SIGPIPE - 1) & 1 == 1, "\(ignored)")
    }

    /// The processes whose arguments contain a text.
    private static func processes(holding text: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { pid_t($0) != nil }.compactMap { process in
            let words = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
            let text = Data(text.utf8)
            return words.range(of: text) == nil ? nil : String(decoding: words, as: UTF8.self)
        }
    }
}
