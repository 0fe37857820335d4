import Contract
import Foundation
import GRDB
import Records
import Workouts

/// What a person entered for a step of a workout: its weight and how hard it was.
///
/// Both stand with a set. A step has those of the one set of the same exercise that was recognised at its time in front of
/// the same camera.
public struct StepEffort: Sendable, Equatable, Encodable {
    /// The weight, kilograms; `nil` for none.
    public var loadKg: Double?
    /// The perceived exertion, 1…10; `nil` for none.
    public var rpe: Double?

    /// The effort of these values.
    package init(loadKg: Double? = nil, rpe: Double? = nil) { (self.loadKg, self.rpe) = (loadKg, rpe) }

    enum CodingKeys: String, CodingKey {
        case rpe
        case loadKg = "load_kg"
    }

    var isEmpty: Bool { loadKg == nil && rpe == nil }
}

extension StepEffort {
    /// Reads the columns `corrected_load_kg` and `corrected_rpe`. What cannot be is none.
    init(_ row: Row) {
        let load = row.number("corrected_load_kg")
        self.init(
            loadKg: load > 0 ? min(load, SetBody.maximumLoadKg) : nil,
            rpe: row.optionalNumber("corrected_rpe").flatMap { SetBody.efforts.contains($0) ? $0 : nil })
    }
}

/// What people said that the sets in a step really were. The workout itself keeps what was counted in it.
struct StepCorrection: Sendable, Equatable {
    /// The exercise of a step with one set; `nil` where it stays. ``SetCorrection/nothing`` for a set that never was.
    var action: String?
    /// How many repetitions there were more than were recognised.
    var difference: Int
    /// All that the one set of a step has; `nil` for several sets. A set may begin before its step and end after it.
    var most: Int?

    /// - Returns: `nil` where nothing was corrected.
    init?(_ rows: [Row]) {
        let corrected = rows.compactMap { row in SetCorrection(row).map { (row, $0) } }
        guard !corrected.isEmpty else { return nil }
        if rows.count == 1, let (row, right) = corrected.first {
            action = right.label == row.text("action") ? nil : right.label
            difference = right.reps - row.integer("reps")
            most = right.reps
            return
        }
        difference = corrected.reduce(0) { sum, pair in
            let (row, right) = pair
            let action = row.text("action")
            return sum + (right.label == action ? right.reps : 0)
                - (row.text("label") == action ? row.integer("reps") : 0)
        }
    }

    /// The right number of repetitions of a step in which so many were counted.
    func reps(of counted: Int) -> Int {
        if let most, difference <= 0 { return min(counted, most) }
        return max(0, counted + difference)
    }
}

/// A step of a workout with the set that was recognised in it.
public struct StepSet: Sendable, Equatable, Encodable {
    /// The step, from 0.
    public var step: Int
    /// The session and the number of its set.
    public var session: String
    /// The set's number in the session.
    public var set: Int
    /// What was entered.
    public var effort: StepEffort
    /// The load that the same person had last with this exercise, kilograms; `nil` for none.
    public var lastLoadKg: Double?

    enum CodingKeys: String, CodingKey {
        case step, session, set
        case lastLoadKg = "last_load_kg"
    }

    /// Encodes the effort's fields in the same object.
    public func encode(to encoder: any Encoder) throws {
        try effort.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(step, forKey: .step)
        try container.encode(session, forKey: .session)
        try container.encode(set, forKey: .set)
        try container.encodeIfPresent(lastLoadKg, forKey: .lastLoadKg)
    }

    /// The schema of its JSON.
    package static let schema = Schema.object([
        ("step", .required(.tally, "The step, from 0.")), ("session", .required(.uuid)),
        ("set", .required(.tally, "The number of the set in its session.")),
        ("load_kg", .optional(SetBody.loadSchema)), ("rpe", .optional(SetBody.rpeSchema)),
        ("last_load_kg", .optional(SetBody.loadSchema, "The last load of the same name with the exercise.")),
    ])
}

extension StepSet {
    /// - Parameter rows: the sets of a step that are its exercise, as they were recognised or corrected.
    /// - Returns: `nil` unless one of them is.
    fileprivate init?(_ rows: [Row]) {
        let own = rows.filter { ($0.optionalText("corrected_label") ?? $0.text("label")) == $0.text("action") }
        guard own.count == 1, let row = own.first else { return nil }
        self.init(
            step: row.integer("step"), session: row.text("session"), set: row.integer("number"), effort: StepEffort(row)
        )
    }
}

extension HistoryQuery {
    /// No set lasts longer, in milliseconds: sets are looked for by when they began.
    private static let longestSet = 4 * 3_600_000

    /// The sets that were recognised in the steps of workouts.
    ///
    /// - Parameter ids: the ids of the workouts.
    /// - Throws: ``HistoryError``.
    package func stepSets(ofWorkouts ids: [String]) throws -> [String: [StepSet]] {
        try steps(ofWorkouts: ids).mapValues(\.sets)
    }

    /// The same, with what people corrected of the sets, by the step's index.
    ///
    /// - Throws: ``HistoryError``.
    func steps(
        ofWorkouts ids: [String]
    ) throws -> [String: (sets: [StepSet], corrections: [Int: StepCorrection])] {
        try read { db in
            guard !ids.isEmpty, try db.tableExists("workout") else { return [:] }
            let corrections = try SetCorrection.table(in: db)
            let statement = try db.makeStatement(
                sql: """
                    SELECT step.number AS step, step.action, s.session, s.number, s.label, s.reps,
                      \(SetCorrection.columns)
                    FROM workout w JOIN workout_step step ON step.workout = w.id
                      JOIN session_set s ON s.start_ms < ifnull(step.end_ms, w.end_ms) AND s.end_ms > step.start_ms
                        AND s.start_ms > step.start_ms - \(Self.longestSet)
                      JOIN session ON session.id = s.session AND session.camera = w.camera
                      LEFT JOIN \(corrections) c ON c.session = s.session AND c.number = s.number
                    WHERE w.id = ? AND (s.label = step.action OR c.label = step.action)
                    """)
            return try ids.reduce(into: [:]) { found, id in
                let rows = try Row.fetchAll(statement, arguments: [id])
                let steps = Dictionary(grouping: rows) { $0.integer("step") }
                found[id] = (
                    steps.sorted { $0.key < $1.key }.compactMap { StepSet($1) },
                    steps.compactMapValues(StepCorrection.init)
                )
            }
        }
    }

    /// What was entered for a workout's steps, by the step's index; without those for which nothing was.
    ///
    /// - Throws: ``HistoryError``.
    package func efforts(ofWorkout id: String) throws -> [Int: StepEffort] {
        let sets = try stepSets(ofWorkouts: [id])[id] ?? []
        return Dictionary(
            sets.filter { !$0.effort.isEmpty }.map { ($0.step, $0.effort) }, uniquingKeysWith: { first, _ in first })
    }

    /// The workouts of the same name that are looked at for the last load.
    private static let newestWorkouts = 50

    /// The sets of a workout's steps, each with the last load of the same name and exercise before it.
    ///
    /// - Throws: ``HistoryError``.
    package func stepSets(of workout: WorkoutRow) throws -> [StepSet] {
        var sets = try stepSets(ofWorkouts: [workout.id])[workout.id] ?? []
        guard !sets.isEmpty, let name = workout.body.name else { return sets }
        let filter = WorkoutFilter(
            until: Timestamp.date(text: workout.body.start), name: name, limit: Self.newestWorkouts)
        let earlier = try workouts(filter)
        let efforts = try stepSets(ofWorkouts: earlier.map(\.id))
        var last: [String: Double] = [:]
        for row in earlier.reversed() { Self.note(efforts[row.id] ?? [], of: row, in: &last) }
        for index in sets.indices {
            let action = workout.body.steps[sets[index].step].action
            sets[index].lastLoadKg = last[action]
            if let load = sets[index].effort.loadKg { last[action] = load }
        }
        return sets
    }

    private static func note(_ sets: [StepSet], of row: WorkoutRow, in last: inout [String: Double]) {
        for set in sets where row.body.steps.indices.contains(set.step) {
            if let load = set.effort.loadKg { last[row.body.steps[set.step].action] = load }
        }
    }

    /// The load that is offered first for a set.
    public struct LastLoad: Sendable, Equatable, Encodable {
        /// The set's number.
        public var set: Int
        /// Kilograms.
        public var lastLoadKg: Double

        enum CodingKeys: String, CodingKey {
            case set
            case lastLoadKg = "last_load_kg"
        }
    }

    /// The loads that are offered first for the sets of a session: that of the person's set before with the same exercise,
    /// or else the last one of the name whose workout the set belongs to.
    ///
    /// - Returns: those that are known; `nil` where there is no such session.
    /// - Throws: ``HistoryError``.
    package func lastLoads(ofSession id: String) throws -> [LastLoad]? {
        guard let session = try session(id) else { return nil }
        let (start, end) = (Timestamp.date(text: session.start), Timestamp.date(text: session.end))
        let rows = try workouts(WorkoutFilter(until: end, camera: session.camera, limit: Self.newestWorkouts))
            .filter { row in
                let ended = Timestamp.date(text: row.body.end) ?? .distantPast
                return row.body.name != nil && ended >= start ?? .distantPast
            }
        let named = try rows.flatMap { try stepSets(of: $0) }.filter { $0.session == id }
        var last: [String: Double] = [:]
        return (session.sets ?? []).compactMap { set in
            defer { if let load = set.loadKg { last[set.label] = load } }
            let load = last[set.label] ?? named.first { $0.set == set.number }?.lastLoadKg
            return load.map { LastLoad(set: set.number, lastLoadKg: $0) }
        }
    }
}
