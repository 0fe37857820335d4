import Foundation
import TestSupport
import Testing

/// From videos to a custom model, with the real program.
@Suite(.enabled(if: Program.hasPoseModels, "the pose networks are not fetched: make models"))
struct TrainingCommandTests {
    private let temporary: TemporaryFolder
    private var folder: URL { temporary.url }

    init() throws { temporary = try TemporaryFolder() }

    /// Two labels with two clips each, linked from the bundled ones.
    private func linkClips() throws {
        for (label, clips) in [
            "squat": ["squat_45", "squat_front"], "jack": ["jumping_jack_45", "jumping_jack_front"],
        ] {
            let place = folder.appending(path: "clips/\(label)")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            for clip in clips {
                try FileManager.default.createSymbolicLink(
                    at: place.appending(path: "\(clip).mp4"),
                    withDestinationURL: Program.clips.appending(path: "\(clip).mp4"))
            }
        }
    }

    @Test func `videos are trained on, their poses are kept, and the model is measured, shown and calibrated`() throws {
        try linkClips()
        let clips = folder.appending(path: "clips").path, cache = folder.appending(path: "cache").path
        let model = folder.appending(path: "own.safetensors").path, page = folder.appending(path: "own.html").path
        try Data().write(to: folder.appending(path: "clips/squat/broken.mp4"))
        let trained = try Program.run(
            "train", clips, "-o", model, "--epochs", "2", "--cache", cache, "--report", page, "--name", "own",
            "--force")
        #expect(trained.status == 0, "\(trained.messages)")
        #expect(trained.messages.contains("squat/broken.mp4"))
        let kept = try FileManager.default.contentsOfDirectory(atPath: cache)
        #expect(kept.count == 4 && kept.allSatisfy { $0.hasSuffix(".poses.jsonl") })
        #expect(try String(contentsOfFile: page, encoding: .utf8).contains("Training of own"))

        let measured = try Program.run("evaluate", model, clips, "--cache", cache, "--json")
        #expect(measured.status == 0 && measured.output.contains("\"macro_reported_recall\""), "\(measured.messages)")
        #expect(try Program.run("models", "verify", model).output.contains("good, 4 labels"))
        #expect(try Program.run("models", "list", folder.path).output.contains("own"))
        let shown = try Program.run("models", "compare", model, "Models/exercises.safetensors")
        #expect(shown.status == 0 && shown.output.contains("jack, none, other, squat"), "\(shown.messages)")
        let set = try Program.run("calibrate", model, "--minimum-confidence", "0.75", "-o", model)
        #expect(set.status == 0, "\(set.messages)")
        #expect(try Program.run("models", "show", model).output.contains("confidence 0.75"))
        let counting = try Program.run("calibrate", model, "--counting", "-o", model)
        #expect(counting.status == 0 && counting.messages.contains("1 exercise of the motion"), "\(counting.messages)")
        let strict = try Program.run("train", clips, "-o", model, "--epochs", "1", "--cache", cache, "--strict")
        #expect(strict.status == 1 && strict.messages.contains("broken.mp4"))
    }

    @Test func `an exercise is taught by one clip, and what was taught before is taught again`() throws {
        let kept = folder.appending(path: "taught").path, model = folder.appending(path: "gym.safetensors").path
        func teach(_ label: String, _ clip: String) throws -> (status: Int32, answer: [String: Any]) {
            let result = try Program.run(
                "teach", label, Program.clips.appending(path: clip).path, "--kept", kept, "-o", model, "--epochs", "2",
                "--rehearsal", "100", "--cache", folder.appending(path: "cache").path, "--json")
            let answer = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
            return (result.status, try #require(answer, "\(result.messages)"))
        }
        func labels(_ answer: [String: Any]) throws -> [String] {
            let verdict = try #require(answer["verdict"] as? [String: Any])
            return try #require(verdict["labels"] as? [[String: Any]]).compactMap { $0["label"] as? String }
        }
        let first = try teach("thruster", "squat_45.mp4")
        #expect(try labels(first.answer) == ["thruster"])
        let second = try teach("star_jump", "jumping_jack_45.mp4")
        #expect(try labels(second.answer) == ["star_jump", "thruster"])
        let output = try #require(second.answer["output"] as? String)
        #expect(
            output == (second.status == 0 ? model : model.replacing(".safetensors", with: "-not-ready.safetensors")))
        let shown = try Program.run("models", "show", output).output
        #expect(shown.contains("star_jump") && shown.contains("thruster") && shown.contains("push_up"))
        // The same clip lies there once; another one of the same name is another one.
        let elsewhere = folder.appending(path: "elsewhere/squat_45.mp4")
        try FileManager.default.createDirectory(
            at: elsewhere.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: Program.clips.appending(path: "squat_front.mp4"), to: elsewhere)
        for clip in [Program.clips.appending(path: "squat_45.mp4"), elsewhere] {
            _ = try Program.run(
                "teach", "thruster", clip.path, "--kept", kept, "-o", model, "--epochs", "1", "--rehearsal", "100",
                "--cache",
                folder.appending(path: "cache").path)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: kept + "/thruster")
        #expect(names.count == 2)
        // A recording may be called after the person in it.
        for name in names {
            let poses = try String(contentsOfFile: kept + "/thruster/" + name, encoding: .utf8)
            #expect(!name.contains("squat_45") && !poses.contains("squat_45"), "\(name)")
        }
        // Without a name all that is kept is learned again, and a program is told how far it is.
        let again = try Program.run(
            "teach", "--kept", kept, "-o", model, "--name", "again", "--force", "--epochs", "1", "--rehearsal", "100",
            "--progress", "json")
        let events = try again.output.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let shares = events.filter { $0["event"] as? String == "share" }.compactMap { $0["share"] as? Double }
        #expect(again.status == 0 && shares == shares.sorted() && shares.count > 2, "\(again.messages)")
        let done = try #require(events.last)
        #expect(
            done["event"] as? String == "done" && done["own_clips"] as? Int == 3 && done["output"] as? String == model)
        #expect(try #require(done["training_clips"] as? Int) > 200)
        #expect(try Program.run("teach", "Star Jump", "x.mp4", "--kept", kept).messages.contains("star_jump"))
        let lost = try Program.run("teach", "thruster", "nothing.mp4", "--kept", kept)
        #expect(lost.status == 3 && lost.messages.contains("nothing.mp4"), "\(lost.status) \(lost.messages)")
    }

    @Test func `clips that are learned from cannot be tested on`() throws {
        try linkClips()
        let clips = folder.appending(path: "clips").path
        let result = try Program.run(
            "train", clips, "-o", folder.appending(path: "x.safetensors").path, "--epochs", "1", "--cache",
            folder.appending(path: "cache").path, "--test", clips)
        #expect(result.status == 1 && result.messages.contains("training and test share"), "\(result.messages)")
    }

    @Test func `a recording becomes a labelled clip without its still ends`() throws {
        let result = try Program.run(
            "record", "--label", "squat", "--person", "anna", "--clips", folder.path, "--source",
            Program.clips.appending(path: "squat_45.mp4").path)
        #expect(result.status == 0, "\(result.messages)")
        let list = try Program.run("record", "--list", "--clips", folder.path)
        #expect(list.output.contains("squat") && list.output.contains("anna"), "\(list.output)")
        let still = try Program.run(
            "record", "--label", "squat", "--clips", folder.path, "--source",
            Program.clips.appending(path: "stand_45.mp4").path)
        #expect(still.status == 1 && still.messages.contains("no motion"), "\(still.messages)")
        #expect(try Program.run("record", "--label", "no_person", "--clips", folder.path).status == 1)
    }

    @Test func `a recording that cannot be made is refused before the countdown`() throws {
        let file = temporary.file("file")
        try Data().write(to: file)
        for (clips, status, reason) in [
            (folder.path, 69, "no camera at /dev/video99"), (file.path, 74, "Not a directory"),
        ] {
            let began = Date()
            let result = try Program.run(
                "record", "--label", "squat", "--clips", clips, "--source", "/dev/video99", "--countdown",
                "60")
            #expect(result.status == Int32(status) && result.messages.contains(reason), "\(result.messages)")
            #expect(Date().timeIntervalSince(began) < 50 && !result.messages.contains("60 …"), "\(result.messages)")
        }
    }

    @Test func `synthetic clips are written and read`() throws {
        let made = try Program.run(
            "synthesize", "--motion", "squat", "--motion", "walk", "--clips", "2", "-o", folder.path)
        #expect(made.status == 0, "\(made.messages)")
        let measured = try Program.run("evaluate", "Models/exercises.safetensors", folder.path, "--json")
        #expect(measured.status == 0 && measured.output.contains("synthetic") || measured.output.contains("squat_0"))
        #expect(try Program.run("synthesize", "--list").output.contains("pull_up"))
        #expect(try Program.run("synthesize", "--motion", "flying", "-o", folder.path).status == 2)
    }
}
