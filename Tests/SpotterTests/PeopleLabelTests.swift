import Foundation
import TestSupport
import Testing

/// `spotter label --people` and `spotter preview --people` with the real program.
@Suite struct PeopleLabelTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.url.appending(path: name).path }

    /// The poses of two people, one of whom does squats.
    private func recording() throws -> String {
        let stream = path("two.poses.jsonl")
        try GroundTruth(clip: "two_people").writePoseStream(to: URL(filePath: stream))
        return stream
    }

    @Test func `a proposal is written once, has no mistake of its own, and can be measured and drawn`() throws {
        let (stream, file) = (try recording(), path("two.people.csv"))
        let made = try Program.run("label", stream, "--people")
        #expect(made.status == 0 && made.messages.contains("spotter evaluate --tracking \(stream)"), "\(made)")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.hasPrefix("# video ") && text.contains("time,person,x,y,width,height,activity\n0,"))
        let again = try Program.run("label", stream, "--people")
        #expect(again.status == 74 && again.messages.contains("--force"), "\(again)")
        #expect(try Program.run("label", stream, "--people", "--every", "1", "--force").status == 0)
        let measured = try Program.run("evaluate", "--tracking", stream, "--truth", file, "--json")
        let answer = try #require(
            JSONSerialization.jsonObject(with: Data(measured.output.utf8)) as? [String: Any])
        let total = try #require(answer["total"] as? [String: Any])
        #expect(total["idf1"] as? Double == 1 && total["switches"] as? Int == 0, "\(total)")
        let drawn = try Program.run("preview", stream, "--people", file, "-o", path("drawn.mp4"))
        #expect(drawn.status == 0 && FileManager.default.fileExists(atPath: path("drawn.mp4")), "\(drawn)")
    }

    @Test func `people are split, joined and dropped, and listed`() throws {
        let (stream, file) = (try recording(), path("two.people.csv"))
        try #require(try Program.run("label", stream, "--people").status == 0)
        let before = try String(contentsOfFile: file, encoding: .utf8)
        let split = try Program.run("label", file, "--split", "1@2=9", "--json")
        #expect(split.status == 0, "\(split)")
        let answer = try #require(JSONSerialization.jsonObject(with: Data(split.output.utf8)) as? [String: Any])
        let people = try #require(answer["people"] as? [[String: Any]])
        #expect(people.map { $0["person"] as? Int } == [1, 2, 9] && people[2]["start_s"] as? Double == 2, "\(people)")
        #expect(try Program.run("label", file, "--join", "9=1").status == 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == before)
        let dropped = try Program.run("label", file, "--drop", "2", "-o", path("one.people.csv"))
        #expect(dropped.status == 0 && dropped.output.contains("1 person"), "\(dropped)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == before)
    }

    @Test func `wrong arguments and files are told with what to do`() throws {
        let (stream, file) = (try recording(), path("two.people.csv"))
        try #require(try Program.run("label", stream, "--people").status == 0)
        let bad = path("bad.people.csv")
        try "# video a.mp4 640x480\ntime,person,x,y\n0,1,384,0.5\n".write(
            toFile: bad, atomically: true, encoding: .utf8)
        for (arguments, status, words) in [
            ([stream, "--join", "7=3"], 2, "change a file"),
            ([file, "--people"], 2, "takes the video"),
            ([stream, "--people", "--all", "squat"], 2, "leave it out"),
            ([stream, "--people", "--every", "0"], 2, "--every takes"),
            ([stream, "--people", "-o", path("two.csv")], 2, "must end in .people.csv"),
            ([file, "--join", "7"], 2, "such as 7=3"),
            ([file, "--split", "3"], 2, "such as 3@41.5=9"),
            ([file, "--join", "7=1"], 2, "there is no person 7"),
            ([file, "--join", "1=2"], 2, "both in view"),
            ([file, "--drop", "1", "-o", bad], 74, "--force"),
            ([path("none.people.csv")], 3, "check the path"),
            ([bad], 74, "line 3, column 3 (x): '384' is no share"),
            (["nowhere.mp4", "--people"], 3, "nowhere.mp4"),
        ] as [([String], Int32, String)] {
            let result = try Program.run(["label"] + arguments)
            #expect(result.status == status && result.messages.contains(words), "\(arguments): \(result)")
        }
    }
}
