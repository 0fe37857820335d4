import Actions
import Demonstration
import Foundation
import History
import Records
import TestSupport
import Testing
import Workouts

/// A week that is made up, in a real database.
struct MadeUpWeekTests {
    /// Thursday, 2026-11-26, 18:40 in Berlin: people are in the gym.
    static let end = Date(timeIntervalSince1970: 1_795_714_800)
    static let berlin = TimeZone(identifier: "Europe/Berlin") ?? .gmt
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func week(
        _ name: String = "spotter.db", seed: UInt64 = 1, end: Date = end, zone: TimeZone = berlin
    ) throws -> MadeUp {
        let path = folder.file(name).path
        let rules = URL(filePath: #filePath).appending(path: "../../../Models/exercises.rules.toml").standardizedFileURL
        let week = MadeUpWeek(seed: seed, end: end, timeZone: zone, rules: try FormRules(contentsOf: rules))
        return MadeUp(path: path, figures: try week.write(to: path))
    }

    /// A database with a week.
    private struct MadeUp {
        let path: String
        let figures: MadeUpWeek.Figures

        /// What `sqlite3` prints.
        func ask(_ sql: String) throws -> [String] {
            try Child("sqlite3", ["-readonly", path, sql]).wholeOutput().split(separator: "\n").map(String.init)
        }

        /// The rows of the export without the ids that the store draws by chance.
        func rows() throws -> Set<String> {
            var rows: Set<String> = []
            try HistoryQuery(path: path).export { row in
                if row.table == .about { return }
                var text = row.json(named: true)
                for column in ["id", "rollup"] where [.rollups, .rollupActions, .absences].contains(row.table) {
                    if case .text(let id) = row[column] { text = text.replacing(id, with: "") }
                }
                rows.insert(text)
            }
            return rows
        }
    }

    @Test func `the same seed and end give the same rows, another seed others`() throws {
        let first = try week().rows()
        #expect(first.count > 20_000)
        #expect(try week("again.db").rows() == first)
        #expect(try week("other.db", seed: 2).rows().intersection(first).count < first.count / 2)
    }

    @Test func `it takes a few seconds, and a small file`() throws {
        let began = ContinuousClock.now
        let made = try week()
        let bytes = try FileManager.default.attributesOfItem(atPath: made.path)[.size] as? Int ?? 0
        // Not a measurement: it must not become minutes.
        #expect(ContinuousClock.now - began < .seconds(60) && bytes < 40 << 20, "\(bytes)")
        #expect(made.figures.sessions > 500 && made.figures.sets > 1500 && made.figures.workouts >= 15)
    }

    @Test func `all sums agree: predictions, five minutes, days, sessions, sets`() throws {
        let made = try week()
        let ofPredictions = try made.ask(
            """
            SELECT date(end_ms / 1000 + 3600, 'unixepoch'), c.text, l.text, sum(frames) FROM prediction
              JOIN name c ON c.id = camera JOIN name l ON l.id = label GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
            """)
        #expect(
            try made.ask("SELECT day, camera, label, frames FROM day_action WHERE frames > 0 ORDER BY 1, 2, 3")
                == ofPredictions)
        let frames = try made.ask("SELECT sum(frames) FROM day_action")
        #expect(try made.ask("SELECT sum(frames) FROM rollup_action") == frames)
        #expect(try made.ask("SELECT count(*) FROM session") == ["\(made.figures.sessions)"])
        #expect(try made.ask("SELECT sum(sessions) FROM day_camera") == ["\(made.figures.sessions)"])
        #expect(try made.ask("SELECT count(*) FROM session_set") == ["\(made.figures.sets)"])
        let right = """
            SELECT sum(ifnull(c.reps, s.reps)) FROM session_set s LEFT JOIN set_correction c
              ON c.session = s.session AND c.number = s.number
            """
        #expect(try made.ask("SELECT sum(reps) FROM day_action") == made.ask(right))
        let query = try HistoryQuery(path: made.path)
        var (sets, reps) = (0, 0)
        try query.sets(HistoryFilter()) { set in (sets, reps) = (sets + 1, reps + set.body.reps) }
        #expect(try sets == made.figures.sets && made.ask(right) == [String(reps)])
        #expect(try query.check().problems.isEmpty)
    }

    @Test func `the last day ends with the week, and nobody is there while it is closed`() throws {
        let made = try week()
        #expect(try made.ask("SELECT count(DISTINCT day) FROM day_camera") == ["7"])
        #expect(try made.ask("SELECT min(day), max(day) FROM day_camera") == ["2026-11-20|2026-11-26"])
        let last = Timestamp.milliseconds(Self.end)
        #expect(try made.ask("SELECT count(*) FROM session WHERE end_ms > \(last)") == ["0"])
        #expect(try made.ask("SELECT count(*) FROM session WHERE end_reason = 'stopped'") != ["0"], "who was there")
        // In Berlin: at night, on a Sunday evening, on a Saturday morning.
        let local = "strftime('%w %H', start_ms / 1000 + 3600, 'unixepoch')"
        let hours = Set(try made.ask("SELECT DISTINCT \(local) FROM session"))
        #expect(hours.isDisjoint(with: ["1 03", "0 18", "6 07", "2 23"]) && hours.isSuperset(of: ["1 18", "0 11"]))
        let people = try made.ask("SELECT \(local), sum(person_seconds) FROM occupancy GROUP BY 1")
            .reduce(into: [String: Double]()) { $0[String($1.prefix(4))] = Double($1.dropFirst(5)) }
        #expect(people["1 18"] ?? 0 > 2 * (people["1 14"] ?? 0) && people["1 03"] == 0)
    }

    @Test func `a camera was away: it saw nobody, and everybody is told why`() throws {
        let made = try week()
        let absence = try made.ask("SELECT camera, start_ms, end_ms, reason FROM camera_absence")
        let parts = try #require(absence.first?.split(separator: "|").map(String.init))
        #expect(absence.count == 1 && parts[0] == "cables" && parts[3] == "unplugged")
        let inside = "end_ms > \(parts[1]) AND start_ms < \(parts[2])"
        #expect(try made.ask("SELECT count(*) FROM session WHERE camera = 'cables' AND \(inside)") == ["0"])
        #expect(try made.ask("SELECT count(*) FROM session WHERE camera = 'mats' AND \(inside)") != ["0"])
        let watched = """
            SELECT sum(watched_seconds) FROM occupancy WHERE camera = 'cables' UNION ALL
            SELECT sum(watched_seconds) FROM occupancy WHERE camera = 'mats'
            """
        let seconds = try made.ask(watched).compactMap(Double.init)
        #expect(seconds.count == 2 && seconds[1] - seconds[0] == 85 * 60)
    }

    @Test func `people with a name get better from workout to workout`() throws {
        let made = try week()
        let query = try HistoryQuery(path: made.path)
        #expect(try query.workoutNames().count == 6)
        let anna = try query.workouts(WorkoutFilter(name: "Anna")).reversed().map(\.body)
        let ranges = anna.compactMap { $0.steps.first?.measured?.range?.value }
        #expect(
            ranges.count >= 3 && ranges[0] < ranges[ranges.count - 1] && anna.allSatisfy { $0.endReason == "completed" }
        )
        #expect(
            anna[0].steps.contains { $0.cues?.isEmpty == false } && anna[0].steps[0].measured?.speeds?.isEmpty == false)
        let ben = try #require(
            try query.personalRecords(of: "Ben", now: Self.end, zone: Self.berlin)?.exercises.first {
                $0.action == "squat"
            })
        #expect(ben.loadedSets == ben.sets && ben.heaviest?.value == 75 && ben.heaviest?.rpe != nil)
        let eva = try query.workouts(WorkoutFilter(name: "Eva")).map(\.body)
        #expect(eva.first?.steps.first?.pain ?? 9 < eva.last?.steps.first?.pain ?? 0)
        #expect(try made.ask("SELECT count(*) FROM set_correction WHERE reps <> 0 AND load_kg IS NULL") != ["0"])
        #expect(try made.ask("SELECT count(*) FROM alarm WHERE acknowledged_ms > start_ms") == ["1"])
    }

    @Test(arguments: ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland"])
    func `weeks with a change of the clock, and early mornings, work anywhere`(zone: String) throws {
        let zone = try #require(TimeZone(identifier: zone))
        // 2026-10-27 05:00 and 2026-03-31 01:00 in UTC: after changes of the clock.
        for (place, end) in [1_793_077_200.0, 1_774_918_800].enumerated() {
            let made = try week("\(place).db", end: Date(timeIntervalSince1970: end), zone: zone)
            #expect(try made.ask("SELECT count(DISTINCT day) FROM day_camera") == ["7"])
            #expect(try made.ask("SELECT max(end_ms) FROM session").compactMap(Double.init)[0] / 1000 <= end)
        }
    }
}
