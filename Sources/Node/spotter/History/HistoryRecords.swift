import ArgumentParser
import CommandLineProgram
import Foundation
import History
import Records

extension History {
    struct PersonRecords: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "records", abstract: "What a person has reached: loads, records, weeks in a row.",
            discussion: """
                From the workouts of a name, computed whenever you ask. A load and an exertion
                are there where somebody entered them for the set. E1RM is the weight for one
                repetition, estimated by Epley's formula from sets of 1 to 12 repetitions;
                after ± stands how far it may be off. Without an exertion it is rather too low.

                EXAMPLES
                  spotter history records anna
                  spotter history records anna --json | jq .streak
                """)
        @OptionGroup var database: Database.Options

        @Argument(help: "The name that was typed.")
        var name: String

        @Flag(help: "Print JSON instead of a table.")
        var json = false

        func run() throws {
            let query = try database.query()
            guard let records = try query.personalRecords(of: name, now: Date(), zone: try query.zone()) else {
                throw PersonNames.unknown(name, among: try query.workoutNames())
            }
            if json { return try JSON.print(records) }
            for line in RecordsText(records).lines { Output.line(line) }
        }
    }
}

/// Records as text for a terminal.
struct RecordsText {
    let records: PersonalRecords

    init(_ records: PersonalRecords) { self.records = records }

    /// The lines to print.
    var lines: [String] {
        let streak = records.streak
        let head = [
            "\(records.name): \(records.workouts.counted("workout")) on \(records.days.counted("day")), "
                + "\(Self.kilograms(records.volumeKg)) moved",
            "\(streak.weeks.counted("week")) in a row (most: \(streak.longestWeeks)), "
                + "\(streak.days.counted("day")) in a row (most: \(streak.longestDays))",
        ]
        guard !records.exercises.isEmpty else { return head + ["No workout with a set has ended yet."] }
        var table = Table(
            ["ACTION", "SETS", "REPS", "VOLUME", "HEAVIEST", "E1RM", "MOST REPS", "BEST WORKOUT"],
            rightAligned: [1, 2, 3, 4, 5, 6, 7], leavesEmpty: true)
        for row in records.exercises {
            table.add([
                row.action, String(row.sets), row.reps > 0 ? String(row.reps) : "-",
                row.volumeKg > 0 ? Self.kilograms(row.volumeKg) : "",
                row.heaviest.map { Self.kilograms($0.value) } ?? "",
                row.maximum.map(Self.estimate) ?? "", row.mostReps.map { String(Int($0.value)) } ?? "",
                row.largestVolume.map { Self.kilograms($0.value) } ?? "",
            ])
        }
        return head + [""] + table.lines
    }

    private static func kilograms(_ value: Double) -> String { "\(Wording.load(value)) kg" }

    private static func estimate(_ best: PersonalRecords.Best) -> String {
        "\(Wording.load(best.value)) ± \(Wording.load(best.uncertainty ?? 0)) kg"
    }
}
