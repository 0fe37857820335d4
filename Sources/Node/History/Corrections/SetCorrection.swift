import Actions
import Contract
import GRDB

/// What a person says that a set was. It stands beside what was recognised, which stays as it is.
package struct SetCorrection: Sendable, Equatable {
    /// The right label; ``nothing`` for a set that never was.
    package let label: String
    /// The right number of repetitions, 0…10,000.
    package let reps: Int
    /// The weight that was moved, kilograms, more than 0 and at most ``SetBody/maximumLoadKg``; `nil` where nobody entered it.
    package let loadKg: Double?
    /// The perceived exertion, 1…10 in steps of a half; `nil` where nobody entered it.
    package let rpe: Double?

    /// A correction with these values.
    package init(label: String, reps: Int, loadKg: Double? = nil, rpe: Double? = nil) {
        (self.label, self.reps, self.loadKg, self.rpe) = (label, reps, loadKg, rpe)
    }

    /// The label of a set that never was.
    static let nothing = "none"
    /// The most repetitions of a set.
    static let maximumReps = 10_000

    /// The label that the set counts for; `nil` for a set that never was.
    var countedLabel: String? { label == Self.nothing ? nil : label }

    /// Whether nobody entered a load or an exertion.
    var hasNoEffort: Bool { loadKg == nil && rpe == nil }

    /// Whether label and repetitions are those that were recognised, so that only load or exertion were entered.
    func isAs(_ set: SessionSet) -> Bool { label == set.label && reps == set.reps }

    /// The corrections of a session by the number of the set; none in a history from before corrections existed.
    static func all(ofSession session: String, in db: Database) throws -> [Int: SetCorrection] {
        let sql = "SELECT number, \(columns) FROM \(try table(in: db)) c WHERE session = ?"
        let rows = try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [session])
        return rows.reduce(into: [:]) { $0[$1.integer("number")] = SetCorrection($1) }
    }

    /// Stores the correction of a set in place of an earlier one; `nil` takes it back.
    static func store(
        _ correction: SetCorrection?, set number: Int, session: String, wallMilliseconds: Int64, in db: Database
    ) throws {
        guard let correction else {
            try db.execute(
                sql: "DELETE FROM set_correction WHERE session = ? AND number = ?", arguments: [session, number])
            return
        }
        try db.execute(
            sql: """
                INSERT INTO set_correction(session, number, label, reps, load_kg, rpe, made_ms)
                VALUES(?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT(session, number) DO UPDATE
                SET label = excluded.label, reps = excluded.reps, load_kg = excluded.load_kg, rpe = excluded.rpe,
                  made_ms = excluded.made_ms
                """,
            arguments: [
                session, number, correction.label, correction.reps, correction.loadKg, correction.rpe,
                wallMilliseconds,
            ])
    }

    /// The table for a join; in a history from before corrections, loads or exertions existed, one with the columns that
    /// are read.
    static func table(in db: Database) throws -> String {
        guard try db.tableExists("set_correction") else {
            let columns = ["session", "number", "label", "reps", "load_kg", "rpe"].map { "NULL AS \($0)" }
            return "(SELECT \(columns.joined(separator: ", ")) LIMIT 0)"
        }
        let stored = Set(try db.columns(in: "set_correction").map(\.name))
        let missing = ["load_kg", "rpe"].filter { !stored.contains($0) }.map { ", NULL AS \($0)" }
        return missing.isEmpty ? "set_correction" : "(SELECT *\(missing.joined()) FROM set_correction)"
    }
}

extension SetCorrection {
    /// What ``init(_:)`` reads, of a table `c`; a set has a label of its own.
    static let columns = """
        c.label AS corrected_label, c.reps AS corrected_reps, c.load_kg AS corrected_load_kg, c.rpe AS corrected_rpe
        """

    /// Reads ``columns``; `nil` where there is no label.
    init?(_ row: Row) {
        guard let label = row.optionalText("corrected_label") else { return nil }
        let effort = StepEffort(row)
        self.init(
            label: label, reps: min(max(row.integer("corrected_reps"), 0), Self.maximumReps),
            loadKg: effort.loadKg, rpe: effort.rpe)
    }
}
