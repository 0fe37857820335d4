import Contract
import Foundation
import Records

/// The comma-separated values of a list: numbers without units, and times with the zone's offset.
package struct CSVColumns<Row>: Sendable {
    /// The columns, by their names in JSON.
    package let names: [String]
    /// The lines of a row.
    package let lines: @Sendable (Row) -> [[String]]

    init(_ names: [String], lines: @escaping @Sendable (Row) -> [[String]]) {
        (self.names, self.lines) = (names, lines)
    }
}

extension CSVColumns<ActionRow> {
    /// Totals of every action.
    package static var actions: Self {
        Self(["label", "frames", "seconds", "reps", "days"]) {
            [[$0.label, String($0.frames), "\($0.seconds)", CSV.cell($0.reps), String($0.days)]]
        }
    }
}

extension CSVColumns<SessionRow> {
    /// One line for each action of a session.
    package static func sessions(in zone: TimeZone) -> Self {
        Self([
            "id", "camera", "zone", "track", "start", "end", "end_reason", "label", "frames", "seconds", "reps",
            "conf_mean",
        ]) { row in
            let session = [
                row.id, row.camera, row.zone ?? "", String(row.track), Timestamp.text(row.start, in: zone),
                Timestamp.text(row.end, in: zone), row.endReason ?? "",
            ]
            guard !row.actions.isEmpty else { return [session + ["", "", "", "", ""]] }
            return row.actions.map { action in
                session + [
                    action.label, String(action.frames), "\(action.seconds)", CSV.cell(action.reps),
                    CSV.cell(action.meanConfidence),
                ]
            }
        }
    }
}

extension CSVColumns<SetRow> {
    /// One line for each set.
    package static func sets(in zone: TimeZone) -> Self {
        Self([
            "session", "number", "camera", "zone", "track", "label", "start", "end", "reps", "rest_s",
            "score", "recognised_label", "recognised_reps", "load_kg", "confidence", "reps_margin",
            "rpe", "left_reps", "right_reps",
        ]) { row in
            let set = row.body
            return [
                [
                    row.session, String(set.number), row.camera, set.zone ?? "", String(row.track), set.label,
                    Timestamp.text(set.start, in: zone), Timestamp.text(set.end, in: zone), String(set.reps),
                    CSV.cell(set.restSeconds), CSV.cell(set.form), set.corrected?.label ?? "",
                    CSV.cell(set.corrected?.reps), CSV.cell(set.loadKg), CSV.cell(set.confidence),
                    CSV.cell(set.repsMargin), CSV.cell(set.rpe), CSV.cell(set.leftReps), CSV.cell(set.rightReps),
                ]
            ]
        }
    }
}

extension CSVColumns<DayRow> {
    /// One line for each action of a day and camera.
    package static var days: Self {
        Self(["day", "camera", "sessions", "label", "frames", "seconds", "reps"]) { row in
            let day = [row.day, row.camera, String(row.sessions)]
            guard !row.seconds.isEmpty else { return [day + ["", "", "", ""]] }
            return row.timedActions.map { label, seconds in
                day + [label, CSV.cell(row.frames[label]), "\(seconds)", CSV.cell(row.reps[label])]
            }
        }
    }
}

extension CSVColumns<StoredPrediction> {
    /// One line for each prediction.
    package static func predictions(in zone: TimeZone) -> Self {
        Self(["time", "camera", "track", "label", "confidence", "frames"]) { row in
            [
                [
                    Timestamp.text(row.time, in: zone), row.camera, String(row.track), row.label,
                    "\(row.confidence)",
                    String(row.frames),
                ]
            ]
        }
    }
}

extension CSVColumns<ZoneRow> {
    /// One line for each zone.
    package static var zones: Self {
        Self([
            "camera", "zone", "sets", "reps", "seconds", "days", "uses", "uses_per_hour", "use_seconds",
            "idle_seconds", "waiting_seconds",
        ]) { row in
            [
                [
                    row.camera, row.zone, String(row.sets), String(row.reps), "\(row.seconds)",
                    String(row.days), String(row.uses), CSV.cell(row.usesPerHour), CSV.cell(row.useSeconds),
                    CSV.cell(row.idleSeconds), "\(row.waitingSeconds)",
                ]
            ]
        }
    }
}

extension CSVColumns<CameraAbsence> {
    /// One line for each time without pictures.
    package static func absences(in zone: TimeZone) -> Self {
        Self(["camera", "start", "end", "seconds", "reason"]) { row in
            [
                [
                    row.camera, Timestamp.text(row.start, in: zone),
                    row.end.map { Timestamp.text($0, in: zone) } ?? "",
                    row.end == nil ? "" : "\(row.seconds())", row.reason,
                ]
            ]
        }
    }
}

extension CSVColumns<Alarm> {
    /// One line for each alarm.
    package static func alarms(in zone: TimeZone) -> Self {
        @Sendable func text(_ moment: Date?) -> String {
            moment.map { Timestamp.text(Timestamp.text($0), in: zone) } ?? ""
        }
        return Self(["id", "camera", "zone", "cause", "since", "raised", "ended", "acknowledged"]) { row in
            [
                [
                    row.id, row.camera, row.zone ?? "", row.cause.rawValue, text(row.since), text(row.raised),
                    text(row.ended), text(row.acknowledged),
                ]
            ]
        }
    }
}

extension CSVColumns<WorkoutRow> {
    /// One line for each step of a workout.
    package static func workouts(in zone: TimeZone) -> Self {
        Self([
            "id", "camera", "name", "plan", "start", "end", "end_reason", "round", "action", "planned_reps",
            "planned_s", "reps", "seconds", "rest_before_s", "score", "pain", "skipped", "complete",
            "no_reps", "unjudged_reps", "stopped",
        ]) { row in
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
        }
    }
}

extension CSVColumns<OccupancyRow> {
    /// One line for each hour, of the day or of each weekday.
    package static func occupancy(weekdays: Bool) -> Self {
        Self((weekdays ? ["weekday"] : []) + ["hour", "people", "most", "sessions", "watched_seconds"]) { row in
            [
                (weekdays ? [CSV.cell(row.weekday)] : []) + [
                    String(row.hour), CSV.cell(row.people), CSV.cell(row.most), String(row.sessions),
                    "\(row.watchedSeconds)",
                ]
            ]
        }
    }
}

extension DayRow {
    /// The actions of the day, longest first.
    package var timedActions: [(label: String, seconds: Double)] {
        seconds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    }
}
