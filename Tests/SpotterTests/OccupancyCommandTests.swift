import Foundation
import TestSupport
import Testing

/// `spotter history hours` and `weekdays`: tables, the heat map, CSV and JSON.
@Suite struct OccupancyCommandTests {
    private let demo: DemoHistory

    init() throws { demo = try DemoHistory() }

    private func objects(_ arguments: String...) throws -> [[String: Any]] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(demo.spotter(arguments).utf8)) as? [[String: Any]])
    }

    private func cells(_ text: String) -> [[String]] {
        text.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    }

    /// What the program prints on a terminal of 80 columns.
    private func onTerminal(_ environment: String, _ arguments: String) throws -> String {
        let command =
            "stty cols 80; env -u NO_COLOR TERM=xterm LC_ALL=C.UTF-8 \(environment) "
            + "'\(Program.executable.path)' \(arguments) --database '\(demo.database)'"
        return try Program.tool("script", ["-qec", command, "/dev/null"]).replacing("\r\n", with: "\n")
    }

    @Test func `a recording has its people in the hours in which it ran`() throws {
        let hours = try objects("history", "hours", "--json")
        #expect(hours.map { $0["hour"] as? Int } == Array(0..<24))
        let seen = hours.filter { $0["people"] != nil }
        #expect(!seen.isEmpty && seen.count <= 2, "the recording is half a minute long")
        #expect(seen.allSatisfy { ($0["people"] as? Double ?? 0) > 0.3 && ($0["most"] as? Int ?? 0) >= 1 })
        let watched = seen.reduce(0) { $0 + ($1["watched_seconds"] as? Double ?? 0) }
        #expect((20...100).contains(watched), "\(watched)")
        #expect(hours.reduce(0) { $0 + ($1["sessions"] as? Int ?? 0) } >= 1)
        let weekdays = try objects("history", "weekdays", "--json")
        #expect(weekdays.count == 168 && weekdays.first?["weekday"] as? Int == 1)
    }

    @Test func `CSV has the columns of JSON`() throws {
        let rows = cells(try demo.spotter("history", "weekdays", "--csv"))
        #expect(rows[0] == ["weekday", "hour", "people", "most", "sessions", "watched_seconds"] && rows.count == 169)
        for (row, object) in zip(rows.dropFirst(), try objects("history", "weekdays", "--json")) {
            #expect(Int(row[0]) == object["weekday"] as? Int && Int(row[1]) == object["hour"] as? Int)
            #expect(Double(row[2]) == object["people"] as? Double && Int(row[4]) == object["sessions"] as? Int)
        }
        #expect(cells(try demo.spotter("history", "hours", "--csv")).count == 25)
    }

    @Test func `the week is a map of digits in a pipe, and of shades on a terminal`() throws {
        let plain = try demo.spotter("history", "weekdays")
        let lines = plain.split(separator: "\n")
        #expect(lines[1].hasPrefix("Mon ") && lines[7].hasPrefix("Sun ") && lines.allSatisfy { $0.count <= 80 })
        #expect(plain.allSatisfy(\.isASCII) && plain.contains("People on average"))
        #expect(plain.contains("The node watched for"), "what is left out is told")
        let shaded = try onTerminal("", "history weekdays")
        #expect(shaded.contains("█") && shaded.contains("up to") && shaded.contains("\u{1B}["))
        for environment in ["NO_COLOR=1", "TERM=dumb"] {
            let digits = try onTerminal(environment, "history weekdays")
            #expect(!digits.contains("█") && !digits.contains("\u{1B}[") && digits.contains("-: not watched"))
        }
        let table = try demo.spotter("history", "weekdays", "--table").split(separator: "\n")
        #expect(table.count >= 169 && table[1].hasPrefix("Mon"))
    }

    @Test func `hours are a table or bars, and what does not suit them is refused`() throws {
        let lines = try demo.spotter("history", "hours").split(separator: "\n")
        #expect(lines[0].hasPrefix("HOUR") && lines[1].hasPrefix("00:00") && lines.allSatisfy { $0.count <= 80 })
        #expect(try demo.spotter("history", "hours", "--chart").contains("#"))
        for (table, option) in [("hours", ["--action", "squat"]), ("weekdays", ["--limit", "3"])] {
            let refused = try Program.run(["history", table] + option + ["--database", demo.database])
            #expect(refused.status == 2 && refused.messages.contains("does not suit \(table)"), "\(refused.messages)")
        }
        let nothing = try Program.run(
            "history", "weekdays", "--until", "2020-01-01", "--fail-empty", "--database", demo.database)
        #expect(nothing.status == 3 && nothing.output.hasPrefix("Nothing was seen"))
    }
}
