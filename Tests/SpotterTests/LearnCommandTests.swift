import Foundation
import History
import Records
import TestSupport
import Testing

/// Questions, answers and what they tell, at the command line.
@Suite struct LearnCommandTests {
    private let demo: DemoHistory
    private var folder: TemporaryFolder { demo.folder }
    private var database: String { demo.database }

    /// A history with ten answered sets of this week, nine of them right, and two questions that wait.
    init() throws {
        demo = try DemoHistory()
        // Of the export only the first row, which says how many follow.
        let first = try #require(try demo.spotter("export").split(separator: "\n").first)
        var lines = [first.replacing(/"rows":\d+/, with: "\"rows\":13")]
        let now = Date()
        let week = Question.week(of: now, in: .current)
        let (start, end) = (now.addingTimeInterval(-600), now.addingTimeInterval(-590))
        let moment = { (date: Date, number: Int) in Timestamp.text(date.addingTimeInterval(Double(number) * 20)) }
        for number in 0..<12 {
            let answer =
                number > 9
                ? ""
                : #""answer":"\#(number < 9 ? "squat" : "none")","answered":"\#(moment(end, number))","#
                    + (number < 9 ? #""answer_reps":8,"# : "")
            lines.append(
                #"{"table":"questions","kind":"set","sample":"random","reason":"random","weight":2,"week":"\#(week)","#
                    + #""camera":"rack1","start":"\#(moment(start, number))","end":"\#(moment(end, number))","#
                    + #""shown":"squat","reps":8,"likely":"squat lunge","model":"m@1",\#(answer)"poses":"\#(Self.poses)"}"#
            )
        }
        lines.append(
            #"{"table":"question_pools","week":"\#(week)","kind":"set","camera":"rack1","seen":24,"seconds":900.5}"#)
        let file = demo.folder.file("answers.jsonl")
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
        let report = try demo.spotter("import", file.path, "--json")
        #expect(report.contains(#""questions" : 12"#) || report.contains(#""questions":12"#), "\(report)")
    }

    /// Two seconds of somebody who stands, as SQLite writes them.
    private static let poses: String = {
        var bytes: [UInt8] = [1, 64, 1, 240, 0, 60, 0]
        for frame in 0..<60 {
            bytes += [UInt8((frame * 33) & 0xFF), UInt8((frame * 33) >> 8)]
            for joint in 0..<18 { bytes += [0, UInt8(100 + joint % 3), 0, UInt8(90 + 3 * joint), 230] }
        }
        return bytes.map { String(format: "%02X", $0) }.joined()
    }()

    private func spotter(_ arguments: String...) throws -> String { try demo.spotter(arguments) }

    private func rows(_ arguments: String...) throws -> [[String: Any]] {
        let text = try demo.spotter(arguments + ["--json"])
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    }

    @Test func `questions are listed, answered and deleted`() throws {
        #expect(try rows("learn", "list").count == 2 && rows("learn", "list", "--answered").count == 10)
        #expect(try spotter("learn", "list", "--answered", "--limit", "3").contains("squat, 8 repetitions"))
        #expect(try spotter("learn", "answer", "11", "squat", "--reps", "7").contains("squat, 7 repetitions"))
        #expect(try rows("learn", "list").count == 1)
        #expect(try spotter("learn", "delete", "12").contains("deleted"))
        let held = try Program.run("learn", "answer", "11", "plank", "--reps", "4", "--database", database)
        #expect(held.status == 2 && held.messages.contains("'plank' has no repetitions"), "\(held.messages)")
        let wrong = try Program.run("learn", "answer", "11", "squt", "--database", database)
        #expect(wrong.status == 3 && wrong.messages.contains("squat"), "\(wrong.status) \(wrong.messages)")
        #expect(try Program.run("learn", "answer", "99", "squat", "--database", database).messages.contains("99"))
    }

    @Test func `accuracy and the report about the node say the same`() throws {
        let told = try spotter("learn", "accuracy")
        #expect(told.hasPrefix("Right about 90 of 100 sets ("), "\(told)")
        #expect(told.contains("From 10 answers about 24 sets"))
        let report = try spotter("report", "--node")
        for line in told.split(separator: "\n") { #expect(report.contains(line), "\(line) in \(report)") }
        #expect(
            report.contains("CAMERA") && report.contains("rack1") && report.contains("LABEL")
                && report.contains("MONTH"))
        let json = try JSONSerialization.jsonObject(with: Data(spotter("report", "--node", "--json").utf8))
        let all = try #require((json as? [String: Any])?["accuracy"] as? [String: Any])
        let accuracy = try #require(try rows("learn", "accuracy").first)
        #expect(all["right"] as? [String: Double] == accuracy["right"] as? [String: Double])
        #expect(try rows("learn", "accuracy", "--by", "camera").first?["group"] as? String == "rack1")
        for arguments in [
            ["report"], ["report", "--node", "--name", "anna"], ["report", "--node", "--html", "x.html"],
        ] {
            let process = try Program.start(arguments + ["--database", database])
            #expect(process.wait() == 2, "\(arguments)")
        }
    }

    @Test func `answers leave for other gyms as clips, without day, camera or session`() throws {
        let clips = folder.file("answers")
        #expect(try spotter("learn", "export", clips.path).contains("10 clips of 2 labels"))
        let files = try FileManager.default.subpathsOfDirectory(atPath: clips.path).filter { $0.hasSuffix(".jsonl") }
        #expect(files.count == 10 && files.filter { $0.hasPrefix("squat/") }.count == 9)
        for file in files {
            let text = try String(contentsOf: clips.appending(path: file), encoding: .utf8)
            #expect(!text.contains("rack1") && !text.contains("202"), "\(text.prefix(300))")
        }
        // What was answered otherwise or deleted since then leaves the folder; what others put there stays.
        let foreign = clips.appending(path: "squat/elsewhere")
        try FileManager.default.createDirectory(at: foreign, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: clips.appending(path: files[0]), to: foreign.appending(path: "question-1.poses.jsonl"))
        #expect(try spotter("learn", "answer", "1", "lunge").contains("lunge"))
        _ = try spotter("learn", "delete", "2")
        #expect(try spotter("learn", "export", clips.path).contains("9 clips of 3 labels"))
        let left = try FileManager.default.subpathsOfDirectory(atPath: clips.path).filter { $0.hasSuffix(".jsonl") }
        #expect(left.count == 10 && left.filter { $0.hasPrefix("squat/") }.count == 8)
        #expect(
            left.filter { $0.hasPrefix("lunge/") }.count == 1 && left.contains("squat/elsewhere/question-1.poses.jsonl")
        )
        // A label without answers leaves no empty folder behind.
        _ = try spotter("learn", "answer", "1", "squat")
        _ = try spotter("learn", "export", clips.path)
        #expect(!FileManager.default.fileExists(atPath: clips.appending(path: "lunge").path))
        let evaluated = try Program.run("evaluate", "Models/exercises.safetensors", clips.path, "--json")
        #expect(evaluated.status == 0, "\(evaluated.messages)")
        // All answers are of one day and camera, so none can be held out.
        let model = folder.file("own.safetensors").path
        let empty = folder.file("empty")
        try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
        let alone = try Program.run("learn", "train", "-o", model, "--shared", empty.path, "--database", database)
        #expect(alone.messages.contains("nobody shared any yet") && alone.messages.contains("one day and camera"))
        let train = try Program.run(
            "learn", "train", "-o", model, "--shared", clips.path, "--database", database)
        #expect(train.status == 1 && train.messages.contains("one day and camera"), "\(train.messages)")
    }
}
