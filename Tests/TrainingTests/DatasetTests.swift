import Foundation
import NeuralNet
import Poses
import Testing
import Training

@Suite struct DatasetTests {
    @Test(arguments: 0..<20)
    func `a split never separates a group, and holds out about its share`(seed: Int) {
        let clips = ToyClips.all(perLabel: 40)
        let (training, validation) = Dataset.split(clips, validationShare: 0.2, seed: UInt64(seed))
        #expect(training.count + validation.count == clips.count)
        #expect(Set(training.map(\.group)).isDisjoint(with: validation.map(\.group)))
        for label in ToyClips.labels { #expect((6...10).contains(validation.count { $0.label == label })) }
    }

    @Test func `a label with a single group stays in training`() {
        let clips = ToyClips.all(perLabel: 10).map { $0.label == "squat" ? $0.with(group: "one person") : $0 }
        let (training, validation) = Dataset.split(clips, validationShare: 0.2, seed: 1)
        #expect(training.count { $0.label == "squat" } == 10)
        #expect(!validation.isEmpty)
    }

    @Test func `a validation share of 0 means no validation`() {
        #expect(Dataset.split(ToyClips.all(perLabel: 10), validationShare: 0, seed: 1).validation.isEmpty)
    }

    /// Runs `body` with a folder of these files and removes the folder afterwards.
    private func withFolder(_ files: [String], _ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        for file in files {
            let url = folder.appending(path: file)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            // A text is no clip, whatever its name.
            try Data(url.pathExtension == "jsonl" ? "".utf8 : "notes".utf8).write(to: url)
        }
        try body(folder)
    }

    private struct Damaged: Error, CustomStringConvertible { var description: String { "line 3 is damaged" } }

    private func read(_ url: URL) throws -> LabelledClip? {
        if url.lastPathComponent.hasPrefix("bad") { throw Damaged() }
        if url.lastPathComponent.hasPrefix("empty") { return nil }
        return ToyClips.clip(1, label: "anything").with(group: url.lastPathComponent.hasPrefix("anna") ? "anna" : "")
    }

    private let files = [
        "squat/anna1.poses.jsonl", "squat/ben/1.poses.jsonl", "squat/notes.txt", "none/bad.poses.jsonl",
        "none/empty.poses.jsonl", "none/carl.poses.jsonl", "readme.md", "lunge/notes.txt",
    ]

    @Test func `a folder per label is read, and what cannot be read is listed with its reason`() throws {
        try withFolder(files) { folder in
            let dataset = try Dataset.load(folder: folder, read: read)
            #expect(dataset.clips.map(\.label) == ["none", "squat", "squat"])
            #expect(dataset.clips[2].name == "squat/ben/1.poses.jsonl")
            #expect(dataset.clips.map(\.group) == ["none/carl.poses.jsonl", "anna", "ben"])
            #expect(
                dataset.rejected == [
                    RejectedClip(name: "lunge", reason: "the folder holds no video and no .poses.jsonl"),
                    RejectedClip(name: "none/bad.poses.jsonl", reason: "line 3 is damaged"),
                    RejectedClip(name: "none/empty.poses.jsonl", reason: "it shows nobody"),
                ])
        }
    }

    @Test func `links are followed, and a circle of links ends`() throws {
        try withFolder(["squat/anna1.poses.jsonl"]) { folder in
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "none"), withDestinationURL: folder.appending(path: "squat"))
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "squat/again"), withDestinationURL: folder.appending(path: "squat"))
            let dataset = try Dataset.load(folder: folder, read: read)
            #expect(Set(dataset.clips.map(\.label)) == ["none", "squat"])
        }
    }

    @Test func `in strict mode a single bad clip is an error`() throws {
        try withFolder(files) { folder in
            #expect(throws: TrainingError.self) { try Dataset.load(folder: folder, isStrict: true, read: read) }
        }
    }

    @Test func `a reserved or malformed label, an empty and a missing folder are named`() throws {
        try withFolder(["no_person/a.poses.jsonl"]) { folder in
            #expect(throws: TrainingError.labelReserved(label: "no_person")) {
                try Dataset.load(folder: folder, read: read)
            }
        }
        try withFolder(["Jumping Jack/a.poses.jsonl"]) { folder in
            #expect(throws: TrainingError.labelMalformed(label: "Jumping Jack", suggestion: "jumping_jack")) {
                try Dataset.load(folder: folder, read: read)
            }
        }
        try withFolder(["squat/a.txt"]) { folder in
            let rejected = [RejectedClip(name: "squat", reason: "the folder holds no video and no .poses.jsonl")]
            #expect(throws: TrainingError.noClips(source: folder.path, rejected: rejected)) {
                try Dataset.load(folder: folder, read: read)
            }
        }
        #expect(throws: TrainingError.self) { try Dataset.load(folder: URL(filePath: "/no/such/folder"), read: read) }
    }

    @Test func `clips that cannot be learned from are left out with the reason`() {
        func clip(_ name: String, rate: Double = 30, aspect: Float = 1, keypoints: [Float]) -> LabelledClip {
            LabelledClip(name: name, label: "a", group: "", rate: rate, aspect: aspect, keypoints: keypoints)
        }
        let good = ToyClips.clip(1, label: "squat").keypoints
        let prepared = Dataset(clips: [
            clip("good", keypoints: good), clip("ragged", keypoints: [1, 2, 3]), clip("empty", keypoints: []),
            clip("nobody", keypoints: [Float](repeating: 0, count: 90 * 54)), clip("rate", rate: 0, keypoints: good),
            clip("aspect", aspect: .nan, keypoints: good), clip("infinite", keypoints: good.map { $0 / 0 }),
            clip("short", keypoints: Array(good.prefix(19 * 54))),
            clip("half", keypoints: Array(good.prefix(35 * 54))), clip("slow", rate: 15, keypoints: good),
        ]).prepared(rate: 30, windowFrames: 60)
        #expect(prepared.clips.map(\.name) == ["good", "half", "slow"])
        // The short clip runs back and forth.
        let half = prepared.clips[1]
        #expect(half.frames == 60)
        let xs = (0..<60).map { half.keypoints[$0 * 54] }
        #expect(Array(xs[34..<59]) == Array(xs[10...34].reversed()))
        #expect(prepared.clips.allSatisfy { $0.rate == 30 })
        #expect(prepared.rejected.map(\.name) == ["ragged", "empty", "nobody", "rate", "aspect", "infinite", "short"])
    }

    @Test func `a clip that is there twice is learned once, and named`() {
        let clip = ToyClips.clip(1, label: "squat")
        var data = Dataset(clips: [clip, ToyClips.clip(2, label: "squat"), clip.with(name: "jack/copy", label: "jack")])
        data.rejectDoubles()
        #expect(data.clips.map(\.name) == ["squat/1", "squat/2"])
        #expect(data.rejected.map(\.name) == ["jack/copy"] && data.rejected[0].reason.contains("squat/1"))
    }

    @Test func `the digest depends on the clips, and not on their order`() {
        let clips = ToyClips.all(perLabel: 3)
        let digest = Dataset.digest(of: clips)
        #expect(digest == Dataset.digest(of: clips.reversed()))
        var changed = clips
        changed[4].keypoints[100] += 1e-6
        #expect(digest != Dataset.digest(of: changed))
        #expect(digest != Dataset.digest(of: Array(clips.dropLast())))
    }
}
