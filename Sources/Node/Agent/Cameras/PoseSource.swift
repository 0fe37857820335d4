import Actions
import Capture
import Foundation
import Poses

/// A source of people, frame by frame: poses found in a camera, file or stream, or read from a recorded pose stream.
///
/// Not sendable: open it in the task that reads it. Only ``stop`` may be called from elsewhere.
public struct PoseSource {
    /// The source's name, picture size, rate and length.
    public let format: SourceFormat
    /// `true` for cameras and live streams, which are reopened after a failure.
    public let isLive: Bool
    /// The camera's identity, which outlives a change of its device number, and its path; `nil` for other sources.
    public let camera: (identity: String, path: String)?
    /// The camera's mode and controls in words, one sentence each.
    public let notes: [String]
    /// Everyone in view, frame by frame.
    public let people: any AsyncSequence<TrackedFrame, any Error>
    /// Ends the sequence soon. May be called from any thread.
    public let stop: @Sendable () -> Void
    /// Frames lost so far: replaced by a newer one, missed by the driver, damaged, frozen or black.
    public let droppedFrames: @Sendable () -> Int
    /// Frames skipped so far at even intervals, because the machine is too slow for all.
    public let skipped: @Sendable () -> SkippedFrames
    /// The times that pose estimation took for the last frames; empty for a pose stream.
    public let inference: RecentDurations

    /// How sources are opened.
    public struct Settings: Sendable {
        /// The folder of the pose models.
        public var poseModels: URL
        /// How poses are found.
        public var estimation = PoseEstimator.Settings()
        /// How people are told apart.
        public var tracking = Tracker.Settings()
        /// The picture size, rate and controls of a camera.
        public var camera = V4L2Camera.Settings()
        /// Which frames of a live source are skipped. Recordings that are read whole skip none.
        public var skipping = FrameSkipping.Settings()
        /// Its share of the processor, where several cameras use it.
        public var share: SharedLoad.Share?
        /// The classifier's rate, in frames per second. The camera is asked for it; recordings are resampled to it.
        public var rateHz = 30.0
        /// Plays recordings at their own speed and drops late frames, as a camera would.
        public var realtime = false

        /// The defaults, with the pose models of a folder.
        public init(poseModels: URL) { self.poseModels = poseModels }

        fileprivate var frameSkipping: FrameSkipping { FrameSkipping(skipping, share: share) }
    }

    /// Opens a camera (`/dev/video0`), a pose stream (`….poses.jsonl`), or a video file or URL.
    ///
    /// - Parameter cancellation: aborts the opening of sources that ffmpeg reads.
    /// - Throws: `CaptureError`, `PoseStreamError`, `CancellationError`, or the pose models' error.
    public init(opening source: String, settings: Settings, cancellation: Cancellation = Cancellation()) throws {
        if source.hasSuffix(".jsonl") {
            self.init(try PoseStreamReader(URL(filePath: source)), paced: settings.realtime)
        } else {
            let estimator = try PoseEstimator(models: settings.poseModels, settings: settings.estimation)
            if source.hasPrefix("/dev/") {
                self.init(try V4L2Camera(source, settings: settings.camera), settings, estimator: estimator)
            } else {
                let (frames, isLive) = try Self.frames(source, settings, cancellation)
                self.init(frames, isLive: isLive, settings, estimator: estimator)
            }
        }
    }

    private init(_ camera: V4L2Camera, _ settings: Settings, estimator: PoseEstimator) {
        let watched = MonitoredSource(camera, settings: .camera)
        self.init(
            NewestFrameSource(of: watched, paced: false, skipping: settings.frameSkipping), isLive: true,
            settings, estimator: estimator, camera: (camera.identity, camera.path),
            notes: ["delivers \(camera.mode)"] + camera.controlNotes)
    }

    private init(
        _ frames: any FrameSource, isLive: Bool, _ settings: Settings, estimator: PoseEstimator,
        camera: (identity: String, path: String)? = nil, notes: [String] = []
    ) {
        // The frames of a live source do not wait, nor do those of a recording that is played like one.
        if frames is NewestFrameSource {
            let skipping = settings.frameSkipping
            estimator.keep { skipping.permittedLoad }
        }
        self.camera = camera
        self.notes = notes
        format = frames.format
        self.isLive = isLive
        people = TrackedFrames(of: Frames(of: frames), estimator: estimator, tracking: settings.tracking)
        stop = { frames.stop() }
        droppedFrames = { frames.droppedFrames }
        skipped = { (frames as? NewestFrameSource)?.skipped ?? SkippedFrames() }
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
        skipped = { SkippedFrames() }
        inference = RecentDurations()
    }

    private static func frames(
        _ source: String, _ settings: Settings, _ cancellation: Cancellation
    ) throws -> (frames: any FrameSource, isLive: Bool) {
        let recording = try VideoRecording(source, settings: settings.reading, cancellation: cancellation)
        // A recording on a server has a known length; a live stream has none.
        let isLive = source.contains("://") && recording.format.durationSeconds == nil
        // HTTP delivers segments of several seconds faster than they were filmed. Without pacing most frames would be
        // dropped.
        let isPaced = isLive ? !source.hasPrefix("rtsp") : settings.realtime
        guard isLive || isPaced else { return (recording, false) }
        let frames: any FrameSource = isLive ? MonitoredSource(recording, settings: .stream) : recording
        return (NewestFrameSource(of: frames, paced: isPaced, skipping: settings.frameSkipping), isLive)
    }
}

extension PoseSource.Settings {
    /// How a stream or a video is read: the same for the node and for those who try it.
    package var reading: VideoRecording.Settings {
        var reading = VideoRecording.Settings(rateHz: rateHz)
        reading.orientation = camera.controls.orientation
        return reading
    }
}
