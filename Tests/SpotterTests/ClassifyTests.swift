import Foundation
import TestSupport
import Testing

/// What `spotter classify` says of a recording.
@Suite struct ClassifyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func classify(_ file: String) throws -> [String: Any] {
        let result = try Program.run("classify", file, "--json")
        return try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any], "\(result.messages)")
    }

    @Test func `the frames of a recording are the same in classify, the summary of a run and the history`() throws {
        let stream = folder.file("demo.poses.jsonl").path
        try GroundTruth(clip: "demo").writePoseStream(to: URL(filePath: stream))
        let database = folder.file("spotter.db").path
        let answer = try classify(stream)
        let (frames, counts) = (
            try #require(answer["frames"] as? Int), try #require(answer["frame_counts"] as? [String: Int])
        )
        #expect(counts.count >= 4 && counts.values.reduce(0, +) <= frames)
        let table = try Program.run("classify", stream).output
        #expect(table.contains(" \(frames) frames, "), "\(table)")
        let run = try Program.run("run", "--source", stream, "--database", database, "--no-mqtt")
        #expect(run.messages.contains("camera1: \(frames) frames, 0 dropped"), "\(run.messages)")
        let stored = try Program.sqlite(database, "SELECT label || ' ' || sum(frames) FROM day_action GROUP BY label")
        #expect(Set(stored) == Set(counts.map { "\($0.key) \($0.value)" }))
        for (label, number) in counts {
            let row = table.split(separator: "\n").contains { line in
                line.split(separator: " ").prefix(2).map(String.init) == [label, String(number)]
            }
            #expect(row, "\(label) \(number) in \(table)")
        }
    }

    @Test(.enabled(if: Program.hasPoseModels, "the pose networks are not fetched: make models"))
    func `the length is that of what was read, not what the recording claims`() throws {
        let (one, two) = (folder.file("one.ts"), folder.file("two.ts"))
        let clip = Program.clips.appending(path: "squat_45.mp4").path
        try Program.tool("ffmpeg", ["-v", "error", "-i", clip, "-c", "copy", one.path])
        let bytes = try Data(contentsOf: one)
        try (bytes + bytes).write(to: two)
        let answer = try classify(two.path)
        let length = try #require(answer["duration_s"] as? Double)
        let whole = try #require(try classify(one.path)["duration_s"] as? Double)
        #expect(length > 1.8 * whole, "\(length) of \(whole)")
        for segment in try #require(answer["segments"] as? [[String: Any]]) {
            #expect(try #require(segment["end_s"] as? Double) <= length + 0.1, "\(segment)")
        }
    }

    /// The squats of a bundled clip without what lies outside of this part of the picture.
    private func cropped(_ part: String) throws -> String {
        let file = folder.file("cropped.mp4").path
        try Program.tool(
            "ffmpeg",
            [
                "-v", "error", "-y", "-i", Program.clips.appending(path: "squat_45.mp4").path, "-vf", "crop=\(part)",
                file,
            ])
        return file
    }

    @Test(.enabled(if: Program.hasPoseModels, "the pose networks are not fetched: make models"))
    func `a body that the picture cuts has no score`() throws {
        // The clip has 480 x 640 pixels: without the feet, and without one side of the body.
        for part in ["480:420:0:0", "230:640:0:0"] {
            let file = try cropped(part)
            let segments = try #require(classify(file)["segments"] as? [[String: Any]])
            let segment = try #require(segments.first)
            #expect(segments.count == 1 && segment["label"] as? String == "squat" && segment["reps"] as? Int == 4)
            #expect(segment["poor_view"] as? Bool == true && segment["form"] == nil, "\(segment)")
            for repetition in try #require(segment["repetitions"] as? [[String: Any]]) {
                let measures = try #require(repetition["measures"] as? [String: [String: Any]])
                #expect(measures["knee_flexion"]?["missing"] as? String == "poor_view", "\(measures)")
                #expect(measures["seconds"]?["value"] is Double, "the time can be told")
            }
            #expect(try Program.run("classify", file).output.contains("none: the picture cuts the body"))
        }
        let whole = try #require(try (classify(cropped("480:640:0:0"))["segments"] as? [[String: Any]])?.first)
        #expect(whole["poor_view"] as? Bool == false && whole["form"] != nil, "\(whole)")
    }
}
