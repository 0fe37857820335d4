import Foundation
import TestSupport
import Testing

@Suite struct LabelTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A recording in which somebody does squats for twenty seconds.
    private func recording() throws -> String {
        let made = try Program.run(
            "synthesize", "--motion", "squat", "--clips", "1", "--seconds", "20", "--seed", "4", "-o", folder.url.path)
        try #require(made.status == 0, "\(made.messages)")
        let files = FileManager.default.enumerator(at: folder.url, includingPropertiesForKeys: nil)?.allObjects ?? []
        return try #require(files.compactMap { $0 as? URL }.first { $0.path.hasSuffix(".poses.jsonl") }).path
    }

    /// Labels a recording with the answers of a person.
    private func label(_ recording: String, _ list: URL, answers: String) throws -> Program.Result {
        try Program.shell(
            "printf '\(answers)' | \"$PROGRAM\" label \"$RECORDING\" -o \"$LIST\"",
            environment: ["PROGRAM": Program.executable.path, "RECORDING": recording, "LIST": list.path])
    }

    @Test func `every part with repetitions is asked for, and what is said is kept`() throws {
        let recording = try recording()
        let proposed = try Program.run("label", recording, "--json")
        let parts = try #require(
            try JSONSerialization.jsonObject(with: Data(proposed.output.utf8)) as? [[String: Any]])
        #expect(parts.count == 1 && parts[0]["looks_like"] as? String == "squat", "\(proposed.output)")
        #expect((parts.first?["repetitions"] as? Int ?? 0) >= 4)

        let list = folder.file("annotations.csv")
        let asked = try label(recording, list, answers: "Deep Squat\\ndeep_squat\\n")
        #expect(asked.status == 0 && asked.messages.contains("deep_squat"), "\(asked.messages)")
        let text = try String(contentsOf: list, encoding: .utf8)
        #expect(text.hasPrefix("file_name,label,start_time,end_time\n") && text.contains(",deep_squat,"), "\(text)")
        // The next run asks nothing more.
        let again = try label(recording, list, answers: "")
        #expect(again.messages.contains("of which 1 have a label"), "\(again.messages)")
        #expect(try String(contentsOf: list, encoding: .utf8) == text)
    }

    @Test func `parts can be left out, and all be taken at once`() throws {
        let recording = try recording()
        let list = folder.file("annotations.csv")
        let refused = try label(recording, list, answers: "n\\n")
        #expect(refused.messages.contains("Nothing was written"))
        #expect(!FileManager.default.fileExists(atPath: list.path))
        let all = try Program.run("label", recording, "-o", list.path, "--all", "squat")
        let text = try String(contentsOf: list, encoding: .utf8)
        #expect(all.status == 0 && text.contains(",squat,"))
        let elsewhere = try Program.run("label", recording, "-o", "/tmp/elsewhere/annotations.csv")
        #expect(elsewhere.status == 2 && elsewhere.messages.contains("one above"))
        #expect(try Program.run("label", "nowhere.mp4").status == 3)
    }
}
