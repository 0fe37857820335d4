import Actions
import Capture
import Foundation
import Poses

/// Draws the recognition result over a recording: wireframes, label, repetitions and confidence, and a timeline strip
/// below.
///
/// Works in two passes. The first recognises the whole recording, so that the strip shows all of it from the start. The
/// second decodes the recording again and draws. With ``Settings/skeletonOnly`` no picture of a person is used.
public struct PreviewRenderer {
    /// How the preview is drawn.
    public struct Settings: Sendable {
        /// Draws on black instead of on the video.
        public var skeletonOnly = false
        /// Joints below this confidence are not drawn.
        public var minimumConfidence = Wireframe.minimumConfidence
        /// People who were labelled by hand.
        public var marks = Marks()

        /// The defaults.
        public init() {}
    }

    /// The result of the first pass.
    public struct Recognition: Sendable {
        /// Every frame with its people, without its picture.
        public var frames: [TrackedFrame] = []
        /// All predictions, in order.
        public var predictions: [Prediction] = []

        /// An empty result.
        public init() {}

        /// Adds a frame's poses and predictions; drops its picture.
        public mutating func add(_ result: RecognitionChain.FrameResult) {
            let frame = result.frame
            frames.append(
                TrackedFrame(
                    index: frame.index, time: frame.time, image: nil, widthPixels: frame.widthPixels,
                    heightPixels: frame.heightPixels, tracks: frame.tracks, prominent: frame.prominent))
            predictions += result.predictions
        }
    }

    /// A longer pause is left out.
    private static let longestPauseSeconds = 3600.0

    private let recognition: Recognition
    private let model: ModelDescription
    private let segments: [Classification.Segment]
    private let settings: Settings

    /// A renderer of one recording.
    ///
    /// - Parameters:
    ///   - model: gives the labels their names, order and colours.
    ///   - segments: the stretches of exercise with their repetitions.
    public init(
        _ recognition: Recognition, model: ModelDescription, segments: [Classification.Segment],
        settings: Settings = Settings()
    ) {
        self.recognition = recognition
        self.model = model
        self.segments = segments
        self.settings = settings
    }

    /// Writes the annotated video to `path`.
    ///
    /// - Parameters:
    ///   - source: The recording, opened again from its start; `nil` for a pose stream, which has no pictures.
    ///   - progress: Called with the finished share, from 0 to 1.
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
        var captions = Captions(
            widthPixels: first.widthPixels, heightPixels: height, stripPixels: strip, timeline: timeline,
            segments: segments)
        captions.marks = settings.marks
        let script = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString + ".ass")
        defer { try? FileManager.default.removeItem(at: script) }
        try captions.script { model.displayNames[$0] ?? $0.replacing("_", with: " ") }
            .write(to: script, atomically: false, encoding: .utf8)
        let encoder = try VideoEncoder(
            path: path, widthPixels: first.widthPixels, heightPixels: height, rateHz: rateHz, subtitles: script)
        let skeletons = Skeletons(minimumConfidence: settings.minimumConfidence)
        // The video has an even rate: in a pause of the recording its last picture stays.
        var written = Int((first.time * rateHz).rounded())
        for (index, frame) in recognition.frames.enumerated() {
            var canvas = Canvas(widthPixels: first.widthPixels, heightPixels: height)
            if let picture = try source?.next()?.image, !settings.skeletonOnly { canvas.place(picture) }
            skeletons.draw(
                frame.tracks, on: &canvas, widthPixels: first.widthPixels, heightPixels: first.heightPixels)
            settings.marks.draw(
                at: frame.time, on: &canvas, widthPixels: first.widthPixels, heightPixels: first.heightPixels)
            let bars = first.heightPixels + 4..<first.heightPixels + strip * 3 / 5
            timeline.draw(on: &canvas, rows: bars, at: frame.time)
            let next = index + 1 < recognition.frames.count ? recognition.frames[index + 1].time : duration
            let end = min(next, frame.time + Self.longestPauseSeconds)
            let image = canvas.image
            // A quarter of an interval keeps even rates away from rounding.
            while Double(written) / rateHz < end - 0.25 / rateHz {
                try encoder.write(image)
                written += 1
            }
            written = max(written, Int((next * rateHz).rounded()))
            progress(frame.time / duration)
        }
        try encoder.finish()
    }
}
