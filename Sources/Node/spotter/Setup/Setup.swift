import ArgumentParser
import Capture
import CommandLineProgram
import Configuration
import Diagnostics
import Foundation

/// Sets a node up: site, cameras, broker and page.
struct Setup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sets a node up: asks for site, cameras, broker and page, tries them, and starts the service.",
        discussion: """
            Shows what each camera sees as a skeleton, and connects to the broker. Then it
            writes conf.d/setup.toml beside the configuration file and restarts the
            service. Run it again to change an answer; Enter keeps the value in brackets.
            Until the last question nothing is changed.

            With --yes nothing is asked: the options and the present values count. Ends
            with 0 when everything answered, with 1 when a camera or the broker did not.
            The file is written in both cases, and the last lines say what did not answer.

            EXAMPLES
              sudo spotter setup
              sudo spotter setup --yes --site berlin --camera rack-1=/dev/video0 \\
                  --broker hub.local
              spotter setup --demo    a made-up week to look at, in ./spotter-demo
            """)
    @OptionGroup var file: ConfigurationFile
    @OptionGroup var answers: SetupAnswers
    @OptionGroup var demonstration: SetupDemonstration

    @Flag(name: .shortAndLong, help: "Ask nothing.")
    var yes = false

    @Flag(help: "Show what would be written, and change nothing.")
    var dryRun = false

    @Flag(inversion: .prefixedNo, help: "Restart the service at the end, where it is installed.")
    var start = true

    @Option(help: ArgumentHelp("How long to look through each camera, 0 to 60; 0: not at all.", valueName: "seconds"))
    var look = 5.0

    func validate() throws {
        guard (0...60).contains(look) else { throw ValidationError("--look takes 0 to 60 seconds.") }
        guard demonstration.demo, let other = answers.aboutTheNode.first else { return }
        throw ValidationError(
            "\(other) does not go with --demo: the made-up gym is the same for everybody. Leave it out.")
    }

    func run() async throws {
        if demonstration.demo { return try demonstration.make(try file.read(), sources: answers.camera, isDry: dryRun) }
        guard let path = file.path else {
            throw FileProblem(
                path: "config.toml", reason: "there is no such file here or in /etc/spotter; name one with --config",
                isMissing: true)
        }
        let target = SetupFile(beside: path)
        if !dryRun { try Self.checkWritable(target.path) }
        let environment = ProcessInfo.processInfo.environment
        var wanted = try Configuration(path: path, environment: environment)
        try answers.apply(to: &wanted)
        let questions = Questions(areAsked: !yes)
        if !yes { Terminal.print("Enter keeps the value in brackets. Ctrl-C ends, and nothing is changed.\n") }

        try SetupAnswers.ask(questions, about: &wanted)
        let cameras = SetupCameras(questions: questions, seconds: look)
        var silent = try await cameras.choose(&wanted).map { "the camera \($0)" }
        try SetupCameras.askForNames(questions, about: &wanted)
        var broker = SetupBroker(questions: questions, configurationPath: path)
        if try !broker.choose(&wanted) { silent.append("the broker \(wanted.mqtt.host):\(wanted.mqtt.port)") }
        try SetupPage.choose(&wanted, questions)

        if dryRun {
            Output.line(Redaction.covered(in: target.text(wanted)))
        } else {
            guard try questions.yes("Write \(target.path)", usual: true) else {
                Terminal.print("Nothing was changed.")
                return
            }
            try broker.storePassword()
            try target.write(wanted, environment: environment)
            Terminal.print("wrote \(target.path)")
            try SetupEnd.start(start, questions, path)
            SetupEnd.showWhereToLook(wanted, path)
        }
        guard silent.isEmpty else {
            SetupEnd.showSilent(silent, target.path, isWritten: !dryRun)
            throw ExitCode(ExitStatus.failed.rawValue)
        }
    }

    /// Refuses before any question what could not be written after the last one.
    private static func checkWritable(_ path: String) throws {
        var folder = URL(filePath: path).deletingLastPathComponent()
        while !FileManager.default.fileExists(atPath: folder.path), folder.path != "/" {
            folder.deleteLastPathComponent()
        }
        let writable = access(folder.path, W_OK) == 0 && (access(path, F_OK) != 0 || access(path, W_OK) == 0)
        guard !writable else { return }
        Terminal.print("spotter: \(path): \(String(cString: strerror(errno))); try: sudo spotter setup")
        throw ExitCode(ExitStatus.noPermission.rawValue)
    }
}
