import Agent
import ArgumentParser
import Capture
import CommandLineProgram
import Configuration
import Foundation
import TOMLSettings

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

        @Option(help: ArgumentHelp("Frames per second asked of the camera (default: 30).", valueName: "rate"))
        var rate: Double?

        @Flag(help: "Print JSON instead of lines.")
        var json = false

        func validate() throws {
            guard (1...16_384).contains(width ?? 1), (1...16_384).contains(height ?? 1),
                (1...1000).contains(rate ?? 30)
            else {
                throw ValidationError("--width and --height take 1 to 16384, --rate 1 to 1000.")
            }
        }

        /// The configured source and settings for this camera, or for the first one.
        func settings(for source: String?) throws -> (source: String, settings: PoseSource.Settings) {
            let configuration = try file.read()
            var source = source
            if let typed = source, !typed.contains(where: { "/.:".contains($0) }),
                !FileManager.default.fileExists(atPath: typed)
            {
                source = try KnownName.resolve(typed, kind: "camera", among: configuration.cameras.map(\.id))
            }
            let camera =
                configuration.cameras.first { $0.source == source || $0.id == source } ?? configuration.cameras.first
                ?? Configuration.Camera()
            var settings = configuration.sourceSettings(rateHz: rate ?? 30, camera: camera)
            settings.camera.widthPixels = width ?? settings.camera.widthPixels
            settings.camera.heightPixels = height ?? settings.camera.heightPixels
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
            let settings = try options.settings(for: nil).settings.camera
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
}
