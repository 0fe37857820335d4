import Actions
import Foundation
import GRDB
import Records

/// The repetitions of one session by day and label. Those of a set belong to the day on which the set began, as in every
/// view that asks for a part of a day. What belongs to no set is on the day of the session's end.
struct DayRepetitions: Equatable {
    private(set) var sums: [String: [String: Int]] = [:]

    /// - Parameters:
    ///   - sets: the sets of the session.
    ///   - actions: the repetitions of each label, in all sets and beyond them.
    ///   - end: the session's end.
    ///   - day: the day of a moment.
    init(_ sets: [SessionSet], actions: [(label: String, reps: Int)], end: Date, day: (Date) -> String) {
        var rest = Dictionary(actions.map { ($0.label, $0.reps) }, uniquingKeysWith: +)
        for set in sets where set.reps != 0 {
            add(set.reps, set.label, on: day(set.start))
            rest[set.label, default: 0] -= set.reps
        }
        for (label, reps) in rest where reps != 0 || !sets.contains(where: { $0.label == label }) {
            add(reps, label, on: day(end))
        }
    }

    /// Those of a session as it is stored; none for an unknown one.
    init(ofStored id: String, day: (Date) -> String, in db: Database) throws {
        let end = try Int64.fetchOne(db, sql: "SELECT end_ms FROM session WHERE id = ?", arguments: [id])
        let sets = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT * FROM session_set WHERE session = ?"), arguments: [id])
        let actions = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT label, reps FROM session_action WHERE session = ? AND reps IS NOT NULL"),
            arguments: [id])
        self.init(
            sets.map(SessionSet.init), actions: actions.map { ($0.text("label"), $0.integer("reps")) },
            end: Timestamp.date(milliseconds: end ?? 0), day: day)
    }

    /// Those of some days.
    func filtered(_ isIncluded: (String) -> Bool) -> DayRepetitions {
        var some = self
        some.sums = sums.filter { isIncluded($0.key) }
        return some
    }

    /// Adds the difference between these and those that were there before to the totals of the days.
    ///
    /// - Returns: the days whose totals changed.
    func credit(instead before: DayRepetitions, camera: String, in db: Database) throws -> Set<DayCamera> {
        var changed: Set<DayCamera> = []
        for day in Set(sums.keys).union(before.sums.keys) {
            let (now, then) = (sums[day] ?? [:], before.sums[day] ?? [:])
            for label in Set(now.keys).union(then.keys) where now[label] != then[label] {
                let place = DayCamera(day: day, camera: camera)
                try DayRows.addReps((now[label] ?? 0) - (then[label] ?? 0), label: label, on: place, in: db)
                changed.insert(place)
            }
        }
        return changed
    }

    private mutating func add(_ reps: Int, _ label: String, on day: String) {
        sums[day, default: [:]][label, default: 0] += reps
    }
}
