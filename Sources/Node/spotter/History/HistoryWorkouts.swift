import ArgumentParser
import CommandLineProgram
import Foundation
import History
import Records

extension History {
    struct WorkoutList: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "workouts", abstract: "Workout by workout, the newest first."
        )
        @OptionGroup var options: Options

        @Option(help: ArgumentHelp("Only workouts of this name.", valueName: "name"))
        var name: String?

        func run() throws {
            try options.refuseZone()
            let query = try options.query()
            let zone = try options.zone(query)
            let sessions = try options.rows(query)
            let filter = WorkoutFilter(
                since: sessions.since, until: sessions.until, camera: sessions.camera, name: name,
                action: sessions.action, limit: sessions.limit)
            try options.checkNames(query)
            try options.show(listing(zone), nothing: try query.workoutCount() == 0 ? Self.nothing : nil) { body in
                let rows = try query.workouts(filter)
                if rows.isEmpty, let name, try query.workouts(WorkoutFilter(name: name, limit: 1)).isEmpty {
                    throw PersonNames.unknown(name, among: try query.workoutNames())
                }
                try rows.forEach(body)
                return RowCount(shown: rows.count, found: try query.workoutCount(filter))
            }
        }

        /// What is said while there is no workout at all.
        private static let nothing = "No workout was done yet: `spotter workout start` and the page start one."

        private func listing(_ zone: TimeZone) -> Listing<WorkoutRow> {
            Listing(
                table: Table(
                    ["ID", "BEGAN", "TIME", "CAMERA", "NAME", "STEPS", "REPS", "ENDED BY", "PLAN"],
                    rightAligned: [2, 5, 6], leavesEmpty: true),
                cells: { row in
                    let body = row.body
                    return [
                        TypedId.short(row.id), Wording.minute(body.start, zone),
                        DurationText.clock(body.start, body.end),
                        body.camera, body.name ?? "", "\(body.completedSteps)/\(body.steps.count)", String(body.reps),
                        body.endReason ?? "open", body.planName,
                    ]
                }, csv: .workouts(in: zone))
        }
    }
}
