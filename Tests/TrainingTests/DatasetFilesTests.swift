import Foundation
import TestSupport
import Testing
import Training

/// Tests which files of a folder are clips, and that none is left out without a word.
@Suite struct DatasetFilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ name: String, _ content: Data = Data([0, 0, 0, 1])) throws {
        let file = folder.file(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try content.write(to: file)
    }

    private struct Broken: Error, CustomStringConvertible { var description: String { "no video" } }

    private func load(isStrict: Bool = false) throws -> Dataset {
        try Dataset.load(folder.url, isStrict: isStrict) { url in
            if url.lastPathComponent.contains("broken") { throw Broken() }
            return ToyClips.clip(1, label: "x").with(group: "")
        }
    }

    @Test func `a recording is one whatever its name`() throws {
        for name in ["00001.MTS", "a.M2TS", "b.Mov", "c.vob", "without_suffix", "d.poses.jsonl"] {
            try write("squat/\(name)")
        }
        try write("squat/notes.txt", Data("Filmed on Monday.".utf8))
        try write("squat/truth.json", Data("{}".utf8))
        try write("squat/.hidden")
        let data = try load(isStrict: true)
        #expect(data.clips.count == 6 && data.rejected.isEmpty, "\(data.rejected)")
        #expect(try Dataset.videos(in: folder.url).count == 5)
    }

    @Test func `text under the name of a video is listed`() throws {
        try write("squat/a.poses.jsonl")
        try write("squat/broken.mp4", Data("version https://git-lfs".utf8))
        try write("squat/broken_without_suffix", Data())
        #expect(try load().rejected.map(\.reason) == ["no video", "no video"])
    }

    @Test func `where no clip can be used, every reason is told`() throws {
        for number in 0..<30 { try write("squat/broken\(number).vob") }
        try write("loose.mp4")
        let error = try #require(throws: TrainingError.self) { try load() }
        for number in 0..<30 { #expect("\(error)".contains("squat/broken\(number).vob: no video")) }
        #expect("\(error)".contains("loose.mp4: it lies in no label's folder"))
        let strict = try #require(throws: TrainingError.self) { try load(isStrict: true) }
        #expect("\(strict)".contains("squat/broken29.vob: no video"))
    }

    @Test func `an annotation list without a usable part says why`() throws {
        let list = folder.file("list.csv")
        let text = "file_name,label,start_time,end_time\nbroken.mp4,squat,0,1\na.mp4,squat,20,28\n"
        try Data(text.utf8).write(to: list)
        let error = try #require(throws: TrainingError.self) {
            try Dataset.load(list) { url in
                if url.lastPathComponent == "broken.mp4" { throw Broken() }
                return ToyClips.clip(1, label: "x")
            }
        }
        #expect("\(error)".contains("broken.mp4: no video"), "\(error)")
        #expect("\(error)".contains("it lasts 3.0 s") && !"\(error)".contains("folder"), "\(error)")
    }

    @Test func `an end behind the recording's end is said`() throws {
        let list = folder.file("list.csv")
        let text = "file_name,label,start_time,end_time\na.mp4,squat,0,800\nb.mp4,squat,0,3.4\n"
        try Data(text.utf8).write(to: list)
        let data = try Dataset.load(list, isStrict: true) { _ in ToyClips.clip(1, label: "x") }
        #expect(data.clips.count == 2 && data.remarks.count == 1)
        #expect(data.remarks[0].contains("a.mp4 0.0 to 800.0: the recording ends at 3.0 s"), "\(data.remarks)")
    }

    @Test func `the parts of a published data set are not taken for labels`() throws {
        for name in ["train/squat/a.mp4", "test/squat/b.mp4", "train/lunge/c.mp4"] { try write(name) }
        let error = try #require(throws: TrainingError.self) { try load() }
        #expect("\(error)".contains("test, train") && "\(error)".contains("--test"), "\(error)")
        // A label may be called so.
        try write("test/a.mp4")
        #expect(try load().clips.map(\.label) == ["test", "test", "train", "train"])
    }

    @Test(arguments: [("Kniebeuge é.mp4", "Kniebeuge e\u{301}.mp4"), ("a/e\u{301}/ü.mp4", "a/é/u\u{308}.mp4")])
    func `a name in a list finds the file whose letters are composed otherwise`(listed: String, stored: String) throws {
        try write(stored)
        try Data("file_name,label\n\(listed),squat\n".utf8).write(to: folder.file("list.csv"))
        let data = try Dataset.load(folder.file("list.csv"), isStrict: true) { url in
            #expect(FileManager.default.fileExists(atPath: url.path), "\(url.path)")
            return ToyClips.clip(1, label: "x")
        }
        #expect(data.clips.count == 1)
        #expect(FileManager.default.fileExists(atPath: try Dataset.videos(in: folder.file("list.csv"))[0].path))
    }
}
