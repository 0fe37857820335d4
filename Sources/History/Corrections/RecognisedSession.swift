import Actions
import GRDB
import Records

/// The parts of a stored session: what was recognised, and what people corrected.
struct RecognisedSession {
    /// The totals as they were recognised.
    let actions: [SessionBody.Action]
    /// The sets as they were recognised, in their order.
    let sets: [SessionSet]
    /// What the sets really were, by their number.
    let corrections: [Int: SetCorrection]
    /// What the corrections change.
    let moves: [SetMove]

    /// Reads the parts of a row of `session`. A history from before sets existed has none.
    init(_ session: Row, in db: Database) throws {
        let id = session.text("id")
        actions = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT * FROM session_action WHERE session = ? ORDER BY position, label"),
            arguments: [id]
        ).map(SessionBody.Action.init)
        sets =
            try db.tableExists("session_set")
            ? Row.fetchAll(
                db.cachedStatement(sql: "SELECT * FROM session_set WHERE session = ? ORDER BY number"),
                arguments: [id]
            ).map(SessionSet.init) : []
        corrections = try SetCorrection.all(ofSession: id, in: db)
        moves = SetMove.list(sets, corrections, actions: actions, framesPerSecond: session.number("fps"))
    }
}

extension SessionBody.Action {
    /// Reads a row of `session_action`.
    fileprivate init(_ row: Row) {
        self.init(
            label: row.text("label"), frames: row.integer("frames"),
            seconds: row.number("seconds").rounded(decimals: 3), reps: row.optionalInteger("reps"),
            meanConfidence: row.number("conf_mean").rounded(decimals: 3))
    }
}
