import Foundation
import TestSupport
import Testing
import Training

/// Files `*.people.csv`: reading, changing and writing.
@Suite struct PeopleLabelsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func labels(_ text: String) throws -> PeopleLabels {
        let file = folder.file("gym.people.csv")
        try text.write(to: file, atomically: true, encoding: .utf8)
        return try PeopleLabels(contentsOf: file)
    }

    private static let good = """
        # video my gym.mp4 1920x1080
        # 1 has a red shirt
        time,person,x,y,width,height,activity
        0,1,0.25,0.5,0.1,0.6,squat
        0,2,0.75,0.5,,,
        0.5,2,0.7,0.5,,,
        1,1,0.35,0.5,0.1,0.4,
        00:02,,,,,,

        """

    @Test func `a file that somebody wrote by hand is read`() throws {
        let labels = try labels(Self.good)
        #expect(labels.video == "my gym.mp4" && labels.width == 1920 && labels.height == 1080)
        #expect(labels.remarks == ["1 has a red shirt"] && labels.people == [1, 2] && labels.rows.count == 4)
        #expect(labels.rows[0].activity == "squat" && labels.rows[0].size == SIMD2(0.1, 0.6))
        #expect(labels.rows[1].size == nil && labels.rows[1].place == SIMD2(0.75, 0.5))
        #expect(labels.emptyTimes == [2] && labels.times == [0, 0.5, 1, 2] && labels.intervalSeconds == 0.5)
    }

    @Test func `the example of the documentation is read`() throws {
        let page = try String(contentsOfFile: "Sources/Node/spotter/Spotter.docc/YourOwnExercises.md", encoding: .utf8)
        let block = try #require(page.split(separator: "```csv\n").last?.split(separator: "```").first)
        let labels = try labels(String(block))
        #expect(labels.people == [1, 2] && labels.emptyTimes == [1] && labels.rows.last?.visibleShare == 0.3)
    }

    @Test func `a spreadsheet's separators, commas and quotes are understood`() throws {
        let other = try labels(
            """
            "# video my gym.mp4 1920x1080";;;;;;;
            # 1 has a red shirt;;;;;;;
            time;person;x;y;width;height;activity;visible
            0;1;0,25;0,5;0,1;0,6;squat;0,25
            """)
        #expect(other.video == "my gym.mp4" && other.remarks == ["1 has a red shirt"])
        #expect(other.rows.map(\.place) == [SIMD2(0.25, 0.5)] && other.rows[0].visibleShare == 0.25)
    }

    @Test func `what is written is read again`() throws {
        var read = try labels(Self.good)
        #expect(try labels(read.text) == read && read.text == Self.good.replacing("00:02", with: "2"))
        read.rows[1].visibleShare = 0.125
        #expect(try labels(read.text) == read)
    }

    @Test(arguments: [
        ("0,1,0.2,1.5,,,", 3, "4 (y)", "'1.5' is no share"),
        ("0,1,384,0.5,,,", 3, "3 (x)", "'384' is no share"),
        ("0,1,0.2,,,,", 3, "4 (y)", "it is empty"),
        ("0,1,0.2,0.5,0.1,,", 3, "6 (height)", "it is empty"),
        ("0,1,0.2,0.5,0,0.1,", 3, "5 (width)", "side of 0"),
        ("0,anna,0.2,0.5,,,", 3, "2 (person)", "whole number"),
        ("0,,0.2,0.5,,,", 3, "2 (person)", "person's number"),
        ("soon,1,0.2,0.5,,,", 3, "1 (time)", "is no time"),
        ("0,1,0.2,0.5,,,Deep Squat", 3, "7 (activity)", "write 'deep_squat'"),
        ("0,1,0.2,0.5,,,\n# twice\n0,1,0.3,0.5,,,", 5, "2 (person)", "delete one of the two"),
        ("0,1,0.2", 3, nil, "3 fields"),
    ])
    func `a bad row is told with its line and what to write`(
        rows: String, line: Int, column: String?, words: String
    ) throws {
        let text = "# video gym.mp4 640x480\ntime,person,x,y,width,height,activity\n" + rows
        do {
            _ = try labels(text)
            Issue.record("\(rows) was read")
        } catch IdentityStreamError.badPeople(_, let found, let where_, let reason) {
            #expect(found == line && where_ == column && reason.contains(words), "\(reason)")
        }
    }

    @Test func `a file without its size, its columns or itself is told`() throws {
        let none = folder.file("none.people.csv")
        #expect(throws: IdentityStreamError.unreadable(path: none.path, reason: "No such file or directory")) {
            try PeopleLabels(contentsOf: none)
        }
        for (text, words) in [
            ("time,person,x,y\n0,1,0.5,0.5\n", "# video gym.mp4 1920x1080"),
            ("# video gym.mp4 640x480\n\ntime,person,x\n0,1,0.5\n", "line 3: the first line does not name the column"),
            ("# video gym.mp4 640x480\n", "the file is empty"),
        ] {
            do {
                _ = try labels(text)
                Issue.record("\(text) was read")
            } catch {
                #expect("\(error)".contains(words) && "\(error)".contains("spotter label VIDEO --people"), "\(error)")
            }
        }
    }

    @Test func `people are split, joined and dropped`() throws {
        var labels = try labels(Self.good)
        try labels.split(1, at: 0.5, to: 3)
        #expect(labels.people == [1, 2, 3] && labels.rows.filter { $0.person == 3 }.map(\.time) == [1])
        try labels.join(3, to: 1)
        #expect(labels == (try self.labels(Self.good)))
        try labels.drop(2)
        #expect(labels.people == [1] && labels.emptyTimes == [0.5, 2])
    }

    @Test func `what cannot be changed is told, and nothing changes`() throws {
        let before = try labels(Self.good)
        var labels = before
        #expect(throws: PeopleLabelsError.bothInView(first: 2, second: 1, time: 0)) { try labels.join(2, to: 1) }
        #expect(throws: PeopleLabelsError.noSuchPerson(number: 7, known: [1, 2])) { try labels.join(7, to: 1) }
        #expect(throws: PeopleLabelsError.noSuchPerson(number: 7, known: [1, 2])) { try labels.drop(7) }
        #expect(throws: PeopleLabelsError.nothingToSplit(number: 1, time: 9)) { try labels.split(1, at: 9, to: 3) }
        #expect(throws: PeopleLabelsError.numberTaken(number: 2, free: 3)) { try labels.split(1, at: 1, to: 2) }
        #expect(labels == before)
    }
}
