import Actions
import Foundation
import History
import TestSupport
import Testing

/// The standing check against lying: random sessions, corrections and deletions, and then the same question on every way.
/// Command line (table, JSON, CSV), page, MQTT, records, SQL and an export must give the sums of one independent list.
@Suite struct TruthTests {
    /// A set as it really was.
    private struct Truth {
        var session: String
        var number: Int
        var camera: String
        var start: Date
        var zone: String?
        var label: String
        var reps: Int
        /// What was recognised, with the repetitions of the left and of the right side; `nil` where no side is known.
        let recognised: (label: String, reps: Int, sides: (left: Int, right: Int)?)

        /// Of another count the sides are not known.
        var sides: (left: Int, right: Int)? { (label, reps) == (recognised.0, recognised.1) ? recognised.sides : nil }
    }

    private let temporary: TemporaryFolder
    private var database: String { temporary.file("spotter.db").path }
    private let cameras = ["rack1", "rack2"]
    private let berlin = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "Europe/Berlin") ?? .gmt
        return calendar
    }()
    private let labels = ["squat", "lunge", "push_up", "burpee"]

    init() throws { temporary = try TemporaryFolder() }

    private func spotter(_ arguments: [String]) throws -> String {
        let result = try Program.run(arguments + ["--database", database])
        #expect(result.status == 0, "\(arguments): \(result.messages)")
        return result.output
    }

    private func objects(_ text: String) throws -> [[String: Any]] {
        try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    }

    /// Four days that end now.
    private func fill(_ dice: inout SystemDice) throws -> [Truth] {
        let store = try Store(
            path: database,
            settings: HistorySettings(timeZone: TimeZone(identifier: "Europe/Berlin") ?? .gmt, nodeId: "sp-one"))
        let writer = try HistoryWriter(store: store, model: ModelStamp(id: "gym@1", framesPerSecond: 30))
        var truth: [Truth] = []
        for number in 0..<80 {
            let id = String(format: "019aa0d1-22b0-7f3e-8d51-%012x", 4096 + number * 7919)
            let camera = cameras[Int.random(in: 0..<2, using: &dice)]
            var start = (Date() - Double(Int.random(in: 1000...340_000, using: &dice))).rounded
            // Some go on over midnight.
            if number % 10 == 0 { start = berlin.startOfDay(for: start) - Double(Int.random(in: 1...60, using: &dice)) }
            var session = Session(
                id: id, camera: camera, track: number, start: start, end: start, endReason: .idle, actions: [],
                excludedFrames: [:])
            var at = start
            var sums: [String: (frames: Int, reps: Int)] = [:]
            for set in 1...Int.random(in: 1...3, using: &dice) {
                let label = labels[Int.random(in: 0..<4, using: &dice)]
                let (begin, reps) = (at, Int.random(in: 2...9, using: &dice))
                for _ in 0..<Int.random(in: 3...12, using: &dice) {
                    at += 2
                    let prediction = Prediction(
                        track: number, start: 0, end: 2, label: label, confidence: 0.9, probabilities: [], poseShare: 1,
                        frames: 60)
                    writer.credit(prediction, camera: camera, wall: at, now: .now)
                    sums[label, default: (0, 0)].frames += 60
                }
                sums[label, default: (0, 0)].reps += reps
                let left = label == "lunge" ? Int.random(in: 0...reps, using: &dice) : nil
                let sides = left.map { (left: $0, right: reps - $0) }
                let zone = Bool.random(using: &dice) ? "mat-\(Int.random(in: 1...2, using: &dice))" : nil
                session.sets.append(
                    SessionSet(
                        number: set, label: label, start: begin, end: at, reps: reps, form: 80, zone: zone,
                        leftReps: sides?.left, rightReps: sides?.right))
                truth.append(
                    Truth(
                        session: id, number: set, camera: camera, start: begin, zone: zone, label: label, reps: reps,
                        recognised: (label, reps, sides)))
                at += 10
            }
            session.end = at
            session.actions = sums.sorted { $0.key < $1.key }.map { label, sum in
                ActionTotal(
                    label: label, frames: sum.frames, seconds: Double(sum.frames) / 30, reps: sum.reps,
                    meanConfidence: 0.9)
            }
            writer.enqueue(session, now: .now)
            if number % 20 == 0 { _ = try writer.flush(now: .now, wall: Date()) }
        }
        _ = try writer.flush(now: .now, wall: Date())
        try store.close()
        return truth
    }

    /// The columns of each row of a table of comma-separated values, by name.
    private func rows(csv: String) -> [[String: String]] {
        let lines = csv.split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        guard let head = lines.first else { return [] }
        return lines.dropFirst().map { Dictionary(zip(head, $0)) { $1 } }
    }

    private func sum(_ rows: some Sequence<Truth>) -> [String: Int] {
        rows.reduce(into: [:]) { sums, set in
            if set.label != "none", set.reps > 0 { sums[set.label, default: 0] += set.reps }
        }
    }

    /// The repetitions of the left and of the right side.
    private func sides(_ rows: some Sequence<Truth>) -> [Int] {
        rows.reduce([0, 0]) { [$0[0] + ($1.sides?.left ?? 0), $0[1] + ($1.sides?.right ?? 0)] }
    }

    private func positive(_ sums: [String: Int]) -> [String: Int] { sums.filter { $0.value > 0 } }

    /// Asks for a span on every way of the command line.
    private func check(_ truth: [Truth], since: Date?, until: Date?, camera: String?) throws {
        let style = Date.ISO8601FormatStyle(
            dateTimeSeparator: .space, timeZone: try #require(TimeZone(identifier: "Europe/Berlin"))
        )
        .year().month().day().time(includingFractionalSeconds: false)
        var options: [String] = []
        if let since { options += ["--since", since.formatted(style)] }
        if let until { options += ["--until", until.formatted(style)] }
        if let camera { options += ["--camera", camera] }
        let wanted = truth.filter { set in
            (since.map { set.start >= $0 } ?? true) && (until.map { set.start < $0 } ?? true)
                && (camera.map { set.camera == $0 } ?? true)
        }
        let reps = sum(wanted)
        let actions = try objects(spotter(["history", "--json"] + options))
        let ofActions = actions.reduce(into: [String: Int]()) {
            $0[$1["label"] as? String ?? "", default: 0] += $1["reps"] as? Int ?? 0
        }
        #expect(positive(ofActions) == reps, "totals \(options)")
        let ofCSV = rows(csv: try spotter(["history", "--csv"] + options)).reduce(into: [String: Int]()) {
            $0[$1["label"] ?? "", default: 0] += Int($1["reps"] ?? "") ?? 0
        }
        #expect(positive(ofCSV) == reps, "totals as CSV \(options)")
        let days = try objects(spotter(["history", "days", "--json"] + options))
        let ofDays = days.reduce(into: [String: Int]()) { sums, day in
            for (label, reps) in day["reps"] as? [String: Int] ?? [:] { sums[label, default: 0] += reps }
        }
        #expect(positive(ofDays) == reps, "days \(options)")
        let sets = try objects(spotter(["history", "sets", "--json"] + options))
        let ofSets = sets.reduce(into: [String: Int]()) { sums, set in
            let label = set["label"] as? String ?? ""
            if label != "none" { sums[label, default: 0] += set["reps"] as? Int ?? 0 }
        }
        #expect(positive(ofSets) == reps, "sets \(options)")
        let keys = ["left_reps", "right_reps"]
        #expect(keys.map { key in sets.reduce(0) { $0 + ($1[key] as? Int ?? 0) } } == sides(wanted), "sets \(options)")
        let listed = rows(csv: try spotter(["history", "sets", "--csv"] + options))
        #expect(keys.map { key in listed.reduce(0) { $0 + (Int($1[key] ?? "") ?? 0) } } == sides(wanted), "\(options)")
        let zones = try objects(spotter(["history", "zones", "--json"] + options))
        for zone in ["mat-1", "mat-2"] {
            let used = wanted.filter { $0.zone == zone && $0.label != "none" }
            let rows = zones.filter { $0["zone"] as? String == zone }
            #expect(rows.reduce(0) { $0 + ($1["sets"] as? Int ?? 0) } == used.count, "\(zone) \(options)")
            #expect(
                rows.reduce(0) { $0 + ($1["reps"] as? Int ?? 0) } == used.reduce(0) { $0 + $1.reps },
                "\(zone) \(options)")
        }
        // The table of the totals says the same as its JSON.
        let table = try spotter(["history"] + options)
        let lines = table.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        for (label, count) in reps {
            let line = lines.first { $0.first == label }
            #expect(line?.suffix(2).first == "\(count)", "\(label) in \(table)")
        }
    }

    private func correct(_ truth: inout [Truth], _ dice: inout SystemDice) throws {
        for _ in 0..<12 {
            let place = Int.random(in: truth.indices, using: &dice)
            let (label, reps) = (labels[Int.random(in: 0..<4, using: &dice)], Int.random(in: 1...20, using: &dice))
            let isNothing = Int.random(in: 0..<4, using: &dice) == 0
            let words = isNothing ? ["--label", "none"] : ["--label", label, "--reps", "\(reps)"]
            _ = try spotter(["session", "correct", truth[place].session, "\(truth[place].number)"] + words)
            (truth[place].label, truth[place].reps) = isNothing ? ("none", 0) : (label, reps)
        }
    }

    @Test(arguments: [1, 2]) func `the same question has the same answer on every way`(_ seed: UInt64) throws {
        var dice = SystemDice(state: seed)
        var truth = try fill(&dice)
        try check(truth, since: nil, until: nil, camera: nil)
        try correct(&truth, &dice)
        let midnight = berlin.startOfDay(for: Date())
        try check(truth, since: berlin.startOfDay(for: midnight - 43_200), until: midnight, camera: nil)
        try check(truth, since: midnight - 20, until: midnight + 20, camera: nil)
        for round in 0..<5 {
            let moments = (0..<2).map { _ in (Date() - Double(Int.random(in: 0...340_000, using: &dice))).rounded }
                .sorted()
            try check(
                truth, since: round % 3 == 1 ? nil : moments[0], until: round % 3 == 2 ? nil : moments[1],
                camera: round % 2 == 0 ? nil : cameras[0])
        }
        try checkRecords(truth)
        try checkNode(truth)
        try checkDeletion(truth)
    }

    /// The record with the highest revision of each session, SQL, and an export hold the same sets.
    private func checkRecords(_ truth: [Truth]) throws {
        let reps = sum(truth)
        let records = try Program.tool(
            "sqlite3",
            [
                "-readonly", database,
                """
                SELECT json_extract(s.value, '$.label') || ' ' || sum(json_extract(s.value, '$.reps'))
                FROM record r, json_each(r.body, '$.sets') s
                WHERE r.type = 'session' AND r.rev = (SELECT max(rev) FROM record o WHERE o.type = r.type AND o.id = r.id)
                  AND json_extract(s.value, '$.label') <> 'none' GROUP BY 1 || json_extract(s.value, '$.label')
                """,
            ])
        #expect(positive(pairs(records)) == reps, "records")
        let ofSides = try Program.tool(
            "sqlite3",
            [
                "-readonly", database,
                """
                SELECT sum(json_extract(s.value, '$.left_reps')), sum(json_extract(s.value, '$.right_reps'))
                FROM record r, json_each(r.body, '$.sets') s
                WHERE r.type = 'session' AND r.rev = (SELECT max(rev) FROM record o WHERE o.type = r.type AND o.id = r.id)
                """,
            ])
        #expect(ofSides == "\(sides(truth)[0])|\(sides(truth)[1])", "records")
        let sql = try Program.tool(
            "sqlite3",
            [
                "-readonly", database,
                """
                SELECT ifnull(c.label, s.label) || ' ' || sum(ifnull(c.reps, s.reps)) FROM session_set s
                LEFT JOIN set_correction c USING (session, number)
                WHERE ifnull(c.label, s.label) <> 'none' GROUP BY ifnull(c.label, s.label)
                """,
            ])
        #expect(positive(pairs(sql)) == reps, "SQL")
        var corrected: [String: (String, Int)] = [:]
        var sets: [(key: String, label: String, reps: Int)] = []
        for line in try spotter(["export"]).split(separator: "\n") {
            let row = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            guard let session = row["session"] as? String, let number = row["number"] as? Int else { continue }
            let value = (row["label"] as? String ?? "", row["reps"] as? Int ?? 0)
            if row["table"] as? String == "corrections" { corrected["\(session) \(number)"] = value }
            if row["table"] as? String == "sets" { sets.append(("\(session) \(number)", value.0, value.1)) }
        }
        let exported = sets.reduce(into: [String: Int]()) { sums, set in
            let (label, reps) = corrected[set.key] ?? (set.label, set.reps)
            if label != "none" { sums[label, default: 0] += reps }
        }
        #expect(positive(exported) == reps, "export")
    }

    private func pairs(_ text: String) -> [String: Int] {
        text.split(separator: "\n").reduce(into: [:]) { sums, line in
            let words = line.split(separator: " ")
            if words.count == 2 { sums[String(words[0]), default: 0] += Int(words[1]) ?? 0 }
        }
    }

    /// A running node says the same: on its page, and in its retained messages.
    private func checkNode(_ truth: [Truth]) throws {
        let folder = temporary.url
        let broker = try Broker(in: folder)
        let stream = folder.appending(path: "still.poses.jsonl")
        try GroundTruth(clip: "demo").writePoseStream(to: stream, times: 20)
        let blocks = cameras.map {
            "[[camera]]\nid = \"\($0)\"\nsource = \"\(stream.path)\($0 == "rack1" ? "" : "2")\"\n"
        }
        try FileManager.default.copyItem(atPath: stream.path, toPath: stream.path + "2")
        let configuration = folder.appending(path: "config.toml")
        let text = """
            node.time_zone = "Europe/Berlin"
            node.id = "sp-one"
            \(blocks.joined())
            [history]
            path = "\(database)"
            [mqtt]
            host = "127.0.0.1"
            port = \(broker.port)
            [web]
            enabled = true
            listen = "127.0.0.1:0"
            """
        try Data(text.utf8).write(to: configuration)
        let page = try AttackedPage { try Program.start(["run", "--config", configuration.path, "--realtime"]) }
        // What the cameras see meanwhile began later.
        let now = Date().rounded
        let moments = [now - 250_000, now - 90_000]
        for (since, until) in [(moments[0], moments[1]), (moments[1], now - 900)] {
            let style = Date.ISO8601FormatStyle(
                dateTimeSeparator: .space, timeZone: try #require(TimeZone(identifier: "Europe/Berlin"))
            )
            .year().month().day().time(includingFractionalSeconds: false)
            let (from, to) = (since.formatted(style), until.formatted(style))
            for table in ["actions", "days", "sessions", "sets", "zones", "predictions"] {
                let query = "since=\(from.replacing(" ", with: "%20"))&until=\(to.replacing(" ", with: "%20"))"
                let answer = try page.get("/api/v1/history/\(table)?\(query)")
                #expect(answer.status == 200, "\(answer.text.prefix(300))")
                let ofPage = try objects(answer.body)
                let ofCommand = try objects(spotter(["history", table, "--json", "--since", from, "--until", to]))
                #expect(ofPage as NSArray == ofCommand as NSArray, "\(table) of \(from) to \(to)")
                #expect(total(answer) == "\(ofCommand.count)", "\(answer.head)")
            }
        }
        let cut = try page.get("/api/v1/history/sets?limit=3")
        #expect(try objects(cut.body).count == 3 && Int(total(cut) ?? "") ?? 0 >= truth.count)
        try checkCounts(broker)
        page.process.terminate()
    }

    /// What `X-Total-Count` says.
    private func total(_ answer: AttackedPage.Answer) -> String? {
        let lines = answer.head.components(separatedBy: "\r\n").map { $0.lowercased() }
        return lines.first { $0.hasPrefix("x-total-count: ") }.map { String($0.dropFirst(15)) }
    }

    /// The retained totals of today are those of the history, whenever one looks.
    private func checkCounts(_ broker: Broker) throws {
        for camera in cameras {
            var seen = ("", "")
            let isEqual = try broker.wait(within: 60) { messages in
                let payload = messages.last { $0.topic == "cam/\(camera)/counts" }?.payload
                let days = try objects(spotter(["history", "days", "--since", "today", "--camera", camera, "--json"]))
                // A day on which nobody came has no row, and empty totals on MQTT.
                let nothing: [String: Any] = ["frames": [:], "reps": [:], "seconds": [:], "sessions": 0]
                let none = nothing.merging(["day": payload?["day"] ?? ""]) { $1 }
                seen = (try text(payload ?? [:]), try text(days.last ?? none))
                return seen.0 == seen.1
            }
            #expect(isEqual, "counts of \(camera): \(seen.0) on MQTT, \(seen.1) in the history")
        }
    }

    /// The totals of a day in one form.
    private func text(_ day: [String: Any]) throws -> String {
        let keys = ["day", "sessions", "frames", "seconds", "reps"]
        let data = try JSONSerialization.data(
            withJSONObject: day.filter { keys.contains($0.key) }, options: .sortedKeys)
        return String(decoding: data, as: UTF8.self)
    }

    /// A deleted session is in no list, in no record and in no export.
    private func checkDeletion(_ truth: [Truth]) throws {
        let session = truth[0].session
        let before = try spotter(["history", "--until", "yesterday", "--json"])
        _ = try spotter(["session", "delete", session, "--yes"])
        for table in ["sessions", "sets"] {
            #expect(try !spotter(["history", table, "--json"]).contains(session), "\(table)")
        }
        #expect(try !spotter(["export"]).contains(session))
        #expect(try spotter(["history", "--until", "yesterday", "--json"]) == before, "the totals of whole days stay")
        let left = try Program.tool(
            "sqlite3",
            ["-readonly", database, "SELECT body FROM record WHERE id = '\(session)' AND body NOT LIKE '%deleted%'"])
        #expect(left.isEmpty, "\(left)")
    }
}

extension Date {
    /// Whole seconds, as they are typed.
    fileprivate var rounded: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded()) }
}

/// A small pseudo-random generator with a fixed seed (SplitMix64).
private struct SystemDice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
