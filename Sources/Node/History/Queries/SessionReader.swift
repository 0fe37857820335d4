import Actions
import Contract
import GRDB
import Records

/// Reads sessions with their parts from one database. What is the same for all of them is asked once.
struct SessionReader {
    private let db: Database
    private let hasSets: Bool
    /// Whether anything was ever corrected; on most nodes nothing was.
    private let hasCorrections: Bool

    init(_ db: Database) throws {
        self.db = db
        hasSets = try db.tableExists("session_set")
        hasCorrections =
            try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \(try SetCorrection.table(in: db)))") == true
    }

    /// The parts of a row of `session`.
    func recognised(_ session: Row) throws -> RecognisedSession {
        let id = session.text("id")
        let actions = try list(
            """
            SELECT label, frames, seconds, reps, conf_mean FROM session_action WHERE session = ?
            ORDER BY position, label
            """, id, SessionBody.Action.init)
        let sets =
            try hasSets ? list("SELECT * FROM session_set WHERE session = ? ORDER BY number", id, SessionSet.init) : []
        let corrections = try hasCorrections ? SetCorrection.all(ofSession: id, in: db) : [:]
        return RecognisedSession(
            actions: actions, sets: sets, corrections: corrections,
            moves: SetMove.list(sets, corrections, actions: actions, framesPerSecond: session.number("fps")))
    }

    /// The session of a row of `session`, as people corrected it.
    func session(_ row: Row) throws -> SessionRow {
        let id = row.text("id")
        let recognised = try recognised(row)
        let actions = SetMove.apply(recognised.moves, to: recognised.actions)
        let excluded = try list("SELECT reason, frames FROM session_excluded WHERE session = ?", id) {
            ($0.text("reason"), $0.integer("frames"))
        }
        return SessionRow(
            id: id, camera: row.text("camera"), track: row.integer("track"),
            start: Timestamp.text(milliseconds: row.moment("start_ms")),
            end: Timestamp.text(milliseconds: row.moment("end_ms")), endReason: row.optionalText("end_reason"),
            model: row.text("model"), fps: row.number("fps"), rev: row.integer("rev"),
            frames: actions.map(\.frames).clampedSum,
            seconds: actions.reduce(0) { $0 + $1.seconds }.rounded(decimals: 3), actions: actions,
            sets: SetBody.list(recognised.sets, recognised.corrections),
            excludedFrames: Dictionary(excluded, uniquingKeysWith: { $1 }), zone: row.optionalText("zone"))
    }

    /// The rows of one part of a session.
    private func list<Part>(_ sql: String, _ session: String, _ part: (Row) -> Part) throws -> [Part] {
        let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: [session])
        var parts: [Part] = []
        while let row = try rows.next() { parts.append(part(row)) }
        return parts
    }
}
