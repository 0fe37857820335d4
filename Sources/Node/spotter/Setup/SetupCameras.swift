import Agent
import Capture
import CommandLineProgram
import Configuration
import Foundation
import Poses

/// Asks for the cameras, and shows what each one sees.
struct SetupCameras {
    let questions: Questions
    /// How long to look through each camera.
    let seconds: Double

    /// Asks until every camera answers, or until the answer shall be kept all the same.
    ///
    /// - Returns: the ids of the cameras that do not answer.
    /// - Throws: ``Questions/NoAnswer``, or the error of the pose models.
    func choose(_ configuration: inout Configuration) async throws -> [String] {
        let devices = CameraList().cameras().found
        if questions.areAsked { showDevices(devices) }
        while true {
            var copy = configuration
            let usual = configuration.cameras.map { "\($0.id)=\($0.source)" }.joined(separator: " ")
            if questions.areAsked {
                _ = try questions.text(
                    "Cameras, separated by blanks: numbers, addresses or files, [id=]source", usual: usual,
                    shown: Redaction.covered(in: usual)
                ) { answer in
                    if answer == usual { return nil }
                    let words = answer.split(separator: " ").map(String.init)
                    return copy.setCameras(words, from: devices.map(\.source)).map { "A camera \($0)." }
                }
            }
            configuration = copy
            guard seconds > 0 else { return [] }
            var silent: [String] = []
            for camera in configuration.cameras where camera.enabled {
                if try await !show(camera, configuration) { silent.append(camera.id) }
            }
            if silent.isEmpty || !questions.areAsked { return silent }
            if try questions.yes("Keep these cameras all the same", usual: false) { return silent }
        }
    }

    /// Asks what people call each camera.
    static func askForNames(_ questions: Questions, about configuration: inout Configuration) throws {
        for index in configuration.cameras.indices {
            var camera = configuration.cameras[index]
            _ = try questions.text("The name of the camera \(camera.id) for people", usual: camera.name) {
                camera.set("camera.name", to: $0).map { "The name \($0)." }
            }
            configuration.cameras[index] = camera
        }
    }

    private func showDevices(_ devices: [CameraDevice]) {
        if devices.isEmpty { Terminal.print("No camera is connected to this machine.") }
        for (index, device) in devices.enumerated() {
            Terminal.print("  \(index + 1)  \(device.name), \(device.device)")
        }
    }

    /// Looks through a camera, and draws the people of its best picture.
    ///
    /// - Returns: whether pictures came.
    private func show(_ camera: Configuration.Camera, _ configuration: Configuration) async throws -> Bool {
        let source = Redaction.covered(in: camera.source)
        Terminal.print("Looking through \(camera.id), \(source), for \(seconds.formatted()) s …")
        do {
            guard let best = try await CameraLook.bestFrame(of: camera, configuration, seconds: seconds) else {
                Terminal.print("  bad: no picture came; try: spotter cameras test \(camera.id)")
                return false
            }
            let size = "\(best.widthPixels)×\(best.heightPixels)"
            guard !best.tracks.isEmpty else {
                Terminal.print("  good: pictures of \(size) came; nobody was in them")
                return true
            }
            Terminal.print("  good: pictures of \(size) came; \(best.tracks.count) in view:")
            let text = SkeletonText(columns: min(56, Terminal.columns - 4), hasBraille: ChartStyle.hasUTF8())
            for line in text.lines(best.tracks, widthPixels: best.widthPixels, heightPixels: best.heightPixels) {
                Terminal.print("  │\(line)│")
            }
            return true
        } catch let error as CaptureError {
            Terminal.print("  bad: \(Redaction.covered(in: "\(error)"))")
        } catch let error as PoseStreamError {
            Terminal.print("  bad: \(error)")
        }
        return false
    }
}
