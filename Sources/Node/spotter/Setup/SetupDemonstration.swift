import Agent
import ArgumentParser
import CommandLineProgram
import Configuration
import Demonstration
import Foundation
import History

/// Makes up a week of a gym, in a folder of its own.
struct SetupDemonstration: ParsableArguments {
    @Flag(help: "Set nothing up: make up a week of a gym to look at, in a folder of its own.")
    var demo = false

    @Option(help: ArgumentHelp("With --demo: the folder (default: spotter-demo).", valueName: "folder"))
    var folder: String?

    @Option(help: ArgumentHelp("With --demo: another week for each number (default: 1).", valueName: "n"))
    var seed: UInt64?

    func validate() throws {
        if !demo, folder != nil || seed != nil { throw ValidationError("--folder and --seed belong to --demo.") }
    }

    /// Makes up the week that ends now, and a configuration that shows it. An earlier made-up week in the folder is replaced.
    ///
    /// - Parameters:
    ///   - sources: `id=source` for cameras that show something beside the week.
    ///   - isDry: only shows the configuration.
    /// - Throws: `OverrideFile.Failure` or `HistoryError` where the folder holds something else.
    func make(_ base: Configuration, sources: [String], isDry: Bool) throws {
        let folder = URL(filePath: folder ?? "spotter-demo", directoryHint: .isDirectory).standardizedFileURL
        let wanted = try Self.configuration(base, in: folder, sources)
        let file = DemonstrationFile(in: folder)
        try file.check()
        if isDry {
            Output.line(file.text(wanted))
            return Terminal.print(
                "\(folder.path) would get this as config.toml, and a made-up week; nothing was changed")
        }
        let week = MadeUpWeek(seed: seed ?? 1, end: Date(), timeZone: try base.timeZone(), rules: try base.formRules())
        let figures = try week.write(to: wanted.history.path, settings: try wanted.historySettings())
        let kept = try file.write(wanted)
        Terminal.print(
            "made up \(MadeUpWeek.days.counted("day")) of a gym that does not exist, in \(folder.path): "
                + "\(figures.sessions.counted("session")), \(figures.sets.counted("set")), "
                + figures.workouts.counted("workout"))
        if let kept { Terminal.print("the configuration that was there is kept as \(kept)") }
        Terminal.print("\nWhere to look:")
        for command in ["history days", "history hours", "history workouts", "report --name Anna", "run --demo"] {
            Terminal.print("  spotter \(command) --config \(file.path)")
        }
    }

    private static func configuration(
        _ base: Configuration, in folder: URL, _ sources: [String]
    ) throws -> Configuration {
        var wanted = base
        (wanted.node.name, wanted.node.site) = ("Made-up gym", "made-up")
        wanted.history.path = folder.appending(path: "spotter.db").path
        wanted.recognition.model = URL(filePath: base.recognition.model).path
        wanted.recognition.poseModels = URL(filePath: base.recognition.poseModels).path
        wanted.recognition.subjects = "everyone"
        wanted.recognition.sessionIdleSeconds = 180
        wanted.workouts.plans = URL(filePath: base.workouts.plans).path
        (wanted.mqtt.enabled, wanted.web.enabled) = (false, true)
        wanted.cameras = Gym.cameras.map { camera in
            var made = Configuration.Camera()
            (made.id, made.name, made.source, made.enabled) = (camera.id, camera.name, "/dev/none", false)
            return made
        }
        for source in sources {
            guard let parts = source.wholeMatch(of: /([a-z0-9][a-z0-9_-]*)=(.+)/),
                let place = wanted.cameras.firstIndex(where: { $0.id == parts.1 })
            else {
                let ids = Gym.cameras.map(\.id).joined(separator: ", ")
                throw ValidationError("--camera with --demo is one of the made-up cameras, id=source: \(ids).")
            }
            if let reason = wanted.cameras[place].set("camera.source", to: String(parts.2)) {
                throw ValidationError("--camera \(reason).")
            }
            wanted.cameras[place].enabled = true
        }
        wanted.zones = Gym.cameras.flatMap { camera in
            camera.zones.map { zone in
                Configuration.Area(
                    camera: camera.id, name: zone.name,
                    corners: [[zone.left, 0.05], [zone.right, 0.05], [zone.right, 1], [zone.left, 1]])
            }
        }
        return wanted
    }
}
