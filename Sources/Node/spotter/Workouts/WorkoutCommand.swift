import Agent
import ArgumentParser
import CommandLineProgram
import Configuration
import Foundation
import History
import Messaging
import Records
import TOMLSettings
import Workouts

struct WorkoutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "workout", abstract: "Runs workouts after a plan: counts, times the rests and goes on by itself.",
        discussion: """
            A workout waits for the exercise of its step, counts it, times the rest and
            goes on. Nobody has to touch anything. Plans are files in the folder
            workouts.plans. A running node obeys these commands; `spotter run --plan` does
            a plan over a recording.

            EXAMPLES
              spotter workout list
              spotter workout form    what is judged, and from which views
              spotter workout start legs --camera rack-1 --name anna
              spotter workout status
              spotter workout pain 3  after a step of a prescription
              spotter workout stop
              spotter workout show    the last one, planned and done
              spotter workout send 019aa0d1 --to fit
              spotter workout board   the best challenges of the day
              spotter workout delete-name anna
            """,
        subcommands: [
            List.self, Check.self, Form.self, Start.self, Status.self, Skip.self, Pain.self, Stop.self, Show.self,
            Send.self, Board.self, DeleteName.self,
        ])

    /// The options of the commands that ask a running node or its history.
    struct Options: ParsableArguments {
        @OptionGroup var database: Database.Options

        @Flag(help: "Print JSON instead of words.")
        var json = false

        func query() throws -> HistoryQuery { try database.query() }
    }

    /// There is no such workout.
    struct Unknown: Error, CustomStringConvertible {
        let description: String
    }
}

extension WorkoutCommand {
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the plans, and says what is wrong with those that cannot be used.")
        @OptionGroup var configurationFile: ConfigurationFile

        @Flag(help: "Print JSON instead of a table.")
        var json = false

        private struct Row: Encodable {
            var id: String
            var plan: WorkoutPlan?
            var error: String?
        }

        func run() throws {
            let configuration = try configurationFile.read()
            let library = PlanLibrary(
                folder: configuration.workouts.plans, exercises: try configuration.exercisesOfModel())
            let rows = library.entries.map { entry in
                switch entry.plan {
                case .success(let plan): Row(id: entry.id, plan: plan)
                case .failure(let error): Row(id: entry.id, error: "\(error)")
                }
            }
            if json { return try JSON.print(rows) }
            guard !rows.isEmpty else {
                Output.line("No plans in \(library.folder): put one there, such as legs.toml.")
                return
            }
            var table = Table(["PLAN", "NAME", "STEPS", "WHAT"], rightAligned: [2])
            for row in rows {
                let steps = row.plan.map { String($0.sequence.count) } ?? "-"
                table.add([row.id, row.plan?.name ?? "-", steps, row.plan?.summary ?? "cannot be used, see below"])
            }
            table.print(isWrapped: true)
            for row in rows { row.error.map { Output.line($0) } }
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Checks one plan file; exit code 78 when it has an error.")
        @OptionGroup var configurationFile: ConfigurationFile

        @Argument(help: "The plan file.")
        var file: String

        func run() throws {
            let plan = try WorkoutPlan(path: file, exercises: try configurationFile.read().exercisesOfModel())
            Output.line("\(plan.name): \(plan.summary)")
            for (place, step) in plan.steps.enumerated() where step.onlyShowsSide {
                let what = step.seconds == nil ? step.action : "\(step.action) by seconds"
                Output.line("step \(place + 1): the side of \(what) cannot be told; it is only shown")
            }
        }
    }

    struct Start: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Starts a workout in front of a camera of the running node.")
        @OptionGroup var options: Options

        @Argument(help: "The plan, as `spotter workout list` names it.")
        var plan: String

        @Option(help: ArgumentHelp("The camera; may be left away where there is only one.", valueName: "id"))
        var camera: String?

        @Option(
            help: ArgumentHelp(
                "A name for reports and for the next time, which only the operator sees. Nobody is recognised.",
                valueName: "name"))
        var name: String?

        @Option(help: ArgumentHelp("What the wall, the board and MQTT show in place of the name.", valueName: "name"))
        var nickname: String?

        func run() throws {
            // The node itself refuses what it does not know. Only here letter case does not matter.
            let known = (try? options.database.configurationFile.read())?.cameras.map(\.id) ?? []
            let camera = try camera.map { try KnownName.resolve($0, kind: "camera", among: known) }
            let answer = try options.database.ask(
                .workoutStart, ["plan": plan, "camera": camera, "name": name, "nickname": nickname])
            if options.json { return try JSON.print(answer) }
            let steps = answer["steps"]?.integer ?? 0
            Output.line(
                "started: \(answer["plan"]?.text ?? plan), \(steps) \(steps == 1 ? "step" : "steps"), in front of "
                    + "\(answer["camera"]?.text ?? ""); `spotter workout status` follows it")
        }
    }

    struct Skip: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Goes on with the next step.")
        @OptionGroup var options: Options

        @Argument(help: "The workout's id, or its camera; may be left away where only one goes on.")
        var workout: String?

        func run() throws {
            let answer = try options.database.ask(.workoutSkip, ["workout": workout])
            if options.json { return try JSON.print(answer) }
            Output.line(
                answer["end_reason"] == nil
                    ? "step \(answer["step"]?.integer ?? 0) of \(answer["steps"]?.integer ?? 0)"
                    : "that was the last step")
        }
    }

    struct Stop: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Stops a workout; what was done stays in the history.")
        @OptionGroup var options: Options

        @Argument(help: "The workout's id, or its camera; may be left away where only one goes on.")
        var workout: String?

        func run() throws {
            let answer = try options.database.ask(.workoutStop, ["workout": workout])
            if options.json { return try JSON.print(answer) }
            Output.line("stopped: \(answer["plan"]?.text ?? ""); `spotter workout show` prints what was done")
        }
    }

    struct Pain: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "States the pain after the last step of a prescription, 0 to 10.",
            discussion: "Above the limit of the prescription the workout ends.")
        @OptionGroup var options: Options

        @Argument(help: "0 for no pain, 10 for the worst.")
        var pain: Int

        @Argument(help: "The workout's id, or its camera; may be left away where only one asks.")
        var workout: String?

        func validate() throws {
            guard (0...10).contains(pain) else { throw ValidationError("The pain is a number from 0 to 10.") }
        }

        func run() throws {
            let answer = try options.database.ask(.workoutPain, ["workout": workout], numbers: ["pain": pain])
            if options.json { return try JSON.print(answer) }
            switch answer["end_reason"]?.text {
            case "pain":
                Output.line(
                    "This is above the limit, so the workout has ended. Ask the person who prescribed it before you go on."
                )
            case nil: Output.line("noted; the workout goes on")
            default: Output.line("noted; that was the last step")
            }
        }
    }

    struct DeleteName: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete-name",
            abstract: "Deletes a name everywhere on this node.",
            discussion: """
                Does what `spotter person forget NAME --yes` does. It says what it cannot
                reach. The workouts stay, without the name.
                """)
        @OptionGroup var options: Options

        @Argument(help: "The name.")
        var name: String

        func run() throws {
            let places = try PersonPlaces(options.database)
            try places.forget(name, try places.traces(of: name)).tell(asJSON: options.json)
        }
    }
}

extension WorkoutPlan {
    /// The plan in words: `3 rounds: 12 squat, 60 s rest, 10 lunge, 90 s rest`.
    var summary: String {
        if let seconds = challengeSeconds {
            return "as many \(steps[0].action)\(steps[0].ruleWords) as possible in \(DurationText.of(seconds))"
        }
        let parts = steps.flatMap { step -> [String] in
            let side = step.side.map { " \($0.rawValue)" } ?? ""
            let exercise = step.action + side + step.ruleWords
            let work =
                step.repetitions.map { "\($0) \(exercise)" } ?? "\(DurationText.of(step.seconds ?? 0)) \(exercise)"
            return step.restSeconds > 0 ? [work, "rest \(DurationText.of(step.restSeconds))"] : [work]
        }
        let dose = prescription.map { prescription in
            " on \(prescription.daysAWeek.counted("day")) a week" + (prescription.ends.map { ", until \($0)" } ?? "")
        }
        return (rounds > 1 ? "\(rounds) rounds: " : "") + parts.joined(separator: ", ") + (dose ?? "")
    }
}

extension WorkoutPlan.Step {
    /// What counts and when it is over: ` (strict, until 20 % slower)`; empty without either.
    fileprivate var ruleWords: String {
        let words = [standard?.rawValue, stopAtSlower.map { String(format: "until %g %% slower", $0) }].compactMap(
            \.self)
        return words.isEmpty ? "" : " (\(words.joined(separator: ", ")))"
    }
}

extension Configuration {
    /// The exercises of the configured model, by which plans are checked.
    func exercisesOfModel() throws -> PlanExercises { PlanExercises(try classifier().description) }
}
