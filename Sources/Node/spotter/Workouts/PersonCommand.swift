import ArgumentParser
import CommandLineProgram
import Foundation
import History
import Records

/// What is stored of one person, by the name that was typed.
struct PersonCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "person",
        abstract: "Shows, exports or deletes what is stored of one person, by the name that was typed.",
        discussion: """
            Nobody is recognised. A name is what a person typed for a workout or a training
            clip; letter case does not matter. These commands look at the history, at the
            clips and databases beside it, and at what the broker retains.

            EXAMPLES
              spotter person list
              spotter person show anna
              spotter person export anna -o anna/  workouts and clips, to hand over
              spotter person forget anna           asks, and says what it did
              spotter person code anna             lets Anna see what is hers
            """,
        subcommands: [List.self, Show.self, Export.self, Forget.self, Code.self])

    /// The options of all of them.
    struct Options: ParsableArguments {
        @OptionGroup var database: Database.Options

        @Flag(help: "Print JSON instead of words.")
        var json = false
    }

    /// A place could not be reached.
    struct Incomplete: Error, CustomStringConvertible {
        let description: String
        /// Whether it may be reached later.
        let isTemporary: Bool
    }
}

extension PersonCommand {
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the names that were typed.")
        @OptionGroup var options: Options

        private struct Row: Encodable {
            var person: PersonRow?
            var name: String
            var clips: Int
            /// The nickname of the code; `nil` without one.
            var code: String?

            enum CodingKeys: String, CodingKey { case name, clips, code }

            func encode(to encoder: any Encoder) throws {
                try person?.encode(to: encoder)
                var container = encoder.container(keyedBy: CodingKeys.self)
                if person == nil { try container.encode(name, forKey: .name) }
                try container.encode(clips, forKey: .clips)
                try container.encodeIfPresent(code, forKey: .code)
            }
        }

        func run() throws {
            let places = try PersonPlaces(options.database)
            let people = try places.query.people()
            let codes = try places.query.memberCodes()
            // Names of clips and codes alone, each once.
            let others = (places.clips.people() + codes.map(\.name)).reduce(into: [String]()) { names, name in
                let known = people.map(\.name) + names
                if !known.contains(where: { PersonPlaces.areSame($0, name) }) { names.append(name) }
            }
            let rows = (people.map { ($0, $0.name) } + others.map { (nil, $0) }).map { person, name in
                Row(
                    person: person, name: name, clips: places.clips.files(of: name).count,
                    code: codes.first { $0.isCalled(name) }?.nickname)
            }
            if options.json { return try JSON.print(rows) }
            guard !rows.isEmpty else {
                Output.line("No name was typed for a workout or a training clip.")
                return
            }
            let zone = try places.query.timeZone() ?? .current
            var table = Table(
                ["NAME", "NICKNAMES", "WORKOUTS", "FIRST", "LAST", "CLIPS", "CODE"], rightAligned: [2, 5])
            for row in rows {
                table.add([
                    ([row.name] + (row.person?.spellings ?? [])).joined(separator: ", "),
                    row.person?.nicknames.joined(separator: ", ") ?? "", String(row.person?.workouts ?? 0),
                    row.person.map { Wording.local($0.first, zone) } ?? "-",
                    row.person.map { Wording.local($0.last, zone) } ?? "-", String(row.clips), row.code ?? "-",
                ])
            }
            table.print()
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows where a name is stored.")
        @OptionGroup var options: Options

        @Argument(help: "The name.")
        var name: String

        func run() throws {
            let traces = try PersonPlaces(options.database).traces(of: name)
            if options.json { return try JSON.print(traces) }
            for line in PersonWords(traces).found { Output.line(line) }
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes the workouts and training clips of one name into a folder, to hand over.",
            discussion: """
                The folder gets workouts.json, with names, plans, repetitions, measurements,
                pain, loads and exertions, and the clips as they are. Sessions and sets that
                were seen outside of workouts belong to nobody: nothing tells whose they are.
                """)
        @OptionGroup var options: Options

        @Argument(help: "The name.")
        var name: String

        @Option(name: .shortAndLong, help: ArgumentHelp("The folder, which must not exist.", valueName: "folder"))
        var output: String

        /// A workout with the sets that were recognised in its steps, which have the loads and the exertions.
        private struct ExportedWorkout: Encodable {
            var row: WorkoutRow
            var sets: [StepSet]

            enum CodingKeys: CodingKey { case sets }

            func encode(to encoder: any Encoder) throws {
                try row.encode(to: encoder)
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(sets, forKey: .sets)
            }
        }

        private struct Written: Encodable {
            var folder: String
            var workouts, clips: Int
        }

        func run() throws {
            let places = try PersonPlaces(options.database)
            let rows = try places.query.workouts(ofPerson: name)
            let sets = try places.query.stepSets(ofWorkouts: rows.map(\.id))
            let clips = places.clips.files(of: name)
            if rows.isEmpty, clips.isEmpty { throw try places.unknown(name) }
            try write(rows.map { ExportedWorkout(row: $0, sets: sets[$0.id] ?? []) }, clips, from: places.clips.folder)
            if options.json {
                return try JSON.print(Written(folder: output, workouts: rows.count, clips: clips.count))
            }
            Output.line(
                "\(output): \(rows.count.counted("workout")), "
                    + "\(clips.count.counted("clip")); only you may read it")
        }

        /// Nobody else on the machine may read it.
        private func write(_ rows: [ExportedWorkout], _ clips: [String], from library: URL) throws {
            let folder = URL(filePath: output)
            let files = FileManager.default
            guard !files.fileExists(atPath: folder.path) else {
                throw FileProblem(path: output, reason: "it exists already: name another folder, or move it away")
            }
            do {
                let own: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
                try files.createDirectory(at: folder, withIntermediateDirectories: true, attributes: own)
                try Data((try JSON.text(rows) + "\n").utf8).write(to: folder.appending(path: "workouts.json"))
                for clip in clips {
                    let copy = folder.appending(path: "clips/" + clip)
                    try files.createDirectory(
                        at: copy.deletingLastPathComponent(), withIntermediateDirectories: true, attributes: own)
                    try files.copyItem(at: library.appending(path: clip), to: copy)
                }
            } catch {
                // Half of it would stand in the way of the next try.
                try? files.removeItem(at: folder)
                guard let error = error as? CocoaError else { throw error }
                throw FileProblem(path: output, reason: "\(error.fileReason): choose another folder with -o")
            }
        }
    }
}
