import Capture
import Foundation
import Poses

/// The recognition pipeline, from pictures to exercise sessions:
///
///     Frame → poses → tracks → zones → windows → predictions → shown labels → sets → sessions
///
/// A frame whose time is not finite or absurdly large gets the time of the frame before it. When a source's times jump
/// forward, windows start over. When they jump back, sets and sessions end as well.
///
/// Every stage with memory is applied with `scan`. A stage is a plain synchronous value or object, so tests feed it
/// arrays. One task pulls the chain on a dedicated executor.
public struct RecognitionChain {
    /// The output for one frame.
    public struct FrameResult: Sendable {
        /// The frame with its tracks.
        public let frame: TrackedFrame
        /// The predictions for ``windows``.
        public let predictions: [Prediction]
        /// The windows that became complete with this frame; usually none.
        public let windows: [PoseWindow]
        /// The sets that began, grew or ended. Each replaces the one with the same track and number.
        public let sets: [ExerciseSet]
        /// The changes of sessions.
        public let events: [SessionEvent]
        /// The jump of the source's times before this frame; `nil` without one. Windows start over after a jump.
        public let jump: TimeJump?
        /// Whether open sessions were ended before this frame because the input asked for it.
        public let endedSessions: Bool

        /// Creates a result from its parts.
        package init(
            frame: TrackedFrame, predictions: [Prediction] = [], windows: [PoseWindow] = [],
            sets: [ExerciseSet] = [], events: [SessionEvent] = [], jump: TimeJump? = nil, endedSessions: Bool = false
        ) {
            self.frame = frame
            self.predictions = predictions
            self.windows = windows
            self.sets = sets
            self.events = events
            self.jump = jump
            self.endedSessions = endedSessions
        }
    }

    private let classifier: ActionClassifier
    private let zones: [Zone]
    private let trackOffset: Int
    private let gathering: WindowGatherer.Settings
    private let smoother: LabelSmoother
    private let sets: SetTracker
    private let sessions: SessionTracker

    /// A chain for one source.
    ///
    /// - Parameters:
    ///   - classifier: the classifier and its model.
    ///   - subjects: who is recognised.
    ///   - references: the coach's way of doing each exercise, by label, where it is known.
    ///   - rules: what good form is.
    ///   - zones: the named parts of the picture, in the order of precedence.
    ///   - camera: the name of the source in sessions.
    ///   - idleSeconds: seconds without exercise that end a session.
    ///   - origin: the wall-clock time of the source's time 0.
    ///   - trackOffset: what is added to the numbers of the source's tracks, so that they are new.
    public init(
        classifier: ActionClassifier, subjects: WindowGatherer.Subjects, references: [String: FormReference] = [:],
        rules: FormRules = FormRules(), zones: [Zone] = [], camera: String, idleSeconds: Double, origin: Date,
        trackOffset: Int = 0
    ) {
        let model = classifier.description
        self.classifier = classifier
        self.zones = zones
        self.trackOffset = trackOffset
        gathering = WindowGatherer.Settings(
            window: model.windowFrames, context: model.contextFrames, stride: model.strideFrames,
            rateHz: model.framesPerSecond, subjects: subjects)
        smoother = LabelSmoother(model, minimumConfidence: classifier.thresholds.minimumConfidence)
        var settings = SetTracker.Settings(model)
        settings.references = references
        settings.rules = rules
        settings.idleSeconds = idleSeconds
        sets = SetTracker(settings)
        sessions = SessionTracker(
            SessionTracker.Settings(
                camera: camera, idleSeconds: idleSeconds, rateHz: model.framesPerSecond,
                exercises: Set(model.countedLabels)),
            origin: origin)
    }

    // swift-format-ignore
    /// The first half: finds everyone's joints in pictures, and tracks each person.
    public static func people(
        in frames: Frames, estimator: PoseEstimator, tracking: Tracker.Settings = Tracker.Settings()
    ) -> some AsyncSequence<TrackedFrame, any Error> {
        frames
            .scan(estimator) { $0.poses(in: $1) }       // Frame      → PosedFrame    has scratch memory
            .scan(Tracker(tracking)) { $0.follow($1) }  // PosedFrame → TrackedFrame  assigns tracks
    }

    // swift-format-ignore
    /// The second half: gathers windows of tracked people, classifies them, and tracks sets and sessions.
    ///
    /// - Parameters:
    ///   - people: the tracked frames, live or replayed from a pose stream.
    ///   - endsSessions: called before each frame; `true` ends every open session, with the reason `stopped`.
    public func actions(
        of people: some AsyncSequence<TrackedFrame, any Error>, endsSessions: @escaping () -> Bool = { false }
    ) -> some AsyncSequence<FrameResult, any Error> {
        people
            .scan(TimeRepair()) { [trackOffset] repair, frame in
                ChainInput(frame: repair.repair(frame.renumbered(by: trackOffset)), endsSessions: endsSessions())
            }
            .scan(ZoneTracker(zones)) { ChainInput(frame: $0.assign($1.frame), endsSessions: $1.endsSessions) }
            .scan(WindowGatherer(gathering)) { ($1, $0.gather($1.frame), $0.jump) }  // TrackedFrame → [PoseWindow]
            .scan(classifier) { ($1, try $1.1.map($0.predict)) }                     // [PoseWindow] → [Prediction]
            .scan(smoother) { ($1.0, $0.smooth($1.1)) }                              // [Prediction] → with shown labels
            .scan(sets) { tracker, found in                                          // [Prediction] → [ExerciseSet]
                let ((input, windows, jump), predictions) = found
                let ended = jump?.isBackward == true ? tracker.startOver() : input.endsSessions ? tracker.close() : []
                return (found, ended, tracker.update(windows, predictions, at: input.frame.time))
            }
            .scan(sessions) { tracker, found in                                      // [ExerciseSet] → [SessionEvent]
                let (((input, windows, jump), predictions), endedSets, sets) = found
                let end: Session.EndReason? =
                    input.endsSessions ? .stopped : jump?.isBackward == true ? .sourceEnded : nil
                let ended = end.map { tracker.update([], endedSets, at: -.infinity) + tracker.close($0) } ?? []
                let events = tracker.update(predictions, sets, of: input.frame.tracks, at: input.frame.time)
                return FrameResult(
                    frame: input.frame, predictions: predictions, windows: windows, sets: endedSets + sets,
                    events: ended + events, jump: jump, endedSessions: input.endsSessions)
            }
    }

    /// Sets the wall-clock time for sessions that start from now on. Open sessions keep theirs.
    ///
    /// - Parameter origin: the wall-clock time of the source's time 0.
    public func move(origin: Date) { sessions.origin = origin }

    /// Ends all open sessions. Call it once the chain has ended.
    public func close(_ reason: Session.EndReason) -> [SessionEvent] { end(reason).events }

    /// Ends all open sessions, as ``close(_:)`` does, and says which sets ended with them.
    public func end(_ reason: Session.EndReason) -> (sets: [ExerciseSet], events: [SessionEvent]) {
        let ended = sets.close()
        return (ended, sessions.update([], ended, at: -.infinity) + sessions.close(reason))
    }
}
