import Foundation
import Poses
import TestSupport
import Testing

/// `spotter evaluate --tracking` with the real program.
@Suite struct TrackingCommandTests {
    private let temporary: TemporaryFolder

    init() throws { temporary = try TemporaryFolder() }

    private func path(_ name: String) -> String { temporary.url.appending(path: name).path }

    /// The truth about two people as a pose stream, and tracks that change the number of one of them half way.
    private func write() throws -> (truth: String, tracks: String) {
        let (truth, tracks) = (path("truth.poses.jsonl"), path("tracks.poses.jsonl"))
        try GroundTruth(clip: "two_people").writePoseStream(to: URL(filePath: truth))
        let lines = try String(contentsOfFile: truth, encoding: .utf8).split(separator: "\n")
        let middle = lines.count / 2
        let changed = lines.enumerated().map { $0 < middle ? $1 : $1.replacing("\"track\":1", with: "\"track\":5") }
        try changed.joined(separator: "\n").write(toFile: tracks, atomically: true, encoding: .utf8)
        return (truth, tracks)
    }

    @Test func `a switch of identity is found in pose streams and in the renderer's truth`() throws {
        let (truth, tracks) = try write()
        let clip = Program.clips.appending(path: "two_people.json").path
        for truth in [truth, clip] {
            let result = try Program.run("evaluate", "--tracking", tracks, "--truth", truth, "--json")
            #expect(result.status == 0, "\(result.messages)")
            let answer = try #require(
                JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
            let total = try #require(answer["total"] as? [String: Any])
            #expect(total["switches"] as? Int == 1 && total["missed"] as? Double == 0)
            let idf1 = try #require(total["idf1"] as? Double)
            #expect(abs(idf1 - 0.75) < 0.01)
            // The renderer tells what both did as well. The switch cuts one of the sessions.
            guard truth == clip else { continue }
            let right = try #require(total["right_minutes"] as? Double)
            #expect((0.5..<0.95).contains(right) && total["foreign_minutes"] as? Double == 0, "\(right)")
            #expect(total["sessions_per_person"] as? Double == 1.5)
        }
        let table = try Program.run("evaluate", "--tracking", tracks, tracks, "--truth", truth, clip)
        #expect(table.status == 0 && table.output.contains("all") && table.output.contains("0.75"), "\(table)")
    }

    @Test func `people who are hidden in a crowd are not missed, and a track on them is not false`() throws {
        let (truth, tracks) = (Program.clips.appending(path: "crowd.json").path, path("crowd.poses.jsonl"))
        try GroundTruth(clip: "crowd").writePoseStream(to: URL(filePath: tracks))
        let result = try Program.run("evaluate", "--tracking", tracks, "--truth", truth, "--json")
        let answer = try #require(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        let total = try #require(answer["total"] as? [String: Any])
        #expect(total["idf1"] as? Double == 1 && total["switches"] as? Int == 0 && total["missed"] as? Double == 0)
        let clips = try #require(answer["clips"] as? [[String: Any]])
        let counts = try #require(clips.first?["counts"] as? [String: Any])
        // Four people in 72 pictures. Two walk in, and all but one are hidden or outside for a while.
        let persons = try #require(counts["persons"] as? Int)
        #expect((150..<250).contains(persons) && (counts["stays"] as? [Any])?.count == 4, "\(persons)")
    }

    @Test func `wrong arguments and files are told with what to do`() throws {
        let (truth, tracks) = try write()
        for (arguments, status, words) in [
            (["--tracking", tracks], 2, "Give a truth for each pose stream"),
            (["model", "--truth", truth, "--tracking", tracks], 2, "measures no model"),
            ([], 2, "Give a model"),
            (["--tracking", path("none.poses.jsonl"), "--truth", truth], 3, "check the path"),
            (["--tracking", tracks, "--truth", path("none.json")], 3, "check the path"),
            (["--tracking", tracks, "--truth", "Tests/Fixtures/clips/README.md"], 74, "neither a pose stream"),
            (["--tracking", tracks, "--truth", "Tests/Fixtures/clips/squat_45.json"], 74, "different shapes"),
        ] as [([String], Int32, String)] {
            let result = try Program.run(["evaluate"] + arguments)
            #expect(result.status == status && result.messages.contains(words), "\(arguments): \(result)")
        }
    }
}
