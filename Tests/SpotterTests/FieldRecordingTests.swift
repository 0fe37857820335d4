import Foundation
import TestSupport
import Testing

/// Recordings, lists and addresses as they come from the field.
@Suite struct FieldRecordingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Makes a video of a bundled clip.
    private func video(_ name: String, from clip: String, _ options: String...) throws -> String {
        let file = folder.file(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        let source = Program.clips.appending(path: clip + ".mp4").path
        let command = ["-v", "error", "-y", "-stream_loop", "1", "-i", source] + options + [file.path]
        try Program.tool("ffmpeg", command)
        return file.path
    }

    private func classify(_ file: String) throws -> (answer: [String: Any], result: Program.Result) {
        let result = try Program.run("classify", file, "--json")
        let answer = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        return (try #require(answer, "\(result.messages)"), result)
    }

    @Test(.enabled(if: Program.hasPoseModels, "the pose networks are not fetched: make models"))
    func `a pause in a recording costs no repetition`() throws {
        // Five jumping jacks, almost three minutes nothing, five jumping jacks.
        let file = try video(
            "burst.mp4", from: "jumping_jack_45", "-vf", "setpts='if(lt(N,201),N/30/TB,(N/30+180)/TB)'", "-fps_mode",
            "vfr", "-pix_fmt", "yuv420p")
        let (answer, result) = try classify(file)
        #expect(result.status == 0, "\(result.messages)")
        #expect((answer["reps"] as? [String: Int])?["jumping_jack"] == 10, "\(result.output)")
        let sets = try #require(answer["sets"] as? [[String: Any]])
        #expect(sets.map { $0["reps"] as? Int } == [5, 5], "\(sets)")
        #expect((sets.last?["start_s"] as? Double ?? 0) > 180)
        #expect((400...404).contains(answer["frames"] as? Int ?? 0))
    }

    @Test(.enabled(if: Program.hasPoseModels, "the pose networks are not fetched: make models"))
    func `what came before a break is given, with a warning and the exit code`() throws {
        let file = try video("whole.mp4", from: "squat_45", "-c", "copy", "-movflags", "faststart")
        var bytes = try Data(contentsOf: URL(filePath: file))
        let data = try #require(bytes.range(of: Data("mdat".utf8))).upperBound
        let kept = data + (bytes.count - data) / 2
        bytes.removeSubrange(kept...)
        try bytes.write(to: URL(filePath: file))
        let (answer, result) = try classify(file)
        #expect(result.status == 74 && result.messages.contains("it breaks off after"), "\(result.messages)")
        #expect(((answer["reps"] as? [String: Int])?["squat"] ?? 0) >= 3, "\(result.output)")
        let counted = try Program.run("count", "--action", "squat", file, "nowhere.mp4")
        #expect(counted.status == 3 && counted.messages.contains("it breaks off after"), "\(counted.messages)")
        #expect(counted.messages.contains("no such file: nowhere.mp4"), "\(counted.messages)")
        #expect(counted.output.contains("whole.mp4  squat"), "\(counted.output)")
        try labelAndMeasure(file)
    }

    /// Labels and measures a recording that breaks off.
    private func labelAndMeasure(_ file: String) throws {
        let squats = folder.file("cut/squat")
        try FileManager.default.createDirectory(at: squats, withIntermediateDirectories: true)
        let copy = squats.appending(path: "cut.mp4").path
        try FileManager.default.copyItem(atPath: file, toPath: copy)
        let cache = ["--cache", folder.file("poses").path]
        // The second time the poses are known.
        for _ in 0..<2 {
            let labelled = try Program.run(["label", copy, "--json"] + cache)
            #expect(labelled.status == 0 && labelled.messages.contains("it breaks off after"), "\(labelled.messages)")
            #expect(labelled.output.contains("\"looks_like\" : \"squat\""), "\(labelled.output)")
        }
        let evaluation = ["evaluate", "Models/exercises.safetensors", folder.file("cut").path]
        let measured = try Program.run(evaluation + ["--json"] + cache)
        #expect(measured.status == 0 && measured.messages.contains("What came before is used"), "\(measured.messages)")
        for arguments in [["label", copy, "--json"], evaluation] {
            let refused = try Program.run(arguments + ["--strict"] + cache)
            #expect(refused.status != 0 && refused.messages.contains("it breaks off after"), "\(refused.messages)")
            #expect(!refused.messages.contains("is used"))
        }
    }

    @Test(.enabled(if: Program.hasPoseModels, "the pose networks are not fetched: make models"))
    func `a camcorder's recording is labelled and measured like any other`() throws {
        let file = try video("film/squat/00001.MTS", from: "squat_45", "-c", "copy", "-f", "mpegts")
        // No cache: this folder lies below a file.
        try Data("x".utf8).write(to: folder.file("file"))
        let cache = ["--cache", folder.file("file/poses").path]
        let labelled = try Program.run(["label", file, "--all", "squat"] + cache)
        #expect(labelled.status == 0 && labelled.messages.contains("cannot be written"), "\(labelled.messages)")
        let list = folder.file("film/squat/annotations.csv").path
        for clips in [list, folder.file("film").path] {
            let arguments = ["evaluate", "Models/exercises.safetensors", clips, "--strict", "--json"]
            let result = try Program.run(arguments + (clips == list ? [] : cache))
            #expect(result.status == 0 && result.output.contains("squat"), "\(result.messages)")
        }
    }

    @Test func `a list whose only name is mistyped says so`() throws {
        let list = folder.file("list.csv")
        try Data("file_name,label\nsquat/typo.poses.jsonl,squat\nsquat/typo.mp4,squat\n".utf8).write(to: list)
        let result = try Program.run("evaluate", "Models/exercises.safetensors", list.path)
        #expect(result.status == 1, "\(result.messages)")
        #expect(result.messages.contains("squat/typo.poses.jsonl: cannot read"), "\(result.messages)")
        #expect(
            result.messages.contains("squat/typo.mp4: no such file") || !Program.hasPoseModels, "\(result.messages)")
    }

    @Test func `cameras test knows a snapshot, a stream without time stamps and an address without its scheme`() throws
    {
        let still = folder.file("one.jpg")
        try Program.tool(
            "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=160x120", "-frames:v", "1", still.path])
        let picture = try Data(contentsOf: still)
        let snapshot = try HTTPCamera(.parts([picture], type: "image/jpeg", everySeconds: 0))
        defer { snapshot.stop() }
        let single = try Program.run("cameras", "test", "http://127.0.0.1:\(snapshot.port)/snapshot.jpg")
        #expect(single.status == 69 && single.messages.contains("gives one picture; take"), "\(single.messages)")

        let noise = try (0..<40).map { index in
            let file = folder.file("noise\(index).jpg")
            try Program.tool(
                "ffmpeg",
                ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=160x120,noise=alls=20:all_seed=\(index)"]
                    + ["-frames:v", "1", file.path])
            let bytes = try Data(contentsOf: file)
            let head = "--b\r\nContent-Type: image/jpeg\r\nContent-Length: \(bytes.count)\r\n\r\n"
            return Data(head.utf8) + bytes + Data("\r\n".utf8)
        }
        let type = "multipart/x-mixed-replace; boundary=b"
        let camera = try HTTPCamera(.parts(noise, type: type, everySeconds: 0.2))
        defer { camera.stop() }
        let slow = try Program.run("cameras", "test", "http://127.0.0.1:\(camera.port)/", "--seconds", "3")
        #expect(slow.status == 0 && slow.output.contains("timed by arrival"), "\(slow)")

        let bare = try Program.run("cameras", "test", "192.168.1.20:554/stream")
        #expect(bare.status == 3 && bare.messages.contains("write rtsp://192.168.1.20:554/stream"), "\(bare.messages)")
    }
}
