import Capture
import Configuration
import Poses

/// A look through one camera, for whoever sets a node up.
package enum CameraLook {
    /// The picture with the clearest joints; `nil` when no picture came.
    ///
    /// - Parameter seconds: how long to look.
    /// - Throws: `CaptureError`, `PoseStreamError`, or the error of the pose models.
    package static func bestFrame(
        of camera: Configuration.Camera, _ configuration: Configuration, seconds: Double
    ) async throws -> TrackedFrame? {
        var settings = configuration.sourceSettings(rateHz: 30, camera: camera)
        settings.realtime = true
        let (source, opening) = (camera.source, settings)
        return try await Task(executorPreference: SerialTaskExecutor(label: "setup")) {
            try await bestFrame(of: source, seconds, opening)
        }.value
    }

    private static func bestFrame(
        of source: String, _ seconds: Double, _ settings: PoseSource.Settings
    ) async throws -> TrackedFrame? {
        let source = try PoseSource(opening: source, settings: settings)
        defer { source.stop() }
        let clarity = { (frame: TrackedFrame) in
            frame.tracks.map { track in Joint.allCases.map { track.pose[$0].confidence }.reduce(0, +) }.reduce(0, +)
        }
        let end = ContinuousClock.now + .seconds(seconds)
        var best: TrackedFrame?
        for try await frame in source.people {
            if best.map({ clarity(frame) > clarity($0) }) ?? true { best = frame }
            if .now > end { break }
        }
        return best
    }
}
