import Actions
import Contract
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
}

extension SessionBody.Action {
    /// Reads a row of `session_action`.
    init(_ row: Row) {
        self.init(
            label: row.text("label"), frames: row.integer("frames"),
            seconds: row.number("seconds").rounded(decimals: 3), reps: row.optionalInteger("reps"),
            meanConfidence: row.number("conf_mean").rounded(decimals: 3))
    }
}
