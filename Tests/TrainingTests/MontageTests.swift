import Foundation
import Testing
import Training

@Suite struct MontageTests {
    /// Writes an annotation file, loads it with recordings of 3 s at 30 Hz, and removes it.
    private func load(_ name: String, _ text: String, isStrict: Bool = false) throws -> Dataset {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: name)
        try Data(text.utf8).write(to: file)
        return try Dataset.load(annotations: file, isStrict: isStrict) { url in
            struct Missing: Error, CustomStringConvertible { var description: String { "no such file" } }
            if url.lastPathComponent.hasPrefix("missing") { throw Missing() }
            if url.lastPathComponent.hasPrefix("empty") { return nil }
            return ToyClips.clip(1, label: "anything").with(group: "")
        }
    }

    @Test func `a CSV file cuts recordings, whose parts are one group`() throws {
        let dataset = try load(
            "montage.csv",
            "start_time,file_name,label,end_time,note\r\n0.5,a.mp4,squat,1.5,\r\n1.5,a.mp4,none,,\"quoted, \"\"so\"\"\"\r\n"
        )
        #expect(dataset.clips.map(\.label) == ["squat", "none"])
        #expect(dataset.clips.map(\.frames) == [30, 45])
        #expect(Set(dataset.clips.map(\.group)) == ["a.mp4"])
        let whole = ToyClips.clip(1, label: "anything")
        #expect(dataset.clips[0].keypoints == Array(whole.keypoints[15 * 54..<45 * 54]))
        #expect(dataset.rejected.isEmpty)
    }

    @Test func `a JSON file does the same`() throws {
        let dataset = try load(
            "montage.json",
            #"[{"file_name":"b.mp4","label":"squat","start_time":0,"end_time":2},{"file_name":"c.mp4","label":"none"}]"#
        )
        #expect(dataset.clips.map(\.frames) == [60, 90])
        #expect(dataset.clips.map(\.group) == ["b.mp4", "c.mp4"])
    }

    @Test func `parts that do not exist and recordings that cannot be read are listed`() throws {
        let text = """
            file_name,label,start_time,end_time
            a.mp4,squat,0,1
            a.mp4,squat,5,6
            a.mp4,squat,2,1
            a.mp4,squat,-1,1
            empty.mp4,squat,0,1
            missing.mp4,squat,0,1
            """
        let dataset = try load("montage.csv", text)
        #expect(dataset.clips.count == 1)
        #expect(dataset.rejected.count == 5)
        #expect(dataset.rejected.contains(RejectedClip(name: "missing.mp4", reason: "no such file")))
        #expect(throws: TrainingError.self) { try load("montage.csv", text, isStrict: true) }
    }

    @Test(
        arguments: [
            ("montage.csv", "", 1), ("montage.csv", "file,label\na,b\n", 1),
            ("montage.csv", "file_name,label,start_time\na.mp4,squat,soon\n", 2),
            ("montage.csv", "file_name,label\n\"a\nb\",squat\nc,squat,1\n", 4), ("montage.json", "{}", nil),
        ] as [(String, String, Int?)])
    func `a malformed file is an error that names the line`(name: String, text: String, line: Int?) throws {
        let error = #expect(throws: TrainingError.self) { try load(name, text) }
        guard case .annotations(_, line: line, _, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
