import Actions
import Capture
import Foundation
import Messaging

/// The recognition chain's result for one frame of one camera, with times and counters.
package struct CameraResult {
    /// The chain's result.
    package let frameResult: RecognitionChain.FrameResult
    /// The wall-clock time of the source's time 0.
    package let origin: Date
    /// The wall-clock time when the chain delivered the result.
    package let wall: Date
    /// The same on the monotonic clock.
    package let now: ContinuousClock.Instant
    /// Frames of the source so far that arrived too late or could not be used.
    package let dropped: Int
    /// Frames that were skipped at even intervals to limit the load.
    package let skipped: SkippedFrames

    /// Collects the values.
    package init(
        frameResult: RecognitionChain.FrameResult, origin: Date, wall: Date, now: ContinuousClock.Instant,
        dropped: Int = 0,
        skipped: SkippedFrames = SkippedFrames()
    ) {
        self.frameResult = frameResult
        self.origin = origin
        self.wall = wall
        self.now = now
        self.dropped = dropped
        self.skipped = skipped
    }

    /// The wall-clock time of a time of the source, in seconds.
    package func date(of time: Double) -> Date { origin.addingTimeInterval(time) }
}

/// How a camera's pipeline ended.
package struct CameraEnding {
    /// The events of the sessions that were open.
    package let events: [SessionEvent]
    /// `true` when a camera or live stream failed by itself.
    package let isLost: Bool
    /// `true` when a recording came to its end.
    package let isOver: Bool
    /// The wall-clock time of the end.
    package let wall: Date
    /// The same on the monotonic clock.
    package let now: ContinuousClock.Instant

    /// Collects the values.
    package init(
        events: [SessionEvent], isLost: Bool, isOver: Bool = false, wall: Date, now: ContinuousClock.Instant
    ) {
        self.events = events
        self.isLost = isLost
        self.isOver = isOver
        self.wall = wall
        self.now = now
    }
}

/// Receives all results of one camera's chain, in order.
package protocol ResultSink {
    /// Called once for each frame.
    mutating func receive(_ result: CameraResult)
    /// Called once, after the last result.
    mutating func close(_ ending: CameraEnding)
}

/// What one camera publishes.
package enum CameraMessage: Sendable {
    case status(CameraStatus)
    case state(CameraState)
    case live(LivePrediction)
    case event(CameraEvent)
    /// A JPEG that shows skeletons on black.
    case preview([UInt8])
}

extension Publisher {
    func publish(_ message: CameraMessage, camera: String) {
        switch message {
        case .status(let status): cameraStatus(status, camera: camera)
        case .state(let state): cameraState(state, camera: camera)
        case .live(let prediction): self.prediction(prediction, camera: camera)
        case .event(let event): self.event(event)
        case .preview(let picture): preview(picture, camera: camera)
        }
    }
}

extension RecognitionChain.FrameResult {
    /// The prediction that is published as the camera's action: the prominent person's. Where nobody is prominent, or
    /// that person is hidden, it is the last one.
    var spokenPrediction: Prediction? {
        let isInView = frame.tracks.contains { $0.id == frame.prominent }
        return predictions.last { $0.track == frame.prominent } ?? (isInView ? nil : predictions.last)
    }
}
