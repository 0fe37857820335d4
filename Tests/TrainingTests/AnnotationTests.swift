import Foundation
import TestSupport
import Testing
import Training

/// Tests annotation files as programs and people write them.
@Suite struct AnnotationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ name: String, _ data: Data) throws -> [Annotation] {
        try data.write(to: folder.file(name))
        return try Annotation.read(folder.file(name))
    }

    private func read(_ name: String, _ text: String) throws -> [Annotation] { try read(name, Data(text.utf8)) }

    private static let truth = [
        Annotation(fileName: "a b.mov", label: "squat", start: 0, end: 8),
        Annotation(fileName: "é.mov", label: "lunge", start: 63.14, end: nil),
    ]

    @Test(arguments: [
        "file_name,label,start_time,end_time\na b.mov,squat,0,8\né.mov,lunge,63.14,\n",
        "file_name,label,start_time,end_time\r\n\"a b.mov\",\"squat\",\"00:00\",\"00:08\"\r\n\"é.mov\",lunge,01:03.14,\r\n",
        "file_name;label;start_time;end_time\r\na b.mov;squat;0;8,0\r\né.mov;lunge;63,14;\r\n",
        "sep=;\r\nfile_name;label;start_time;end_time\r\na b.mov;squat;0;8\r\né.mov;lunge;1:03,14;\r\n",
        "file_name\tlabel\tstart_time\tend_time\na b.mov\tsquat\t0\t0:00:08\né.mov\tlunge\t01:03.14\t\n",
        "File_Name, Label, Start_Time, End_Time\n a b.mov , squat, 0 , 8\né.mov,lunge,63.14\u{a0},\n,,,\n",
        "label,file_name,end_time,note,start_time,,\nsquat,a b.mov,8,x,0,,\nlunge,é.mov,,\"y, z\",\"63,14\",,\n",
    ])
    func `a table of a spreadsheet is read`(text: String) throws {
        #expect(try read("a.csv", text) == Self.truth)
        #expect(try read("a.csv", Data([0xEF, 0xBB, 0xBF]) + Data(text.utf8)) == Self.truth)
        for (mark, encoding) in [([0xFF, 0xFE], String.Encoding.utf16LittleEndian), ([0xFE, 0xFF], .utf16BigEndian)] {
            let wide = try #require(text.data(using: encoding))
            #expect(try read("a.csv", Data(mark.map { UInt8($0) }) + wide) == Self.truth)
        }
    }

    @Test(arguments: [
        #"{"start_time":0,"end_time":8}"#, #"{"start_time":"00:00","end_time":"00:08"}"#,
        #"{"start_time":"0","end_time":"8.0"}"#, #"{"end_time":8.0e0,"start_time":" 0 ","confidence":[1,{"x":2}]}"#,
    ])
    func `the times of a JSON file may be numbers and texts`(times: String) throws {
        let first = #"{"file_name":"a b.mov","label":"squat","# + times.dropFirst()
        let second = #"{"label":"lunge","file_name":"é.mov","start_time":"01:03.14","end_time":null}"#
        #expect(try read("a.json", "[\(first),\n \(second)]") == Self.truth)
    }

    @Test(
        arguments: [
            ("a.csv", "file_name,label,start_time\na.mov,squat,soon\n", 2, "3 (start_time)", "'soon' is no time"),
            ("a.csv", "file_name,label,start_time\na.mov,squat,00:75\n", 2, "3 (start_time)", "is no time"),
            ("a.csv", "file_name,label,start_time\n\"a\nb\",squat,0\nc,squat,nan\n", 4, "3 (start_time)", "is no time"),
            ("a.csv", "sep=;\nfile_name;label;start_time\na.mov;squat;1.000,5\n", 3, "3 (start_time)", "is no time"),
            ("a.csv", "file_name,label,start_time\na.mov,squat,1,5\n", 2, nil, "4 fields"),
            ("a.csv", "file_name,label\na.mov,Jumping Jacks\n", 2, "2 (label)", "write 'jumping_jacks'"),
            ("a.csv", "file_name,label\na.mov,no_person\n", 2, "2 (label)", "reserved"),
            ("a.csv", "file_name,label\n,squat\n", 2, "1 (file_name)", "empty"),
            ("a.csv", "file_name,label,label\na,b,c\n", 1, nil, "label twice"),
            ("a.csv", "file,label\na,b\n", 1, nil, "file_name"), ("a.csv", "", 1, nil, "empty"),
            (
                "a.json", "[{\"file_name\":\"a\",\"label\":\"b\",\n \"end_time\":\"x\"}]", 2, "2 (end_time)",
                "'x' is no time"
            ),
            ("a.json", "[{\"file_name\":\"a\",\"label\":\"b\"},\n  {\"file_name\":\"a\"}]", 2, "3 (label)", "lacks"),
            (
                "a.json", "[{\"file_name\":\"a]{\\\"\",\"label\":\"b\"},{\"file_name\":1,\"label\":[]}]", 1,
                "51 (label)", "write"
            ),
            ("a.json", "{}", nil, nil, "not a list"), ("a.json", "  ", nil, nil, "empty"),
        ] as [(String, String, Int?, String?, String)])
    func `what cannot be read is named with its line and column`(
        name: String, text: String, line: Int?, column: String?, words: String
    ) throws {
        let error = try #require(throws: TrainingError.self) { try read(name, text) }
        guard case .annotations(_, line, column, let reason) = error else { throw error }
        #expect(reason.contains(words), "\(reason)")
        #expect(!"\(error)".contains("rename its folder"))
    }

    @Test func `a mistake in JSON itself has a line`() throws {
        let error = try #require(throws: TrainingError.self) {
            try read("a.json", "[{\"file_name\":\"a\",\n\"label\":}]")
        }
        #expect("\(error)".contains("a.json, line 2, column 9: it is not valid JSON"), "\(error)")
    }

    @Test func `another encoding gets the right word`() throws {
        let rows = "file_name,label\na.mov,squat\nb\u{e9}.mov,squat\n"
        let latin = try #require(rows.data(using: .isoLatin1))
        let error = try #require(throws: TrainingError.self) { try read("a.csv", latin) }
        #expect("\(error)".contains("line 3") && "\(error)".contains("CSV UTF-8"), "\(error)")
        let bare = try #require(rows.data(using: .utf16LittleEndian))
        for name in ["a.csv", "a.json"] {
            let wide = try #require(throws: TrainingError.self) { try read(name, bare) }
            #expect("\(wide)".contains("UTF-16"), "\(wide)")
        }
    }

    @Test(
        arguments: [
            ("8", 8), ("08.50", 8.5), ("8,5", 8.5), ("1,2345", 1.2345), ("00:08", 8), ("01:03.14", 63.14),
            ("90:00", 5400),
            ("1:02:03.5", 3723.5), ("-1", -1), ("1,500", nil), ("1:2:3:4", nil), ("0:60", nil), ("1:-2", nil),
            ("", nil),
            (":", nil), ("inf", nil), ("nan", nil), ("0x10", nil), ("8 s", nil), ("1:60:00", nil), ("٣", nil),
        ] as [(String, Double?)])
    func `times are seconds, or minutes and seconds`(text: String, seconds: Double?) {
        #expect(ClockTime.seconds(text) == seconds)
    }
}
