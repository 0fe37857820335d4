import Agent
import ArgumentParser
import Capture
import CommandLineProgram
import Configuration
import Foundation
import History
import Logging
import Web
import Workouts

struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Watches cameras or recordings: recognises, stores, and publishes over MQTT.",
        discussion: """
            A recording is processed as fast as it decodes and the command ends with it;
            --realtime plays it like a camera. Cameras run until Ctrl-C or SIGTERM. Works
            without a broker, and connects when one appears. At the end a summary says who
            did what, how often and how long.

            EXAMPLES
              spotter run                    the cameras of ./config.toml
              spotter run --source clip.mp4  one recording
              spotter run --source /dev/video0 --mqtt-host gym-hub
                  one camera, another broker
              spotter run --source clip.poses.jsonl --realtime
                  a recorded pose stream, live
              spotter run --plan legs.toml --source clip.mp4
                  does a workout over a recording
              spotter run --web              with the page at http://127.0.0.1:8080/
              spotter run --demo --config spotter-demo/config.toml
                  shows a made-up week; nothing is stored or published
            """)

    @Option(
        help: ArgumentHelp(
            "A camera, video, address or pose stream instead of the first camera's.", valueName: "source"))
    var source: String?

    @Flag(help: "Play recordings at their own speed, dropping late frames as a camera would.")
    var realtime = false

    @Option(help: ArgumentHelp("The MQTT broker.", valueName: "name"))
    var mqttHost: String?

    @Option(help: ArgumentHelp("The broker's port.", valueName: "port"))
    var mqttPort: Int?

    @Flag(help: "Publish nothing.")
    var noMQTT = false

    @Flag(help: "Serve the node's page, as web.enabled = true does; its address is printed.")
    var web = false

    @Option(help: ArgumentHelp("The history's database file.", valueName: "file"))
    var database: String?

    @Flag(name: .shortAndLong, help: "Log only warnings and errors, show no live line, and end without a summary.")
    var quiet = false

    @Flag(help: "End with the summary as JSON: cameras, sessions with their sets, database.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "Do this plan in front of the first camera: a file, or the name of a plan.", valueName: "plan"))
    var plan: String?

    @Option(
        help: ArgumentHelp(
            "With --plan: a name for `report` and for the next time; nobody is recognised.", valueName: "name"))
    var name: String?

    @Option(help: ArgumentHelp("With --plan: what public places show in place of the name.", valueName: "name"))
    var nickname: String?

    @Flag(help: "Show a made-up history of `spotter setup --demo`; store and publish nothing.")
    var demo = false

    @OptionGroup var options: RecognitionOptions

    func validate() throws {
        if let mqttPort, !(1...65_535).contains(mqttPort) {
            throw ValidationError("--mqtt-port takes a number from 1 to 65535.")
        }
        if plan == nil, let option = name != nil ? "--name" : nickname != nil ? "--nickname" : nil {
            throw ValidationError("\(option) belongs to a workout: add --plan.")
        }
    }

    func run() async throws {
        if try await setUp() { return }
        var configuration = try options.configuration()
        if let source {
            guard !configuration.cameras.isEmpty else { throw ValidationError("No [[camera]] to give the source to.") }
            configuration.cameras = [configuration.cameras[0]]
            configuration.cameras[0].source = source
            configuration.cameras[0].enabled = true
        }
        if let mqttHost { configuration.mqtt.host = mqttHost }
        if let mqttPort { configuration.mqtt.port = mqttPort }
        if noMQTT { configuration.mqtt.enabled = false }
        if web { configuration.web.enabled = true }
        if let database { configuration.history.path = database }
        try AddressSpace.check(sources: configuration.cameras.count)
        let path = options.poses.configurationFile.path
        let node = try Node(
            configuration, path: path, isDemonstration: demo, logger: logger(configuration.logLevel))
        if demo { node.logger.notice("\(MadeUpNotice.text) What the cameras see is shown, and not stored.") }
        let reports = CameraStatusBoard()
        let (workout, services) = try node.closingOnError {
            (
                try plan.map { try start($0, on: node, configuration) },
                try WebServices.all(node: node, reports: reports, configurationPath: path)
            )
        }
        let agent = Agent(
            node: node, reports: reports, extraServices: services,
            // A source named on the command line must be there now; the cameras of a service may appear later.
            realtime: realtime, isPatient: source == nil)
        let line = LiveLine(reports, isShown: !quiet)
        let began = Date()
        do {
            defer { line.end() }
            try await agent.run()
        }
        try showSummary(reports, configuration.history.path, since: began)
        if let workout, !json { try showWorkout(of: workout, configuration.history.path) }
        if agent.wantsRestart { try restart() }
    }

    /// Asks on a page first where nobody has set the node up.
    ///
    /// - Returns: whether that was so, and the person or the service manager ended it.
    private func setUp() async throws -> Bool {
        guard source == nil, database == nil, plan == nil, !demo else { return false }
        let path = options.poses.configurationFile.path
        let server = SetupServer(configurationPath: path ?? "config.toml", logger: logger("info"))
        guard try server.isNeeded(hasFile: path != nil) else { return false }
        if try await server.run() { try restart() }
        return true
    }

    /// Starts a plan with the first frame.
    ///
    /// - Returns: its camera.
    private func start(_ plan: String, on node: Node, _ configuration: Configuration) throws -> String {
        guard let camera = configuration.cameras.first?.id else { throw ValidationError("No [[camera]] for the plan.") }
        let isFile = plan.contains("/") || plan.hasSuffix(".toml")
        let exercises = PlanExercises(node.classifier.description)
        let found = isFile ? try WorkoutPlan(path: plan, exercises: exercises) : try node.workouts.library.plan(plan)
        for (option, typed) in [("--name", name), ("--nickname", nickname)] {
            if let typed, PersonName(typed) == nil { throw ValidationError("\(option): \(PersonName.rule).") }
        }
        node.workouts.start(found, atFirstFrameOf: camera, name: name, nickname: nickname)
        return camera
    }

    /// A service has its journal. The summary for people goes to stderr, as the live line does: where stdout is closed, the
    /// run has still succeeded.
    private func showSummary(_ reports: CameraStatusBoard, _ database: String, since began: Date) throws {
        let isService = ProcessInfo.processInfo.environment["INVOCATION_ID"] != nil
        guard json || !(quiet || isService) else { return }
        let summary = try RunSummary(reports, database: database, since: began)
        if json { return try JSON.print(summary) }
        for line in summary.lines { Terminal.print(line) }
    }

    private func showWorkout(of camera: String, _ database: String) throws {
        let query = try HistoryQuery(path: database)
        guard let row = try query.workouts(WorkoutFilter(camera: camera, limit: 1)).first else { return }
        let zone = try query.zone()
        for line in WorkoutSummary(row.body, before: nil, zone: zone).lines { Output.line(line) }
    }

    private func restart() throws {
        let code = StopRequest.replaceProgram()
        if code != 0 { throw RestartFailure(reason: String(cString: strerror(code))) }
    }

    private func logger(_ level: String) -> Logger {
        var logger = Logger(label: "spotter") { _ in LineLog { Redaction.covered(in: $0) } }
        logger.logLevel = quiet ? .warning : Logger.Level(rawValue: level) ?? .info
        return logger
    }
}

/// The new program could not be started.
private struct RestartFailure: Error, CustomStringConvertible {
    let reason: String
    var description: String { "could not restart (\(reason)): start spotter again" }
}
