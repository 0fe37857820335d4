import Actions
import Capture
import Foundation
import Poses

/// Draws what was recognised over a recording: wireframes, label and confidence, and a strip of the timeline below.
///
/// Two passes: the first recognises the whole recording, so that the strip can show it all from the start; the second
/// decodes it again and draws. With ``Settings/skeletonOnly`` no picture of a person is used at all.
public struct PreviewRenderer {
    public struct Settings: Sendable {
        /// Draw on black instead of on the video.
        public var skeletonOnly = false
        /// Joints below this confidence are not drawn.
        public var minimumConfidence = Wireframe.minimumConfidence

        public init() {}
    }

    /// What the first pass found.
    public struct Recognition: Sendable {
        public var frames: [TrackedFrame] = []
        public var predictions: [Prediction] = []

        public init() {}

        /// Keeps the poses of a frame, not its picture.
        public mutating func add(_ moment: RecognitionChain.FrameResult) {
            let frame = moment.frame
            frames.append(
                TrackedFrame(
                    index: frame.index, time: frame.time, image: nil, widthPixels: frame.widthPixels,
                    heightPixels: frame.heightPixels, tracks: frame.tracks, prominent: frame.prominent))
            predictions += moment.predictions
        }
    }

    private let recognition: Recognition
    private let model: ModelDescription
    private let settings: Settings

    public init(_ recognition: Recognition, model: ModelDescription, settings: Settings = Settings()) {
        self.recognition = recognition
        self.model = model
        self.settings = settings
    }

    /// Writes the annotated video to `path`.
    ///
    /// - Parameters:
    ///   - source: The recording once more from its start; `nil` when there are no pictures (a pose stream).
    ///   - progress: Called with the share that is done, 0…1.
    /// - Throws: `CaptureError`.
    public func write(
        to path: String, rateHz: Double, pictures source: (any FrameSource)?, progress: (Double) -> Void
    ) throws {
        guard let first = recognition.frames.first, let last = recognition.frames.last else {
            throw CaptureError.encodingFailed(path: path, reason: "the recording has no frame")
        }
        let duration = last.time + 1 / rateHz
        let timeline = Timeline(recognition.predictions, model: model, durationSeconds: duration)
        let strip = max(36, first.heightPixels / 10)
        let height = first.heightPixels + strip
        let captions = Captions(
            widthPixels: first.widthPixels, heightPixels: height, stripPixels: strip, timeline: timeline)
        let script = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString + ".ass")
        defer { try? FileManager.default.removeItem(at: script) }
        try captions.script { model.displayNames[$0] ?? $0.replacing("_", with: " ") }
            .write(to: script, atomically: false, encoding: .utf8)
        let encoder = try VideoEncoder(
            path: path, widthPixels: first.widthPixels, heightPixels: height, rateHz: rateHz, subtitles: script)
        let skeletons = Skeletons(minimumConfidence: settings.minimumConfidence)
        for frame in recognition.frames {
            var canvas = Canvas(widthPixels: first.widthPixels, heightPixels: height)
            if let picture = try source?.next()?.image, !settings.skeletonOnly { canvas.place(picture) }
            skeletons.draw(
                frame.tracks, on: &canvas, widthPixels: first.widthPixels, heightPixels: first.heightPixels)
            let bars = first.heightPixels + 4..<first.heightPixels + strip * 3 / 5
            timeline.draw(on: &canvas, rows: bars, at: frame.time)
            try encoder.write(canvas.image)
            progress(frame.time / duration)
        }
        try encoder.finish()
    }
}
