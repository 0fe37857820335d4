import Agent
import Capture
import CommandLineProgram
import Configuration
import Foundation
import Poses
import Records

/// Records the prominent person's poses from a camera, after a countdown, or from a recording.
struct CameraRecording {
    /// The device, address or file.
    let camera: String
    /// Seconds to get ready.
    let countdown: Int
    /// Seconds to record at most.
    let seconds: Double
    /// What stands before the seconds that are left.
    var remark = ""

    /// The clip, without a label; `nil` if nobody was seen.
    func clip(_ configuration: Configuration) async throws -> LabelledClip? {
        // A configured camera gets the same controls as in `spotter run`.
        let settings = configuration.sourceSettings(
            rateHz: 30, camera: configuration.cameras.first { $0.source == camera })
        let work = Task(executorPreference: SerialTaskExecutor(label: "record")) { try await poses(settings) }
        return try await work.value
    }

    private func poses(_ settings: PoseSource.Settings) async throws -> LabelledClip? {
        let source = try PoseSource(opening: camera, settings: settings)
        if camera.hasPrefix("/dev/") || camera.contains("://") { try await countDown() }
        let interrupt = Interrupt(source.stop)
        defer { interrupt.cancel() }
        var recorder = ClipRecorder(rate: settings.rateHz)
        var progress = Progress("Recording")
        defer { progress.finish() }
        for try await frame in source.people {
            recorder.add(frame)
            progress.show(recorder.seconds / seconds)
            if recorder.seconds >= seconds { break }
        }
        source.stop()
        return recorder.clip()
    }

    private func countDown() async throws {
        for left in stride(from: countdown, to: 0, by: -1) {
            Terminal.print("\(remark)\(left) …")
            try await Task.sleep(for: .seconds(1))
        }
        Terminal.print("Go, for \(Int(seconds)) s.")
    }
}
