import Agent
import CommandLineProgram
import Foundation
import History
import Records

/// What a run saw, when it ends: sessions, sets, frames, and where it is stored.
struct RunSummary: Encodable {
    /// The most sessions that are read, the newest.
    private static let maximumSessions = 1000
    /// The most sets in the table.
    private static let maximumSets = 40

    /// One camera's frames.
    struct Camera: Encodable {
        /// Frames that were processed.
        var frames: Int
        /// Frames that came too late or could not be used.
        var dropped: Int
        /// Frames that were skipped because the machine is too slow for all.
        var skipped: Int
    }

    /// The frames of each camera.
    var cameras: [String: Camera]
    /// The sessions that began in this run, the oldest first.
    var sessions: [SessionRow]
    /// How many sessions began in this run.
    var sessionsFound: Int
    /// The database file.
    var database: String

    /// Sums up a run.
    ///
    /// - Parameter began: when the run began.
    init(_ reports: CameraStatusBoard, database: String, since began: Date) throws {
        cameras = reports.all.mapValues { .init(frames: $0.frames, dropped: $0.dropped, skipped: $0.skipped.count) }
        let filter = HistoryFilter(since: began, limit: Self.maximumSessions)
        var newest: [SessionRow] = []
        sessionsFound = try HistoryQuery(path: database).sessions(filter) { newest.append($0) }.found
        sessions = newest.reversed()
        self.database = database
    }

    enum CodingKeys: String, CodingKey {
        case cameras, sessions, database
        case sessionsFound = "sessions_found"
    }

    /// The summary for people.
    var lines: [String] {
        let frames = cameras.sorted { $0.key < $1.key }.map { name, camera in
            var parts = ["\(camera.frames) frames", "\(camera.dropped) dropped"]
            if camera.skipped > 0 { parts.append("\(camera.skipped) skipped") }
            return "\(name): \(parts.joined(separator: ", "))"
        }
        guard !sessions.isEmpty else {
            return frames + [
                "Nobody was seen long enough for a session. `spotter preview` shows what a recording holds."
            ]
        }
        // The command finds the database by itself only where the configuration names it.
        let isFound = (try? ConfigurationFile.parse([]).read().history.path) == database
        let command = "spotter history sessions" + (isFound ? "" : " --database \(database)")
        let again = "stored in \(database): `\(command)` shows it again"
        let count =
            sessionsFound > sessions.count
            ? "the newest \(sessions.count) of \(sessionsFound.counted("session"))"
            : sessions.count.counted("session")
        let sets = sessions.reduce(0) { $0 + ($1.sets?.count ?? 0) }
        var lines = frames + sessionTable.lines(columns: columns) + [""]
        lines += setTable?.lines(columns: columns) ?? []
        for (count, what) in [(sessions.count, "sessions"), (sets, "sets")] where count > Self.maximumSets {
            lines.append("The tables show the newest \(Self.maximumSets) of \(count) \(what).")
        }
        return lines + ["\(count), \(again)"]
    }

    private var columns: Int { Terminal.columns }

    private var sessionTable: Table {
        var table = Table(["SESSION", "CAMERA", "PERSON", "TIME", "ACTIONS"], rightAligned: [2, 3])
        for session in sessions.suffix(Self.maximumSets) {
            let actions = session.actions.map { action in
                "\(action.label) \(action.reps.map(String.init) ?? DurationText.of(action.seconds))"
            }
            table.add([
                TypedId.short(session.id), session.camera, String(session.track),
                DurationText.clock(session.start, session.end),
                actions.isEmpty ? "no exercise" : actions.joined(separator: ", "),
            ])
        }
        return table
    }

    /// `nil` without sets.
    private var setTable: Table? {
        let sets = sessions.flatMap { session in (session.sets ?? []).map { (session, $0) } }
        guard !sets.isEmpty else { return nil }
        var table = Table(
            ["SESSION", "SET", "ACTION", "TIME", "REPS", "REST", "SCORE"], rightAligned: [1, 3, 4, 5, 6],
            leavesEmpty: true)
        for (session, set) in sets.suffix(Self.maximumSets) {
            table.add([
                TypedId.short(session.id), String(set.number), set.label, DurationText.clock(set.start, set.end),
                String(set.reps), set.restSeconds.map { DurationText.clock($0) } ?? "", set.form.map(String.init) ?? "",
            ])
        }
        return table
    }
}
