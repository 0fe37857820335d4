import Foundation
import Poses
import TestSupport
import Testing
import Web

@Suite struct ClipLibraryTests {
    private let folder: TemporaryFolder
    private let library: ClipLibrary

    init() throws {
        folder = try TemporaryFolder()
        library = ClipLibrary(folder: folder.file("clips"))
    }

    /// Half a second in which the left ankle is below the picture; the last of the frames shows nobody.
    private func clip(frames: Int = 15) -> LabelledClip {
        let keypoints = (0..<frames).flatMap { frame in
            (0..<18).flatMap { joint -> [Float] in
                frame == frames - 1 ? [0, 0, 0] : [0.5, joint == Joint.leftAnkle.rawValue ? 1.2 : 0.5, 0.9]
            }
        }
        return LabelledClip(name: "", label: "", group: "", rate: 30, aspect: 1.5, keypoints: keypoints)
    }

    private func save(_ label: String, _ person: String, _ time: String) throws -> ClipName {
        let name = try ClipName(label: label, person: person, time: time)
        try library.save(clip(), as: name)
        return name
    }

    @Test func `a saved clip lies where training looks for it, and is listed with its figures`() throws {
        let name = try save("squat", "anna", "20261122T101500123")
        #expect(name.path == "squat/anna/20261122T101500123.poses.jsonl")
        #expect(FileManager.default.fileExists(atPath: library.folder.appending(path: name.path).path))
        let row = try #require(library.clips().first)
        #expect(row.id == "squat.anna.20261122T101500123" && row.label == "squat" && row.person == "anna")
        let figures = try #require(row.figures)
        #expect(figures.seconds == 0.5 && abs(figures.seen - 14.0 / 15) < 0.001)
        #expect(figures.missing == ["left_ankle"] && abs(figures.cutOff - 1.0 / 12) < 0.001)
    }

    @Test(arguments: [
        ("../squat", "anna"), ("squat", ".."), ("squat", "a/b"), ("Squat", "anna"), ("", "anna"), ("squat", ""),
        ("squat", "Jürgen"), ("no_person", "anna"), ("squat", "a.b"), ("a_label_of_twenty_five_ch", "anna"),
    ])
    func `a label or a person that is no plain word is refused`(label: String, person: String) {
        #expect(throws: (any Error).self) { try ClipName(label: label, person: person, time: "20261122T101500123") }
    }

    @Test(arguments: ["", "squat", "squat.anna", "squat.anna.", "squat.anna...", "..", "squat.anna./etc", "a.b.c"])
    func `an id that is no clip's is refused`(id: String) {
        #expect(throws: (any Error).self) { try ClipName(id: id) }
    }

    @Test func `files of other names are neither listed nor touched`() throws {
        _ = try save("squat", "anna", "1")
        let foreign = library.folder.appending(path: "squat/anna/notes.poses.jsonl")
        try Data("mine".utf8).write(to: foreign)
        #expect(library.names().map(\.id) == ["squat.anna.1"])
        try library.delete(try ClipName(id: "squat.anna.1"))
        #expect(FileManager.default.fileExists(atPath: foreign.path))
    }

    @Test func `a relabelled clip moves, and never replaces another one`() throws {
        let (wrong, taken) = (try save("squat", "anna", "1"), try save("squat", "anna", "2"))
        #expect(try library.relabel(wrong, as: "lunge").id == "lunge.anna.1")
        #expect(Set(library.names().map(\.id)) == ["lunge.anna.1", "squat.anna.2"])
        _ = try save("lunge", "anna", "2")
        #expect(throws: (any Error).self) { try library.relabel(taken, as: "lunge") }
        #expect(throws: (any Error).self) { try library.relabel(taken, as: "../lunge") }
        #expect(library.names().count == 3)
    }

    @Test func `a deleted clip is gone, with the folders it leaves empty`() throws {
        let name = try save("squat", "anna", "1")
        try library.delete(name)
        #expect(library.names().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: library.folder.appending(path: "squat").path))
        #expect(throws: (any Error).self) { try library.delete(name) }
        #expect(throws: (any Error).self) { try library.replay(name) }
    }

    @Test func `a replay has whole numbers for every joint, and nothing for a frame without a person`() throws {
        let replay = try library.replay(try save("squat", "anna", "1"))
        #expect(replay.width == 1500 && replay.height == 1000 && replay.rate == 30 && replay.frames.count == 15)
        #expect(replay.frames[0]?.prefix(3) == [500, 500, 90] && replay.frames[0]?.count == 54)
        #expect(replay.frames[14] == nil)
    }

    @Test func `a label wants ten clips of two people, and a model wants something else than exercises`() throws {
        let names = try (0..<9).map { try ClipName(label: "squat", person: "anna", time: "\($0)") }
        let needs = LabelNeed.all(of: names)
        #expect(needs.map(\.label) == ["squat", "other"])
        #expect(needs[0].wantsClips == 1 && needs[0].wantsPersons == 1)
        #expect(needs[1].wantsClips == 10 && needs[1].wantsPersons == 2)
        let more = try [
            ClipName(label: "squat", person: "ben", time: "1"), ClipName(label: "none", person: "ben", time: "1"),
        ]
        let enough = LabelNeed.all(of: names + more)
        #expect(enough.map(\.label) == ["none", "squat"] && enough[1].wantsClips == 0 && enough[1].wantsPersons == 0)
        #expect(LabelNeed.all(of: []).isEmpty)
    }
}
