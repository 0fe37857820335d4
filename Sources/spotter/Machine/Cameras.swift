import CommandLineProgram
import Agent
import ArgumentParser
import Capture
import Configuration
import Foundation

/// Lists and tests the cameras of this machine.
struct Cameras: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists the cameras of this machine, and tests one.", subcommands: [List.self, Test.self],
        defaultSubcommand: List.self)

    struct Options: ParsableArguments {
        @OptionGroup var file: ConfigurationFile

        @Option(help: ArgumentHelp("Pixels asked of the camera (default: as configured).", valueName: "pixels"))
        var width: Int?

        @Option(help: ArgumentHelp("Pixels asked of the camera (default: as configured).", valueName: "pixels"))
        var height: Int?

        @Option(help: ArgumentHelp("Frames per second asked of the camera.", valueName: "rate"))
        var rate = 30.0

        @Flag(help: "Print JSON instead of lines.")
        var json = false

        func validate() throws {
            guard (1...16_384).contains(width ?? 1), (1...16_384).contains(height ?? 1), (1...1000).contains(rate)
            else {
                throw ValidationError("--width and --height take 1 to 16384, --rate 1 to 1000.")
            }
        }

        /// The configured source and settings for this camera, or for the first one.
        func settings(for source: String?) throws -> (source: String, settings: V4L2Camera.Settings) {
            let configuration = try file.read()
            let camera =
                configuration.cameras.first { $0.source == source || $0.id == source } ?? configuration.cameras.first
                ?? Configuration.Camera()
            var settings = configuration.sourceSettings(rateHz: rate, camera: camera).camera
            settings.widthPixels = width ?? settings.widthPixels
            settings.heightPixels = height ?? settings.heightPixels
            let isNamed = source == nil || camera.id == source
            return (isNamed ? camera.source : source ?? camera.source, settings)
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the cameras, with the source to write into config.toml and the mode that would be used.",
            discussion: """
                Ends with 69 when there is no camera.

                EXAMPLES
                  spotter cameras list
                  spotter cameras list --modes
                  spotter cameras list --json | jq -r '.[].source'
                """)
        @OptionGroup var options: Options

        @Flag(help: "List every mode of each camera that can be used.")
        var modes = false

        private struct Row: Encodable {
            let camera: CameraDevice
            let mode: CameraMode?
            let modes: [CameraMode]?

            enum CodingKeys: String, CodingKey { case mode, modes }

            func encode(to encoder: any Encoder) throws {
                try camera.encode(to: encoder)
                var fields = encoder.container(keyedBy: CodingKeys.self)
                try fields.encodeIfPresent(mode, forKey: .mode)
                try fields.encodeIfPresent(modes, forKey: .modes)
            }
        }

        func run() throws {
            let list = CameraList()
            let (cameras, failures) = list.cameras()
            for failure in failures { Terminal.print("\(failure)") }
            let settings = try options.settings(for: nil).settings
            let rows = cameras.map { camera in
                let offer = try? list.modes(of: camera.device, settings: settings)
                return Row(camera: camera, mode: offer?.best, modes: modes ? offer?.modes : nil)
            }
            if options.json { try JSON.print(rows) } else { show(rows) }
            if cameras.isEmpty {
                if failures.isEmpty { Terminal.print("No camera is connected; plug one in and try again.") }
                throw failures.first ?? ExitCode(ExitStatus.unavailable.rawValue)
            }
        }

        private func show(_ rows: [Row]) {
            guard !rows.isEmpty else { return }
            var table = Table(["DEVICE", "NAME", "MODE", "SOURCE", "ID"])
            for row in rows {
                table.add([
                    row.camera.device, row.camera.name, row.mode?.description ?? "none that can be used",
                    row.camera.source, row.camera.id,
                ])
            }
            table.print()
            for row in rows where modes {
                Output.line("\n\(row.camera.device)")
                for mode in row.modes ?? [] { Output.line("  \(mode)") }
            }
        }
    }

    struct Test: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Streams from a camera for some seconds and says what came.",
            discussion: """
                Sets the camera as it is configured. Ends with 0 when pictures came as they should; with 1 when the
                rate was below 80 % of what the camera promised, or the picture was frozen or black; with 69, 75 or 77
                when it is not there, in use, or not permitted.

                EXAMPLES
                  spotter cameras test
                  spotter cameras test rack1 --seconds 10
                  spotter cameras test /dev/video2 --width 1280 --height 720 --json
                  spotter cameras test /dev/video2 --format MJPG
                """)
        @OptionGroup var options: Options

        @Argument(help: "A device, or the id of a configured camera (default: the first configured one).")
        var source: String?

        @Option(help: "Seconds to stream.")
        var seconds = 5.0

        @Option(help: ArgumentHelp("Only in this format of those that list --modes shows.", valueName: "letters"))
        var format: String?

        func validate() throws {
            guard (1...7).contains(format?.utf8.count ?? 4) else {
                throw ValidationError("--format takes letters such as YUYV or MJPG; see: spotter cameras list --modes")
            }
            guard (0.5...3600).contains(seconds) else { throw ValidationError("--seconds takes 0.5 to 3600.") }
        }

        func run() throws {
            var (source, settings) = try options.settings(for: source)
            settings.pixelFormat = format.map(PixelFormat.init)
            guard source.hasPrefix("/dev/") else {
                throw ValidationError(
                    "\(Redaction.covered(in: source)) is not a camera of this machine; try it with: spotter preview")
            }
            let camera = try V4L2Camera(source, settings: settings)
            let interrupt = Interrupt(camera.stop)
            defer { interrupt.cancel() }
            let report = try CameraTest(of: camera, seconds: seconds)
            if options.json { try JSON.print(report) } else { report.print() }
            if let verdict = report.verdict {
                Terminal.print(verdict)
                throw ExitCode(ExitStatus.failed.rawValue)
            }
        }
    }
}

/// What a camera delivered within some seconds.
private struct CameraTest: Encodable {
    let device: String
    let id: String
    let mode: CameraMode
    let controls: [String]
    var frames = 0
    var missed = 0
    var broken = 0
    var repeated = 0
    var black = 0
    /// The rate by the driver's time stamps, missed frames included.
    var rateHz = 0.0
    /// The longest time between two frames.
    var longestGapSeconds = 0.0

    enum CodingKeys: String, CodingKey {
        case device, id, mode, controls, frames, missed, broken, repeated, black
        case rateHz = "fps"
        case longestGapSeconds = "longest_gap_s"
    }

    init(of camera: V4L2Camera, seconds: Double) throws {
        device = camera.format.name
        id = camera.identity
        mode = camera.mode
        controls = camera.controlNotes
        var before: Frame?
        while let frame = try camera.next() {
            frames += 1
            if frame.image.isBlack { black += 1 }
            if let before {
                if before.image == frame.image { repeated += 1 }
                longestGapSeconds = max(longestGapSeconds, frame.time - before.time)
            }
            before = frame
            if frame.time >= seconds { break }
        }
        camera.stop()
        missed = camera.losses.missed
        broken = camera.losses.broken
        guard let last = before, last.time > 0 else { return }
        rateHz = (Double(last.index) / last.time * 100).rounded() / 100
        longestGapSeconds = (longestGapSeconds * 1000).rounded() / 1000
    }

    /// The problem and what to do about it; `nil` when the camera is good.
    var verdict: String? {
        if frames > 1 && black == frames { return "The picture is black: take off the cover, or switch on the light." }
        if frames > 2 && repeated == frames - 1 { return "The picture is frozen: plug the camera out and in again." }
        if rateHz < 0.8 * mode.rateHz {
            return "Fewer frames come than promised: give it more light or a fixed exposure, or a smaller picture."
        }
        return nil
    }

    func print() {
        Output.line("camera    \(device), \(id)")
        Output.line("mode      \(mode)")
        for note in controls { Output.line("control   \(note)") }
        Output.line("frames    \(frames) seen at \(rateHz) Hz, \(missed) missed, \(broken) broken")
        Output.line("picture   \(repeated) the same as before, \(black) black, longest gap \(longestGapSeconds) s")
    }
}
