import Actions
import Capture
import Foundation
import Poses

/// Where people come from: pictures of a camera, file or stream with poses found in them, or a recorded pose stream.
///
/// Not sendable: open it in the task that pulls it. Only ``stop`` may be called from elsewhere.
public struct PoseSource {
    public let format: SourceFormat
    /// Whether there is no end to it, so that it is worth opening again when it breaks off: a camera or a live stream.
    public let isLive: Bool
    /// The camera's own, to know it again under another number; `nil` for everything else.
    public let camera: (identity: String, path: String)?
    /// What was agreed with the camera, one sentence each.
    public let notes: [String]
    /// Everyone in view, frame by frame.
    public let people: any AsyncSequence<TrackedFrame, any Error>
    /// Ends the sequence soon; safe from any thread.
    public let stop: @Sendable () -> Void
    /// Frames that came too late and were passed over, so far.
    public let droppedFrames: @Sendable () -> Int
    /// Frames that were left out evenly, because the machine has no time for all.
    public let thinning: @Sendable () -> SkippedFrames
    /// What finding the poses in each of the last frames took; empty for a pose stream.
    public let inference: RecentDurations

    /// How sources are opened.
    public struct Settings: Sendable {
        /// The folder of the pose models.
        public var poseModels: URL
        public var estimation = PoseEstimator.Settings()
        public var camera = V4L2Camera.Settings()
        /// Which frames of a live source are left out; recordings that are read whole keep all.
        public var stride = FrameSkipping.Settings()
        /// The classifier's rate, frames per second; the camera is asked for it, recordings are resampled to it.
        public var rateHz = 30.0
        /// Play recordings at their own speed and drop late frames, as a camera would.
        public var realtime = false

        public init(poseModels: URL) { self.poseModels = poseModels }
    }

    /// Opens a camera (`/dev/video0`), a pose stream (`….poses.jsonl`), or a video file or URL.
    ///
    /// - Parameter cancellation: ends the opening of what ffmpeg reads.
    /// - Throws: `CaptureError`, `PoseStreamError`, or the pose models' error; `CancellationError`.
    public init(opening source: String, settings: Settings, cancellation: Cancellation = Cancellation()) throws {
        if source.hasSuffix(".jsonl") {
            self.init(try PoseStreamReader(URL(filePath: source)), paced: settings.realtime)
        } else {
            let estimator = try PoseEstimator(models: settings.poseModels, settings: settings.estimation)
            if source.hasPrefix("/dev/") {
                self.init(try V4L2Camera(source, settings: settings.camera), settings, estimator: estimator)
            } else {
                let (frames, isLive) = try Self.frames(source, settings, cancellation)
                self.init(frames, isLive: isLive, estimator: estimator)
            }
        }
    }

    private init(_ camera: V4L2Camera, _ settings: Settings, estimator: PoseEstimator) {
        let watched = MonitoredSource(camera, settings: .camera)
        self.init(
            NewestFrameSource(of: watched, paced: false, stride: FrameSkipping(settings.stride)), isLive: true,
            estimator: estimator, camera: (camera.identity, camera.path),
            notes: ["delivers \(camera.mode)"] + camera.controlNotes)
    }

    private init(
        _ frames: any FrameSource, isLive: Bool, estimator: PoseEstimator,
        camera: (identity: String, path: String)? = nil, notes: [String] = []
    ) {
        self.camera = camera
        self.notes = notes
        format = frames.format
        self.isLive = isLive
        people = RecognitionChain.people(in: Frames(of: frames), estimator: estimator)
        stop = { frames.stop() }
        droppedFrames = { frames.droppedFrames }
        thinning = { (frames as? NewestFrameSource)?.thinning ?? SkippedFrames() }
        inference = estimator.durations
    }

    private init(_ reader: PoseStreamReader, paced: Bool) {
        let header = reader.header
        camera = nil
        notes = []
        format = SourceFormat(
            name: header.source, widthPixels: header.width, heightPixels: header.height, rateHz: header.rateHz,
            durationSeconds: nil)
        isLive = false
        let replay = PoseReplay(reader: reader, paced: paced)
        people = replay
        stop = replay.stop
        droppedFrames = { 0 }
        thinning = { SkippedFrames() }
        inference = RecentDurations()
    }

    private static func frames(
        _ source: String, _ settings: Settings, _ cancellation: Cancellation
    ) throws -> (frames: any FrameSource, isLive: Bool) {
        var reading = VideoRecording.Settings(rateHz: settings.rateHz)
        reading.orientation = settings.camera.controls.orientation
        let recording = try VideoRecording(source, settings: reading, cancellation: cancellation)
        // A recording on a server knows its length, a live stream does not.
        let isLive = source.contains("://") && recording.format.durationSeconds == nil
        // What comes over HTTP comes in pieces of seconds, faster than it was filmed: unpaced most would be dropped.
        let isPaced = isLive ? !source.hasPrefix("rtsp") : settings.realtime
        guard isLive || isPaced else { return (recording, false) }
        let frames: any FrameSource = isLive ? MonitoredSource(recording, settings: .stream) : recording
        return (NewestFrameSource(of: frames, paced: isPaced, stride: FrameSkipping(settings.stride)), isLive)
    }
}
