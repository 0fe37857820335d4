import Agent
import ArgumentParser
import Foundation
import History

/// One session: look at it, or forget it.
struct SessionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "Shows one session, or deletes it for good.",
        discussion: """
            EXAMPLES
              spotter session show 019aa0d1-22b0-7f3e-8d51-0c1f6e2b7a90
              spotter session delete 019aa0d1-22b0-7f3e-8d51-0c1f6e2b7a90 --yes
            """,
        subcommands: [Show.self, Delete.self])

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Everything that is stored of a session.")
        @OptionGroup var options: Database.Options

        @Argument(help: "The session's id, as `spotter history sessions --json` prints it.")
        var id: String

        @Flag(help: "Print JSON instead of lines.")
        var json = false

        func run() throws {
            guard let session = try HistoryQuery(path: try options.path()).session(id) else { throw Unknown(id: id) }
            if json { return try JSON.print(session) }
            print("\(session.camera), person \(session.track)")
            print("\(session.start) to \(session.end), ended by \(session.endReason ?? "nothing yet")")
            var table = Table(["ACTION", "FRAMES", "SECONDS", "REPS", "CONFIDENCE"], rightAligned: [1, 2, 3, 4])
            for action in session.actions {
                table.add([
                    action.label, String(action.frames), String(format: "%.1f", action.seconds),
                    action.reps.map(String.init) ?? "-", String(format: "%.2f", action.meanConfidence),
                ])
            }
            table.print()
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Forgets a session: its rows, its predictions, and what the record log held of it.",
            discussion: """
                Receivers get a record that says the session was deleted, at the node's next connection. The day's
                totals stay; they name nobody. Backups and copies from before are not touched. While a node runs, it
                has to do it: send it the command session_delete.
                """)
        @OptionGroup var options: Database.Options

        @Argument(help: "The session's id.")
        var id: String

        @Flag(help: "Do it.")
        var yes = false

        func run() throws {
            let path = try options.path()
            guard yes else {
                guard try HistoryQuery(path: path).session(id) != nil else { throw Unknown(id: id) }
                print("\(id) would be deleted for good; --yes does it.")
                return
            }
            guard FileManager.default.fileExists(atPath: path) else { throw HistoryError.missing(path: path) }
            let store = try Store(path: path, settings: HistorySettings(timeZone: try zone(path)))
            let outcome = try store.deleteSession(id, wall: Date())
            try store.close()
            guard outcome == .deleted else { throw Unknown(id: id) }
            print("\(id) was deleted.")
        }

        /// The database's own, so that its days are cut as before.
        private func zone(_ path: String) throws -> TimeZone {
            try HistoryQuery(path: path).timeZone() ?? .current
        }
    }

    /// There is no such session.
    struct Unknown: Error, CustomStringConvertible {
        let id: String
        var description: String { "no session '\(id)': `spotter history sessions --json` lists the ids" }
    }
}
