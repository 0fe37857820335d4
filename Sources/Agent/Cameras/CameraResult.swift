import Actions
import Capture
import Foundation
import Messaging

/// One moment of one camera, with what its receivers need to know besides.
package struct CameraResult {
    package let moment: RecognitionChain.FrameResult
    /// The wall-clock time of the source's time 0.
    package let origin: Date
    /// When the moment came out of the chain.
    package let wall: Date
    package let now: ContinuousClock.Instant
    /// Frames of the source so far that came too late or could not be used, and those left out evenly.
    package let dropped: Int
    package let thinning: SkippedFrames

    package init(
        moment: RecognitionChain.FrameResult, origin: Date, wall: Date, now: ContinuousClock.Instant, dropped: Int = 0,
        thinning: SkippedFrames = SkippedFrames()
    ) {
        self.moment = moment
        self.origin = origin
        self.wall = wall
        self.now = now
        self.dropped = dropped
        self.thinning = thinning
    }

    /// The wall-clock time of one of the source's times.
    package func date(of time: Double) -> Date { origin.addingTimeInterval(time) }
}

/// How a camera's pipeline ended.
package struct CameraEnding {
    /// What became of the sessions that were open.
    package let events: [SessionEvent]
    /// `true` when a camera or live stream broke off by itself.
    package let isLost: Bool
    package let wall: Date
    package let now: ContinuousClock.Instant

    package init(events: [SessionEvent], isLost: Bool, wall: Date, now: ContinuousClock.Instant) {
        self.events = events
        self.isLost = isLost
        self.wall = wall
        self.now = now
    }
}

/// Takes everything that comes out of one camera's chain, in order.
package protocol ResultSink {
    mutating func receive(_ moment: CameraResult)
    /// The pipeline has ended; called once, last.
    mutating func close(_ ending: CameraEnding)
}

/// What one camera publishes.
package enum CameraMessage: Sendable {
    case status(CameraStatus)
    case state(CameraState)
    case live(LivePrediction)
    case event(CameraEvent)
    /// A JPEG of skeletons.
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
    /// The prediction that speaks for the camera: the prominent person's, else the first.
    var spokenPrediction: Prediction? {
        predictions.last { $0.track == frame.prominent } ?? predictions.last
    }
}
