import Foundation
import TestSupport
import Testing

/// Sources that deliver few frames, and sources with absurd timestamps.
@Suite struct LowRateTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes a clip's true poses at another rate, with changed timestamps.
    private func stream(_ clip: String, rateHz: Double, _ time: (Double) -> Double = { $0 }) throws -> String {
        let whole = folder.file("\(clip).poses.jsonl")
        try GroundTruth(clip: clip).writePoseStream(to: whole)
        let lines = try String(contentsOf: whole, encoding: .utf8).split(separator: "\n")
        var kept = [String(lines[0])]
        var next = 0.0
        for line in lines.dropFirst() {
            let match = try #require(line.prefixMatch(of: /\{"t":([0-9.]+)/))
            let old = try #require(Double(match.1))
            guard old >= next - 1e-6 else { continue }
            next += 1 / rateHz
            kept.append("{\"t\":\(time(old))" + line[match.range.upperBound...])
        }
        let file = folder.file("\(clip)-\(rateHz).poses.jsonl")
        try Data((kept.joined(separator: "\n") + "\n").utf8).write(to: file)
        return file.path
    }

    private func classify(_ file: String) throws -> (reps: [String: Int], frames: [String: Int], messages: String) {
        let result = try Program.run("classify", file, "--json")
        #expect(result.status == 0, "\(result.messages)")
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        return (
            try #require(answer["reps"] as? [String: Int]), try #require(answer["frame_counts"] as? [String: Int]),
            result.messages
        )
    }

    @Test(arguments: [30, 8, 4.3, 3.8, 3.2, 2.5])
    func `all exercises of the demo clip are counted at this rate`(rateHz: Double) throws {
        let reps = try classify(try stream("demo", rateHz: rateHz)).reps
        #expect(reps == ["jumping_jack": 5, "squat": 3, "lunge": 3, "burpee": 2])
    }

    @Test(arguments: [2.2, 2.0])
    func `slow exercises are counted at two frames a second`(rateHz: Double) throws {
        let answer = try classify(try stream("squat_45", rateHz: rateHz))
        #expect(answer.reps == ["squat": 4])
        #expect(answer.frames["squat"] ?? 0 >= 220)
    }

    @Test func `a gap of thirty years in the timestamps is logged, and what follows is counted`() throws {
        let file = try stream("squat_45", rateHz: 30) { $0 < 5 ? $0 : $0 + 9e8 }
        let answer = try classify(file)
        #expect(answer.messages.contains("the time stamps jump from 4.9"), "\(answer.messages)")
        #expect(answer.frames["squat"] ?? 0 >= 130, "\(answer.frames)")
    }

    @Test(arguments: ["1e18", "-1e18", "1e300", "1e9999"])
    func `an invalid timestamp is refused with its line number`(time: String) throws {
        let file = try stream("squat_45", rateHz: 30)
        var lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
        lines[50] = lines[50].replacing(/"t":[0-9.]+/, with: "\"t\":\(time)")
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: file))
        let result = try Program.run("classify", file, "--json")
        #expect(result.status == 74 && result.messages.contains("line 51"), "\(result.status): \(result.messages)")
    }

    @Test(arguments: ["1e18", "1e9"])
    func `a camera with absurd timestamps does not disturb the other one, and the node still stops on request`(
        time: String
    ) throws {
        let mad = try stream("squat_45", rateHz: 30)
        var lines = try String(contentsOfFile: mad, encoding: .utf8).split(separator: "\n").map(String.init)
        lines[lines.count - 1] = lines[lines.count - 1].replacing(/"t":[0-9.]+/, with: "\"t\":\(time)")
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: mad))
        let healthy = folder.file("demo.poses.jsonl")
        try GroundTruth(clip: "demo").writePoseStream(to: healthy)
        let (database, configuration) = (folder.file("spotter.db").path, folder.file("config.toml"))
        try """
        [[camera]]
        id = "mad"
        source = "\(mad)"
        [[camera]]
        id = "healthy"
        source = "\(healthy.path)"
        [history]
        path = "\(database)"
        [mqtt]
        enabled = false
        """.write(to: configuration, atomically: true, encoding: .utf8)
        let run = try Program.run("run", "--config", configuration.path)
        // The refused camera makes the run fail; the other one was processed to its end.
        #expect(run.status == (time == "1e18" ? 74 : 0), "\(run.status): \(run.messages)")
        let reps = try Program.sqlite(
            database,
            "SELECT label || ' ' || sum(reps) FROM day_action WHERE camera = 'healthy' AND reps > 0 GROUP BY label ORDER BY label"
        )
        #expect(reps == ["burpee 2", "jumping_jack 5", "lunge 3", "squat 3"])
    }
}
