import Foundation
import TestSupport
import Testing

/// `spotter models list` and `models use`: the models of one's own beside the shipped one.
@Suite struct ModelsCommandTests {
    private let folder: TemporaryFolder
    private let database: String

    init() throws {
        folder = try TemporaryFolder()
        database = folder.file("spotter.db").path
        // A model of another name, of the same length, so that the header's size stays right.
        var model = try Data(contentsOf: Program.root.appending(path: "Models/exercises.safetensors"))
        let name = try #require(model.range(of: Data(#"\"name\":\"exercises\""#.utf8)))
        model.replaceSubrange(name, with: Data(#"\"name\":\"our_moves\""#.utf8))
        let own = folder.file("models")
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        try model.write(to: own.appending(path: "mine.safetensors"))
    }

    private func models(_ arguments: String...) throws -> Program.Result {
        try Program.run(["models"] + arguments + ["--database", database])
    }

    private func used() throws -> [String] {
        let result = try models("list", "--json")
        let rows = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
        #expect(rows.count == 2, "\(result.output)")
        return rows.filter { $0["in_use"] as? Bool == true }.compactMap { $0["name"] as? String }
    }

    @Test func `a model beside the database is listed and chosen for the next start`() throws {
        #expect(try used() == ["exercises"])
        let unknown = try models("use", "our_move")
        #expect(unknown.status == 3 && unknown.messages.contains("known: exercises, our_moves"), "\(unknown.messages)")
        let chosen = try models("use", "our_moves")
        #expect(chosen.status == 0 && chosen.output.contains("when it starts"), "\(chosen)")
        #expect(try used() == ["our_moves"])
        let table = try models("list").output.split(separator: "\n")
        #expect(table.allSatisfy { $0.prefix { $0 != "/" }.count <= 60 }, "\(table)")
        #expect(table.count { $0.hasPrefix("*  our_moves") } == 1, "\(table)")
        #expect(try models("use", "exercises").status == 0 && used() == ["exercises"])
    }

    /// SIGTERM follows the second restart after a moment: the old program shuts down, or the new one starts.
    @Test(arguments: [0, 0.003, 0.01, 0.03, 0.1])
    func `a running node restarts with the chosen model, and stops when told to meanwhile`(after delay: Double) throws {
        let stream = folder.file("demo.poses.jsonl")
        try GroundTruth(clip: "demo").writePoseStream(to: stream, times: 8)
        let node = try Program.start([
            "run", "--source", stream.path, "--realtime", "--no-mqtt", "--database", database,
        ])
        defer { if node.isRunning { node.terminate() } }
        let chosen = { try Program.sqlite(database, "SELECT v FROM meta WHERE k = 'model'") }
        let isReady = Program.wait {
            FileManager.default.fileExists(atPath: database)
                && (try? models("use", "our_moves").output.contains("restarts with")) == true
        }
        #expect(isReady && node.isRunning)
        #expect(try chosen() == ["our_moves"])
        // The node restarts now: it has the database, then nobody has, then the new one opens it.
        for _ in 0..<5 {
            let unknown = try models("use", "nothing")
            #expect(unknown.status == 3, "\(unknown)")
        }
        #expect(try chosen() == ["our_moves"])
        let isBack = try Program.wait { try models("use", "exercises").output.contains("restarts with") }
        #expect(try isBack && chosen() == ["exercises"])
        Thread.sleep(forTimeInterval: delay)
        node.terminate()
        let text = node.messages.whole()
        #expect(node.wait() == 0 && text.contains("our_moves"), "\(text)")
    }
}
