import ArgumentParser
import CommandLineProgram
import Foundation
import History
import Records
import Sharing
import TOMLSettings

extension WorkoutCommand {
    struct Send: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes a finished, named workout as a file that other apps import.",
            discussion: """
                FORMATS
                  fit           an activity of strength training: Garmin Connect, Strava
                  open-mhealth  JSON for studies and health records
                  strong        CSV as the app Strong exports it; Hevy imports it
                  hevy          CSV as the app Hevy exports it

                The file is written into the current folder, under the workout's time and
                plan. A weight is in it where a person entered one for the set. The name of
                the person is in none but open-mhealth.

                EXAMPLES
                  spotter workout send 019aa0d1 --to fit
                  spotter workout send 019aa0d1 --to strong --output anna.csv
                  spotter workout send 019aa0d1 --to open-mhealth --output - | jq
                """)
        @OptionGroup var options: Options

        @Argument(help: "The workout's id, as `spotter history workouts` prints it.")
        var id: String

        @Option(
            name: .customLong("to"),
            help: ArgumentHelp(
                "The format: \(WorkoutFormat.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "format"))
        var format: String

        @Option(name: .shortAndLong, help: ArgumentHelp("The file; - is standard output.", valueName: "file"))
        var output: String?

        private struct Written: Encodable {
            let workout, file, format: String
            let sets, bytes: Int
        }

        func validate() throws {
            guard WorkoutFormat(rawValue: format) == nil else { return }
            let known = WorkoutFormat.allCases.map(\.rawValue)
            let nearest = NearestName.of(format, among: known).map { ": did you mean '\($0)'?" } ?? "."
            throw ValidationError(
                "no format has the name '\(format)'\(nearest) Known: \(known.joined(separator: ", "))")
        }

        func run() throws {
            guard let format = WorkoutFormat(rawValue: format) else { return }
            let query = try options.query()
            guard let known = try query.workoutId(id), let row = try query.workout(known) else {
                throw Unknown(description: "no workout '\(id)': `spotter history workouts` lists them")
            }
            let names = (try? options.database.configurationFile.read().classifier().description.displayNames) ?? [:]
            let workout = try FinishedWorkout(row, efforts: try query.efforts(ofWorkout: known), names: names)
            let zone = try query.zone()
            let bytes = format.file(of: workout, zone: zone)
            if output == "-" { return Output.raw(bytes) }
            let file = output ?? format.fileName(of: workout, zone: zone)
            try OutputFile.check(file, sparing: [options.database.path()])
            try OutputFile.write(Data(bytes), to: file, isPersonal: true)
            let written = Written(
                workout: known, file: file, format: format.rawValue, sets: workout.steps.count, bytes: bytes.count)
            if options.json { return try JSON.print(written) }
            Output.line("written: \(file), \(workout.steps.count.counted("set"))")
        }
    }
}
