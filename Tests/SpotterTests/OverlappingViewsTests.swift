import Foundation
import TestSupport
import Testing

/// Two cameras that see the same person, in a node that runs.
@Suite struct OverlappingViewsTests {
    private let folder: TemporaryFolder
    private var database: String { folder.file("spotter.db").path }

    init() throws {
        folder = try TemporaryFolder()
        let truth = try GroundTruth(clip: "demo")
        try truth.writePoseStream(to: folder.file("left.poses.jsonl"))
        try truth.writePoseStream(to: folder.file("right.poses.jsonl"), breadth: 0.6)
    }

    /// Runs a node on both recordings, as on cameras.
    private func run(overlaps: String) throws -> Program.Result {
        let text = """
            [[camera]]
            id = "left"
            source = "\(folder.file("left.poses.jsonl").path)"
            overlaps = \(overlaps)
            [[camera]]
            id = "right"
            source = "\(folder.file("right.poses.jsonl").path)"
            [history]
            path = "\(database)"
            [mqtt]
            enabled = false
            """
        let configuration = folder.file("config.toml")
        try Data(text.utf8).write(to: configuration)
        return try Program.run(["run", "--config", configuration.path, "--realtime", "--quiet"])
    }

    private func sqlite(_ query: String) throws -> [String] { try Program.sqlite(database, query) }

    @Test func `a person whom two cameras see has one session, and each moment is counted once`() throws {
        let result = try run(overlaps: #"["right"]"#)
        #expect(result.status == 0, "\(result.messages)")
        #expect(try sqlite("SELECT count(*), count(end_reason) FROM session") == ["1|1"])
        let sets = try sqlite("SELECT label FROM session_set ORDER BY start_ms")
        #expect(sets == ["jumping_jack", "squat", "lunge", "burpee"])
        let reps = try sqlite("SELECT sum(reps) FROM session_set").first.flatMap(Int.init) ?? 0
        #expect((12...14).contains(reps), "13 were done")
        #expect(try sqlite("SELECT sum(reps) FROM day_action") == ["\(reps)"], "the days tell the same")
        #expect(try sqlite("SELECT sum(sessions) FROM day_camera") == ["1"])
        // The person is matched some seconds after the first exercise; until then both cameras are credited.
        let seconds = try sqlite("SELECT sum(frames) / 30 FROM day_action").first.flatMap(Int.init) ?? 0
        #expect((20...48).contains(seconds), "of 32 seconds: \(seconds)")
        #expect(
            try sqlite(
                "SELECT count(*) FROM record WHERE type = 'session' AND json_extract(body, '$.merged_into') IS NOT NULL"
            ) != ["0"], "receivers are told into which session the other one went")
    }

    @Test func `a camera that overlaps with one that is not there is told`() throws {
        let result = try run(overlaps: #"["rigth", "left"]"#)
        #expect(result.status == 0)
        #expect(result.messages.contains("overlaps names 'rigth'"), "\(result.messages)")
        #expect(try sqlite("SELECT count(*) FROM session") == ["2"], "each camera counts")
        let check = try Program.run("config", "check", "--config", folder.file("config.toml").path)
        let text = check.output + check.messages
        #expect(text.contains("did you mean 'right'?") && text.contains("names 'left' itself"), "\(text)")
    }
}
