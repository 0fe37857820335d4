import Capture
import Foundation
import Poses

/// The whole path of the reference system, from pictures to what people do:
///
///     Frame → poses → who is who → windows → predictions → sets → sessions
///
/// A frame whose time is no number, or an absurd one, counts as coming with the frame before it.
/// When a source's times jump forward, windows start over; when they jump back, sets and sessions end as well.
///
/// A stage with memory is a `scan`; each is a plain synchronous value that is tested with arrays. One task pulls the
/// chain on an executor of its own.
public struct RecognitionChain {
    /// What comes out for every frame that goes in.
    public struct FrameResult: Sendable {
        public let frame: TrackedFrame
        /// The predictions of the windows that became complete with this frame; mostly none.
        public let predictions: [Prediction]
        /// Their windows.
        public let windows: [PoseWindow]
        /// What became of the sessions.
        public let events: [SessionEvent]
        /// The break in the source's times before this frame, if there was one: windows started over after it.
        public let jump: TimeJump?
        /// Whether open sessions were ended before this frame because the input asked for it.
        public let endedSessions: Bool

        package init(
            frame: TrackedFrame, predictions: [Prediction] = [], windows: [PoseWindow] = [],
            events: [SessionEvent] = [], jump: TimeJump? = nil, endedSessions: Bool = false
        ) {
            self.frame = frame
            self.predictions = predictions
            self.windows = windows
            self.events = events
            self.jump = jump
            self.endedSessions = endedSessions
        }
    }

    private let classifier: ActionClassifier
    private let gathering: WindowGatherer.Settings
    private let sets: SetTracker
    private let sessions: SessionTracker

    /// A chain for one source.
    ///
    /// - Parameters:
    ///   - references: how the coach does each exercise, where that is known.
    ///   - origin: The wall-clock time of the source's time 0.
    public init(
        classifier: ActionClassifier, subjects: WindowGatherer.Subjects, references: [String: FormReference] = [:],
        camera: String, idleSeconds: Double, origin: Date
    ) {
        let model = classifier.description
        self.classifier = classifier
        gathering = WindowGatherer.Settings(
            window: model.windowFrames, stride: model.strideFrames, rateHz: model.framesPerSecond, subjects: subjects)
        var settings = SetTracker.Settings(model)
        settings.references = references
        sets = SetTracker(settings)
        sessions = SessionTracker(
            SessionTracker.Settings(
                camera: camera, idleSeconds: idleSeconds, rateHz: model.framesPerSecond,
                exercises: Set(model.countedLabels)),
            origin: origin)
    }

    // swift-format-ignore
    /// From pictures: finds everyone's joints, and follows each person.
    public static func people(
        in frames: Frames, estimator: PoseEstimator, tracking: Tracker.Settings = Tracker.Settings()
    ) -> some AsyncSequence<TrackedFrame, any Error> {
        frames
            .scan(estimator) { $0.poses(in: $1) }       // Frame      → PosedFrame    owns its scratch memory
            .scan(Tracker(tracking)) { $0.follow($1) }  // PosedFrame → TrackedFrame  who is who
    }

    // swift-format-ignore
    /// From people, seen live or replayed from a pose stream: gathers windows, classifies them, keeps sets and sessions.
    ///
    /// - Parameter endsSessions: asked before each frame; `true` ends every open session, with the reason `stopped`.
    public func actions(
        of people: some AsyncSequence<TrackedFrame, any Error>, endsSessions: @escaping () -> Bool = { false }
    ) -> some AsyncSequence<FrameResult, any Error> {
        people
            .scan(TimeRepair()) { ChainInput(frame: $0.repair($1), endsSessions: endsSessions()) }
            .scan(WindowGatherer(gathering)) { ($1, $0.gather($1.frame), $0.jump) }  // TrackedFrame → [PoseWindow], full ones only
            .scan(classifier) { ($1, try $1.1.map($0.predict)) }                     // [PoseWindow] → [Prediction]
            .scan(sets) { tracker, found in                                           // [Prediction] → [ExerciseSet], changed ones
                let ((input, windows, jump), predictions) = found
                let ended = input.endsSessions ? tracker.close() : jump?.isBackward == true ? tracker.startOver() : []
                return (found, ended, tracker.update(windows, predictions, at: input.frame.time))
            }
            .scan(sessions) { tracker, found in                                       // [ExerciseSet] → [SessionEvent]
                let (((input, windows, jump), predictions), endedSets, sets) = found
                let end: Session.EndReason? =
                    input.endsSessions ? .stopped : jump?.isBackward == true ? .sourceEnded : nil
                let ended = end.map { tracker.update([], endedSets, at: -.infinity) + tracker.close($0) } ?? []
                let events = tracker.update(predictions, sets, at: input.frame.time)
                return FrameResult(
                    frame: input.frame, predictions: predictions, windows: windows, events: ended + events, jump: jump,
                    endedSessions: input.endsSessions)
            }
    }

    /// From now on sessions begin by another clock; those that are open go on by theirs.
    ///
    /// - Parameter origin: The wall-clock time of the source's time 0.
    public func move(origin: Date) { sessions.origin = origin }

    /// Ends the sessions that are still open once the chain has ended, for whatever reason it did.
    public func close(_ reason: Session.EndReason) -> [SessionEvent] {
        sessions.update([], sets.close(), at: -.infinity) + sessions.close(reason)
    }
}
