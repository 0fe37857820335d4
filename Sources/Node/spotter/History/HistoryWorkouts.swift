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
                },
                columns: [
                    "id", "camera", "name", "plan", "start", "end", "end_reason", "round", "action", "planned_reps",
                    "planned_s", "reps", "seconds", "rest_before_s", "score", "pain", "skipped", "complete",
                    "no_reps", "unjudged_reps", "stopped",
                ],
                values: { row in
                    let body = row.body
                    let workout = [
                        row.id, body.camera, body.name ?? "", body.plan, Timestamp.text(body.start, in: zone),
                        Timestamp.text(body.end, in: zone), body.endReason ?? "",
                    ]
                    return body.steps.map { step in
                        workout + [
                            String(step.round), step.action, CSV.cell(step.plannedReps), CSV.cell(step.plannedSeconds),
                            String(step.reps), "\(step.seconds)", CSV.cell(step.restBeforeSeconds), CSV.cell(step.form),
                            CSV.cell(step.pain), String(step.skipped), String(step.complete),
                            CSV.cell(step.measured?.noReps), CSV.cell(step.measured?.unjudged), step.stopped ?? "",
                        ]
                    }
                })
        }
    }
}
