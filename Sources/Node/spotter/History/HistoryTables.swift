import CommandLineProgram
import Agent
import ArgumentParser
import Contract
import Foundation
import History
import Records

/// The subcommands of `spotter history`: one table each.
extension History {
    struct Actions: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Totals of every action.")
        @OptionGroup var options: Options
        @OptionGroup var drawing: ChartOptions

        func run() throws {
            try options.refuseZone()
            let query = try options.query()
            try options.checkNames(query)
            let (rows, count) = try query.actions(options.filter(query)).first(atMost: options.limit)
            if drawing.chart { return try drawing.show(chart(rows), count, options) }
            let listing = Listing<ActionRow>(
                table: Table(["ACTION", "FRAMES", "TIME", "REPS", "DAYS"], rightAligned: [1, 2, 3, 4]),
                cells: { row in
                    [
                        row.label, String(row.frames), DurationText.of(row.seconds), row.reps.map(String.init) ?? "-",
                        String(row.days),
                    ]
                }, csv: .actions)
            try options.show(listing) { body in
                try rows.forEach(body)
                return count
            }
        }

        private func chart(_ rows: [ActionRow]) -> BarChart {
            var chart = BarChart()
            for (number, row) in rows.enumerated() {
                let reps = row.reps.map { ", \($0) reps" } ?? ""
                chart.add(
                    BarChart.Bar(
                        name: row.label, value: row.seconds, text: DurationText.of(row.seconds) + reps, kind: number))
            }
            return chart
        }
    }

    struct Sessions: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Session by session, the newest first.")
        @OptionGroup var options: Options

        func run() throws {
            let query = try options.query()
            let zone = try options.zone(query)
            try options.checkNames(query)
            let filter = try options.rows(query)
            try options.show(listing(zone)) { try query.sessions(filter, each: $0) }
        }

        private func listing(_ zone: TimeZone) -> Listing<SessionRow> {
            Listing(
                table: Table(
                    ["ID", "BEGAN", "TIME", "CAMERA", "ZONE", "ACTIONS"], rightAligned: [2], leavesEmpty: true),
                cells: { row in
                    let lasted = DurationText.clock(row.start, row.end)
                    let actions = row.actions.map { action in
                        "\(action.label) \(action.reps.map(String.init) ?? DurationText.of(action.seconds))"
                    }
                    return [
                        TypedId.short(row.id), Wording.minute(row.start, zone), row.endReason == nil ? "open" : lasted,
                        row.camera, row.zone ?? "", actions.joined(separator: ", "),
                    ]
                }, csv: .sessions(in: zone))
        }
    }

    struct Sets: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Set by set, the newest first.")
        @OptionGroup var options: Options

        func run() throws {
            let query = try options.query()
            let zone = try options.zone(query)
            try options.checkNames(query)
            let filter = try options.rows(query)
            try options.show(listing(zone)) { try query.sets(filter, each: $0) }
        }

        private func listing(_ zone: TimeZone) -> Listing<SetRow> {
            Listing(
                table: Table(
                    [
                        "SESSION", "SET", "BEGAN", "TIME", "CAMERA", "ZONE", "ACTION", "REPS", "LOAD", "RPE", "REST",
                        "SCORE", "RECOGNISED",
                    ],
                    rightAligned: [1, 3, 7, 8, 9, 10, 11], leavesEmpty: true),
                cells: { row in
                    let set = row.body
                    return [
                        TypedId.short(row.session), String(set.number), Wording.minute(set.start, zone),
                        DurationText.clock(set.start, set.end), row.camera, set.zone ?? "", set.label,
                        Wording.repetitions(of: set), set.loadKg.map(Wording.load) ?? "",
                        set.rpe.map(Wording.load) ?? "", set.restSeconds.map { DurationText.clock($0) } ?? "",
                        set.form.map(String.init) ?? "",
                        set.corrected.map { "\($0.label) \($0.reps)" } ?? "",
                    ]
                }, csv: .sets(in: zone))
        }
    }

    struct Days: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Day by day and camera by camera.")
        @OptionGroup var options: Options
        @OptionGroup var drawing: ChartOptions

        func run() throws {
            let query = try options.query()
            try options.checkNames(query)
            let filter = try options.rows(query)
            let (rows, count) = try query.newestDays(filter)
            var notes = try notes(query, filter, rows)
            if let zone = filter.zone {
                notes.append(
                    "Days on which \(zone) was used. What was done is that of the whole camera: "
                        + "`spotter history sets --zone \(zone)` has the zone's own.")
            }
            if drawing.chart { return try drawing.show(chart(rows), count, notes: notes, options) }
            let listing = Listing<DayRow>(
                table: Table(["DAY", "CAMERA", "SESSIONS", "ACTIONS"], rightAligned: [2]),
                cells: { row in
                    let actions = row.timedActions.map { "\($0.label) \(row.text(of: $0.label))" }
                    return [row.day, row.camera, String(row.sessions), actions.joined(separator: ", ")]
                }, csv: .days)
            try options.show(listing, notes: notes) { body in
                try rows.forEach(body)
                return count
            }
        }

        /// What the days leave out: parts of those at the ends of the span, and people without a session.
        private func notes(_ query: HistoryQuery, _ filter: HistoryFilter, _ rows: [DayRow]) throws -> [String] {
            guard let own = try query.timeZone() else { return [] }
            if let zone = filter.timeZone, zone.identifier != own.identifier {
                return [
                    "Days in \(zone.identifier): what the sessions did that began on each. "
                        + "The gym's own days are those of \(own.identifier)."
                ]
            }
            return try query.partialDays(filter).filter { part in rows.contains { $0.day == part.day } }.map { part in
                let calendar = Calendar.gregorian(in: own)
                let from =
                    part.start == calendar.startOfDay(for: part.start) ? "" : " from \(Wording.clock(part.start, own))"
                let to = part.end == calendar.endOfDay(part.start) ? "" : " until \(Wording.clock(part.end, own))"
                return "\(part.day) counts\(from)\(to) only."
            }
        }

        private func chart(_ rows: [DayRow]) -> BarChart {
            let labels = Set(rows.flatMap(\.seconds.keys)).sorted()
            var chart = BarChart()
            for row in rows {
                let sessions = row.sessions.counted("session")
                chart.add(heading: "\(row.day)  \(row.camera)  \(sessions)")
                for (label, seconds) in row.timedActions where options.concerns(label) {
                    chart.add(
                        BarChart.Bar(
                            name: label, value: seconds, text: row.text(of: label),
                            kind: labels.firstIndex(of: label) ?? 0))
                }
            }
            return chart
        }
    }

    struct Predictions: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prediction by prediction, the newest first; kept for history.prediction_days.")
        @OptionGroup var options: Options

        func run() throws {
            try options.refuseZone()
            let query = try options.query()
            let zone = try options.zone(query)
            try options.checkNames(query)
            let listing = Listing<StoredPrediction>(
                table: Table(["TIME", "CAMERA", "PERSON", "LABEL", "CONFIDENCE", "FRAMES"], rightAligned: [2, 4, 5]),
                cells: { row in
                    [
                        Wording.local(row.time, zone), row.camera, String(row.track), row.label,
                        String(format: "%.2f", row.confidence), String(row.frames),
                    ]
                }, csv: .predictions(in: zone))
            let filter = try options.rows(query)
            try options.show(listing) { try query.predictions(filter, each: $0) }
        }
    }
}

extension DayRow {
    /// How long an action was done, and how often: `12.0 s (8)`.
    fileprivate func text(of label: String) -> String {
        DurationText.of(seconds[label] ?? 0) + (reps[label].map { " (\($0))" } ?? "")
    }
}
