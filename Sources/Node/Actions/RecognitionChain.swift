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
/// Each step is a plain synchronous value, so tests feed it arrays. One task pulls the frames and passes each of them to
/// ``receive(_:endsSessions:)``.
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

    private let trackOffset: Int
    private var times = TimeRepair()
    private var zones: ZoneTracker
    private var gatherer: WindowGatherer
    private let classifier: ActionClassifier
    private var smoother: LabelSmoother
    private var sets: SetTracker
    private var sessions: SessionTracker

    /// A chain for one source.
    ///
    /// - Parameters:
    ///   - classifier: the classifier and its model.
    ///   - subjects: who is recognised.
    ///   - references: the coach's way of doing each exercise, by label, where it is known.
    ///   - rules: the limits by which it is decided what a person does.
    ///   - formRules: what good form is.
    ///   - zones: the named parts of the picture, in the order of precedence.
    ///   - camera: the name of the source in sessions.
    ///   - origin: the wall-clock time of the source's time 0.
    ///   - trackOffset: what is added to the numbers of the source's tracks, so that they are new.
    public init(
        classifier: ActionClassifier, subjects: WindowGatherer.Subjects, references: [String: FormReference] = [:],
        formRules: FormRules = FormRules(), zones: [Zone] = [], camera: String,
        rules: RecognitionRules = RecognitionRules(), origin: Date, trackOffset: Int = 0
    ) {
        let model = classifier.description
        self.classifier = classifier.following(rules.windows)
        self.zones = ZoneTracker(zones)
        self.trackOffset = trackOffset
        gatherer = WindowGatherer(
            WindowGatherer.Settings(
                window: model.windowFrames, context: model.contextFrames, stride: model.strideFrames,
                rateHz: model.framesPerSecond, subjects: subjects))
        smoother = LabelSmoother(
            model, minimumConfidence: classifier.thresholds.minimumConfidence, rules: rules.labels)
        var settings = SetTracker.Settings(model)
        settings.references = references
        settings.formRules = formRules
        settings.rules = rules
        sets = SetTracker(settings)
        sessions = SessionTracker(
            SessionTracker.Settings(
                camera: camera, rules: rules.sessions, rateHz: model.framesPerSecond,
                exercises: Set(model.countedLabels)),
            origin: origin)
    }

    /// Follows the people of the next frame. Frames must be in order of time.
    ///
    /// - Parameter endsSessions: whether every open session ends before this frame, with the reason `stopped`.
    /// - Throws: ``ModelFileError`` where the windows do not fit the model.
    public mutating func receive(_ seen: TrackedFrame, endsSessions: Bool = false) throws -> FrameResult {
        let frame = zones.assign(times.repair(seen.renumbered(by: trackOffset)))
        let windows = gatherer.gather(frame)
        let jump = gatherer.jump
        let ended = ended(by: jump, endsSessions)
        let predictions = smoother.smooth(try windows.map(classifier.predict))
        let changed = sets.update(windows, predictions, at: frame.time)
        let events = sessions.update(predictions, changed, of: frame.tracks, at: frame.time)
        return FrameResult(
            frame: frame, predictions: predictions, windows: windows, sets: ended.sets + changed,
            events: ended.events + events, jump: jump, endedSessions: endsSessions)
    }

    /// Ends sets and sessions before a frame, because the times of the source jump back or because that was asked for.
    private mutating func ended(
        by jump: TimeJump?, _ endsSessions: Bool
    ) -> (sets: [ExerciseSet], events: [SessionEvent]) {
        let jumpsBack = jump?.isBackward == true
        guard jumpsBack || endsSessions else { return ([], []) }
        let ended = end(endsSessions ? .stopped : .sourceEnded)
        // The numbers of sets begin anew with the times.
        if jumpsBack { sets.startOver() }
        return ended
    }

    /// Sets the wall-clock time for sessions that start from now on. Open sessions keep theirs.
    ///
    /// - Parameter origin: the wall-clock time of the source's time 0.
    public mutating func move(origin: Date) { sessions.origin = origin }

    /// Sets the exercises that workouts in front of the source expect now. Their sets need less confidence, and are reported
    /// from the first repetition on.
    public mutating func expect(_ exercises: ExpectedExercises) { sets.expected = exercises }

    /// Ends all open sessions. Call it once the chain has ended.
    public mutating func close(_ reason: Session.EndReason) -> [SessionEvent] { end(reason).events }

    /// Ends all open sessions, as ``close(_:)`` does, and says which sets ended with them.
    public mutating func end(_ reason: Session.EndReason) -> (sets: [ExerciseSet], events: [SessionEvent]) {
        let ended = sets.close()
        return (ended, sessions.update([], ended, at: -.infinity) + sessions.close(reason))
    }
}
