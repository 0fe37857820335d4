import Foundation
import TestSupport
import Testing

/// The history at the command line: tables, charts, export and import.
@Suite struct HistoryCommandTests {
    private let demo: DemoHistory
    private var folder: TemporaryFolder { demo.folder }
    private var database: String { demo.database }

    init() throws { demo = try DemoHistory() }

    private func spotter(_ arguments: String...) throws -> String { try demo.spotter(arguments) }

    /// What the program prints on a terminal of this width.
    private func onTerminal(_ columns: Int, _ environment: String, _ arguments: String) throws -> String {
        let command =
            "stty cols \(columns); env -u NO_COLOR TERM=xterm LC_ALL=C.UTF-8 \(environment) "
            + "'\(Program.executable.path)' \(arguments) --database '\(database)'"
        return try Program.tool("script", ["-qec", command, "/dev/null"]).replacing("\r\n", with: "\n")
    }

    @Test func `sets, days and a session can be looked at as tables, JSON, CSV and charts`() throws {
        let sets = try spotter("history", "sets", "--json")
        let list = try #require(try JSONSerialization.jsonObject(with: Data(sets.utf8)) as? [[String: Any]])
        #expect(!list.isEmpty && list.allSatisfy { ($0["reps"] as? Int ?? 0) >= 2 })
        let csv = try spotter("history", "sets", "--csv").split(separator: "\n")
        #expect(csv.count == list.count + 1 && csv[0].hasPrefix("session,number,camera"))
        #expect(try spotter("history", "sets", "--action", "burpee", "--tz", "Asia/Tokyo").contains("burpee"))
        #expect(try spotter("history", "sets", "--action", "push_up", "--json") == "[]\n")
        let days = try spotter("history", "days", "--chart").split(separator: "\n")
        #expect(days[0].contains("1 session") && days.dropFirst().allSatisfy { $0.contains("#") })
        #expect(try spotter("history", "actions", "--chart").contains("#"))
        let id = try #require(list[0]["session"] as? String)
        let show = try spotter("session", "show", id)
        #expect(show.contains("##") && show.contains("SET"))
        #expect(try Program.run("history", "days", "--chart", "--json", "--database", database).status == 2)
    }

    @Test func `tables fit 80 columns, and short ids name a session`() throws {
        for table in ["actions", "sessions", "sets", "days", "predictions"] {
            let lines = try spotter("history", table).split(separator: "\n")
            #expect(lines.count > 1 && lines.allSatisfy { $0.count <= 80 }, "\(lines)")
        }
        let lines = try spotter("history", "sessions").split(separator: "\n")
        let short = try #require(lines[1].split(separator: " ").first.map(String.init))
        let shown = try spotter("session", "show", short)
        #expect(shown.hasPrefix("session ") && shown.split(separator: "\n")[0].hasSuffix(short))
        #expect(shown.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(shown)")
        let id = try #require(shown.split(separator: "\n")[0].split(separator: " ").last.map(String.init))
        #expect(try spotter("session", "show", String(id.prefix(13))) == shown)
        let dry = try Program.run("session", "delete", short, "--database", database)
        #expect(dry.status == 2 && dry.messages.contains("nothing was done: \(id) would be deleted"), "\(dry.messages)")
        for wrong in [String(short.suffix(3)), "ffffffff"] {
            #expect(try Program.run("session", "show", wrong, "--database", database).status == 3)
        }
    }

    @Test func `CSV and JSON agree, and CSV has a row for each action`() throws {
        let json = try JSONSerialization.jsonObject(with: Data(spotter("history", "sessions", "--json").utf8))
        let session = try #require((json as? [[String: Any]])?.first)
        let actions = try #require(session["actions"] as? [[String: Any]])
        let rows = try spotter("history", "sessions", "--csv", "--tz", "Asia/Kolkata").split(separator: "\n")
            .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        #expect(rows.count == actions.count + 1)
        let start = try #require(rows[0].firstIndex(of: "start")), reps = try #require(rows[0].firstIndex(of: "reps"))
        for (row, action) in zip(rows.dropFirst(), actions) {
            #expect(row[0] == session["id"] as? String && row[7] == action["label"] as? String)
            #expect(Int(row[reps]) == action["reps"] as? Int)
            #expect(row[start].hasSuffix("+05:30"))
            let text = try #require(session["start"] as? String)
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            #expect(try style.parse(row[start]) == style.parse(text))
        }
        #expect(try spotter("history", "days", "--csv").contains("squat,"))
        #expect(try spotter("history", "actions", "--csv", "--limit", "2").split(separator: "\n").count == 3)
    }

    @Test func `names that nobody knows are refused with the nearest one`() throws {
        for (arguments, nearest) in [
            ("sets --action squatt", "'squat'"), ("sessions --camera kamera1", "'camera1'"),
            ("actions --action burpe --json", "'burpee'"), ("predictions --action lunges", "'lunge'"),
        ] {
            let words = ["history"] + arguments.split(separator: " ").map(String.init)
            let refused = try Program.run(words + ["--database", database])
            #expect(refused.status == 3 && refused.output.isEmpty, "\(arguments): \(refused.output)")
            #expect(refused.messages.contains("did you mean \(nearest)?"), "\(refused.messages)")
        }
    }

    @Test func `a list that is cut says so, and where the rest is`() throws {
        let all = try spotter("history", "predictions", "--json").split(separator: "\n").count {
            $0.contains("\"time\"")
        }
        let table = try spotter("history", "predictions")
        #expect(table.contains("Showing 50 of \(all) (--limit \(all) shows all)."), "\(table.suffix(80))")
        #expect(try !spotter("history", "predictions", "--limit", "\(all)").contains("Showing"))
        let cut = try Program.run("history", "sets", "--csv", "--limit", "1", "--database", database)
        #expect(
            cut.output.split(separator: "\n").count == 2 && cut.messages.contains("Showing 1 of "), "\(cut.messages)")
    }

    @Test func `a span of minutes has what was done in it`() throws {
        #expect(
            try spotter("history", "--since", "2026-01-01 10:00", "--until", "2026-01-01 10:05")
                == spotter("history", "sessions", "--until", "2026-01-01"))
        let whole = try spotter("history", "--csv").split(separator: "\n").dropFirst().map(String.init)
        let last = try spotter("history", "--last", "1y", "--csv").split(separator: "\n").dropFirst().map(String.init)
        #expect(!whole.isEmpty && last == whole)
        #expect(
            try spotter("history", "--since", "30m", "--until", "29m", "--csv")
                == spotter("history", "--last", "1m", "--until", "1m", "--csv"))
    }

    @Test func `a time zone is a name of IANA's list`() throws {
        for zone in ["UTC+2", "PST", "Europe/berlin", "CET-1CEST"] {
            let refused = try Program.run("history", "--tz", zone, "--database", database)
            #expect(
                refused.status == 2 && refused.messages.contains("--tz takes a name of IANA's time zones"),
                "\(zone): \(refused.messages)")
        }
        #expect(try spotter("history", "sets", "--tz", "Asia/Tokyo", "--json").contains("+09:00"))
        #expect(try !spotter("history", "sets", "--json").contains("+09:00"))
    }

    @Test func `another time zone moves the day`() throws {
        let start = try #require(
            try spotter("history", "sessions", "--csv", "--tz", "UTC").split(separator: "\n")[1].split(separator: ",")
                .first { $0.hasSuffix("+00:00") })
        let hour = try #require(Int(start.dropFirst(11).prefix(2)))
        // One of the two has another date at this hour.
        let zone = hour < 11 ? "Pacific/Pago_Pago" : "Pacific/Kiritimati"
        let (there, here) = (
            try spotter("history", "days", "--tz", zone), try spotter("history", "days", "--tz", "UTC")
        )
        #expect(there.split(separator: "\n")[1].prefix(10) != here.split(separator: "\n")[1].prefix(10))
        #expect(there.contains("jumping_jack") && there.contains("(5)"), "\(there)")
    }

    @Test(arguments: ["today", "yesterday", "00:00", "2 days", "90m", "3M", "1y", "2026-01-01 14:30"])
    func `moments are taken as people type them`(_ moment: String) throws {
        #expect(try !spotter("history", "sets", "--since", moment, "--json").isEmpty)
    }

    @Test func `a set is corrected and taken back at the command line`() throws {
        let list = try JSONSerialization.jsonObject(with: Data(spotter("history", "sets", "--json").utf8))
        let set = try #require((list as? [[String: Any]])?.first)
        let id = try #require(set["session"] as? String)
        let number = try String(#require(set["number"] as? Int))
        let (label, reps) = (try #require(set["label"] as? String), try #require(set["reps"] as? Int))
        let before = try spotter("history", "--json")
        let said = try spotter("session", "correct", id, number, "--label", "my_own", "--new-label", "--reps", "3")
        #expect(said == "set \(number): my_own, 3 repetitions; recognised: \(label), \(reps) repetitions\n")
        #expect(try spotter("history", "sets", "--action", "my_own", "--csv").contains(",my_own,"))
        #expect(try spotter("history", "sessions", "--action", "my_own", "--json").contains(id))
        #expect(try spotter("history").contains("my_own") && spotter("session", "show", id).contains("RECOGNISED"))
        let again = try spotter("session", "correct", id, number, "--reps", "3", "--json")
        #expect(again.contains("\"corrected\""))
        _ = try spotter("session", "correct", id, number, "--undo")
        #expect(try spotter("history", "--json") == before)
        #expect(try spotter("session", "correct", id, number, "--undo").hasPrefix("Nothing changed."))
        for (arguments, status) in [
            ("\(id) \(number)", 2), ("\(id) \(number) --undo --reps 3", 2), ("\(id) \(number) --label A!", 2),
            ("\(id) 99 --reps 3", 3), ("never 1 --reps 3", 3), ("\(id) \(number) --label jumping_jak", 3),
            ("\(id) \(number) --label sqat --reps 3", 3), ("\(id) \(number) --reps 3 --new-label", 2),
        ] {
            let words = ["session", "correct"] + arguments.split(separator: " ").map(String.init)
            let refused = try Program.run(words + ["--database", database])
            #expect(refused.status == Int32(status) && !refused.messages.isEmpty, "\(arguments): \(refused.messages)")
            guard arguments.contains("sqat") else { continue }
            #expect(refused.messages.contains("did you mean 'squat'?") && refused.messages.contains("--new-label"))
        }
    }

    @Test func `all three forms of an export bring the same history back, once`() throws {
        let lines = try spotter("export")
        for (format, name) in [("jsonl", "a.jsonl"), ("json", "a.json"), ("csv", "a")] {
            let file = folder.file(name).path
            _ = try spotter("export", "--format", format, "-o", file)
            #expect(try Program.run("export", "-o", file, "--database", database).status == 74, "nothing is replaced")
            let copy = folder.file("\(format).db").path
            let first = try Program.run("import", file, "--json", "--database", copy)
            #expect(first.status == 0, "\(first.messages)")
            let again = try Program.run("import", file, "--json", "--database", copy)
            #expect(again.output.contains("\"added\" : {}"), "\(again.output)")
            let told = try Program.run("import", file, "--database", copy)
            #expect(told.output.contains("rows were skipped: known by id"), "\(told.output)")
            let back = try Program.run("export", "--database", copy)
            #expect(back.output.split(separator: "\n").dropFirst() == lines.split(separator: "\n").dropFirst())
            #expect(lines.split(separator: "\n").count > 20)
        }
        let wrong = folder.file("wrong.jsonl")
        try Data((lines.split(separator: "\n").prefix(3).joined(separator: "\n") + "\n{\"table\":\"set").utf8)
            .write(to: wrong)
        let refused = try Program.run("import", wrong.path, "--database", folder.file("new.db").path)
        #expect(refused.status == 74 && refused.messages.contains("line 4"), "\(refused.messages)")
        #expect(try Program.run("import", "nowhere.jsonl", "--database", database).status == 3)
    }

    @Test func `scenario 37: no terminal, no colour, twenty columns, a closed pipe`() throws {
        let coloured = try onTerminal(80, "", "history days --chart")
        #expect(coloured.contains("\u{1B}[3") && coloured.contains("█"))
        let plain = try onTerminal(80, "NO_COLOR=1", "history days --chart")
        #expect(!plain.contains("\u{1B}") && plain.contains("█"))
        #expect(plain.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(!(try onTerminal(80, "TERM=dumb", "history days --chart")).contains("█"))
        let narrow = try onTerminal(20, "NO_COLOR=1", "history days --chart")
        #expect(!narrow.contains("█") && narrow.contains("squat"))
        #expect(!(try spotter("history", "days", "--chart")).contains { !$0.isASCII })
        let program = "'\(Program.executable.path)' history predictions --csv --database '\(database)'"
        func shell(_ line: String) throws -> String {
            try Program.tool("bash", ["-c", "\(line) 2>&1; echo ${PIPESTATUS[0]}"])
        }
        let headed = try shell("\(program) | head -1").split(separator: "\n")
        #expect(headed.first == "time,camera,track,label,confidence,frames")
        #expect(["0", "141"].contains(headed.last) && headed.count == 2, "\(headed)")
        #expect(["0", "141"].contains(try shell("{ sleep 0.3; \(program); } | true")))
        #expect(try shell("{ \(program) >&-; }").hasSuffix("74"))
    }
}
