import CommandLineProgram
import Agent
import ArgumentParser
import Capture
import Foundation
import NeuralNet
import Records
import TOMLSettings

@main
enum Main {
    /// Parses the arguments, runs the command, and exits with the code of ``ExitStatus``.
    static func main() async {
        StopRequest.listenAfterRestart()
        AddressSpace.keepSmall()
        let runner = CommandRunner(
            name: "spotter", covered: { Redaction.covered(in: $0) },
            reason: { $0 is CocoaError ? $0.fileReason : "\($0)" },
            nearest: { NearestName.of($0, among: $1) }, status: { ExitStatus($0) })
        let status = await runner.run(Spotter.self)
        Output.flush()
        // At exit OpenBLAS waits for its thread, which would retry for ever to allocate memory.
        if AddressSpace.isTooSmall { _exit(status) }
        exit(status)
    }
}

struct Spotter: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spotter",
        abstract: "Watches a gym floor through a camera and knows which exercise each person is doing.",
        discussion: """
            EXAMPLES
              sudo spotter setup                   asks for cameras, broker and page
              spotter run --source clip.mp4        recognise, store, publish a recording
              spotter run --config config.toml     the same from the configured cameras
              spotter classify clip.mp4 --json     what happens in a recording
              spotter preview clip.mp4 -o out.mp4  the recording with what is recognised
              spotter history sessions             what was seen

            EXIT CODES
              0 done   1 failed   2 wrong usage   3 not found
              69 a service or device is not there   74 reading or writing failed
              75 in use, try later   77 no permission   78 wrong configuration
            """,
        version: Version.text,
        subcommands: [
            Setup.self, Run.self, WorkoutCommand.self, Report.self, PersonCommand.self, Classify.self, Count.self,
            Poses.self, Preview.self, Record.self, Label.self, Train.self, Teach.self,
            Evaluate.self, Calibrate.self, Synthesize.self, History.self, Models.self, Cameras.self, Bench.self,
            Config.self, Status.self, DoctorCommand.self, Watch.self, Database.self, SessionCommand.self, Export.self,
            Import.self, ShareCommand.self, AlertCommand.self, AlarmCommand.self, Learn.self, MQTT.self, Web.self,
            ContractCommand.self,
        ])
}
