import GRDB

/// What a person says that a set was. It stands beside what was recognised, which stays as it is.
package struct SetCorrection: Sendable, Equatable {
    /// The right label; ``nothing`` for a set that never was.
    package let label: String
    /// The right number of repetitions, 0…10,000.
    package let reps: Int

    /// A correction with these values.
    package init(label: String, reps: Int) {
        self.label = label
        self.reps = reps
    }

    /// The label of a set that never was.
    static let nothing = "none"
    /// The most repetitions of a set.
    static let maximumReps = 10_000

    /// The label that the set counts for; `nil` for a set that never was.
    var countedLabel: String? { label == Self.nothing ? nil : label }

    /// The corrections of a session by the number of the set; none in a history from before corrections existed.
    static func all(ofSession session: String, in db: Database) throws -> [Int: SetCorrection] {
        guard try db.tableExists("set_correction") else { return [:] }
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT number, label, reps FROM set_correction WHERE session = ?"),
            arguments: [session])
        return rows.reduce(into: [:]) { $0[$1.integer("number")] = SetCorrection($1, label: "label", reps: "reps") }
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
                INSERT INTO set_correction(session, number, label, reps, made_ms) VALUES(?, ?, ?, ?, ?)
                ON CONFLICT(session, number) DO UPDATE
                SET label = excluded.label, reps = excluded.reps, made_ms = excluded.made_ms
                """, arguments: [session, number, correction.label, correction.reps, wallMilliseconds])
    }

    /// The table for a join; in a history from before corrections existed, an empty one with the columns that are read.
    static func table(in db: Database) throws -> String {
        try db.tableExists("set_correction")
            ? "set_correction" : "(SELECT NULL AS session, NULL AS number, NULL AS label, NULL AS reps LIMIT 0)"
    }
}

extension SetCorrection {
    /// Reads the columns with these names; `nil` where there is no label.
    init?(_ row: Row, label: String, reps: String) {
        guard let text = row.optionalText(label) else { return nil }
        self.init(label: text, reps: min(max(row.integer(reps), 0), Self.maximumReps))
    }
}
