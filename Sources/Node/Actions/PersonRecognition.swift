import Foundation
import Poses

/// Everything that is known of one person and decided about them: the label that is shown, the sets with their repetitions,
/// and the session.
///
/// The three follow from one belief: each window changes the probabilities of the labels (``LabelSmoother``), these begin
/// and end the sets (``SetTracker``), and both make the session (``SessionTracker``).
public struct PersonRecognition: Sendable {
    /// What the three steps need to know.
    public struct Settings: Sendable {
        fileprivate let labels: LabelSmoother.Settings
        fileprivate let sets: SetTracker.Settings
        fileprivate let sessions: SessionTracker.Settings

        /// Creates settings for a model.
        ///
        /// - Parameters:
        ///   - model: its labels, their counting directions and its rate.
        ///   - minimumConfidence: the probability, 0…1, at which a label is shown.
        ///   - references: the coach's way of doing each exercise, by label, where it is known.
        ///   - rules: the limits by which it is decided what a person does.
        ///   - formRules: what good form is.
        ///   - camera: the name of the source in sessions.
        public init(
            _ model: ModelDescription, minimumConfidence: Float, references: [String: FormReference] = [:],
            rules: RecognitionRules = RecognitionRules(), formRules: FormRules = FormRules(), camera: String = ""
        ) {
            labels = LabelSmoother.Settings(model, minimumConfidence: minimumConfidence, rules: rules.labels)
            var sets = SetTracker.Settings(model)
            sets.references = references
            sets.formRules = formRules
            sets.rules = rules
            self.sets = sets
            sessions = SessionTracker.Settings(
                camera: camera, rules: rules.sessions, rateHz: model.framesPerSecond,
                exercises: Set(model.countedLabels))
        }
    }

    /// What changed with a frame.
    public struct Change: Sendable {
        /// The predictions, with the label that is shown.
        public var predictions: [Prediction] = []
        /// The sets that began, grew or ended. Each replaces the one with the same number.
        public var sets: [ExerciseSet] = []
        /// The changes of the session.
        public var events: [SessionEvent] = []
        /// The changes of the session of a person whom another camera counts.
        var elsewhere: [SessionEvent] = []
    }

    private var label: LabelSmoother
    private var sets: SetTracker
    private var session: SessionTracker
    /// Whether another camera counts the person.
    private var isElsewhere = false
    /// What other cameras have seen while an own set went on.
    private var news: [ViewNews] = []

    /// Starts with a stranger.
    ///
    /// - Parameters:
    ///   - track: the person's track.
    ///   - settings: those of the camera.
    ///   - origin: the wall-clock time of the source's time 0.
    public init(track: Int, _ settings: Settings, origin: Date = Date(timeIntervalSince1970: 0)) {
        label = LabelSmoother(settings.labels)
        sets = SetTracker(track: track, settings.sets)
        session = SessionTracker(track: track, settings.sessions, origin: origin)
    }

    /// The exercises that workouts expect now.
    package var expected: ExpectedExercises {
        get { sets.expected }
        set { sets.expected = newValue }
    }

    /// The wall-clock time of the source's time 0, for sessions that start from now on.
    package var origin: Date {
        get { session.origin }
        set { session.origin = newValue }
    }

    /// Takes the next frame. Calls must be in order of time.
    ///
    /// - Parameters:
    ///   - windows: those that became complete with the frame: the person's, and those in which nobody is seen.
    ///   - predictions: the classifier's for these windows.
    ///   - person: the person in the frame, for their zone; `nil` while they are hidden.
    ///   - time: the time of the frame, in seconds on the source's clock.
    public mutating func receive(
        _ windows: [PoseWindow], _ predictions: [Prediction], seenAs person: Track? = nil, at time: Double
    ) -> Change {
        var change = Change()
        for (window, prediction) in zip(windows, predictions) {
            guard window.track != nil else {
                change.predictions.append(prediction)
                continue
            }
            let shown = label.smooth(prediction)
            change.predictions.append(shown)
            if let set = sets.update(window, shown) { change.sets.append(set) }
        }
        if let set = sets.pass(to: time) { change.sets.append(set) }
        let events = session.update(change.predictions, change.sets, seenAs: person, at: time)
        if isElsewhere { change.elsewhere = events } else { change.events = events + takeNews() }
        return change
    }

    /// Ends the open set and the session, because the source or the node stops.
    public mutating func end(_ reason: Session.EndReason) -> Change {
        let ended = [sets.close()].compactMap(\.self)
        let events = session.update([], ended, at: -.infinity) + takeNews() + session.close(reason)
        return isElsewhere ? Change(sets: ended, elsewhere: events) : Change(sets: ended, events: events)
    }

    /// Does what another camera that sees the person asks for.
    mutating func follow(_ order: ViewOrder) -> Change {
        switch order {
        case .leave:
            isElsewhere = true
            let handedOver = [session.handedOver()].compactMap(\.self)
            return Change(events: handedOver, elsewhere: handedOver)
        case .comeBack(_, let goesOn):
            isElsewhere = false
            if !goesOn { session.beginAnew() }
            return Change()
        case .take(let newest, _):
            news.append(newest)
            return Change(events: takeNews())
        }
    }

    /// Takes what other cameras have seen, unless an own set goes on that may be the same.
    private mutating func takeNews() -> [SessionEvent] {
        guard !news.isEmpty, !sets.isTelling else { return [] }
        var events: [SessionEvent] = []
        for one in news { events += session.take(one, numbers: &sets) }
        news = []
        return events
    }

    /// The end of the last exercise of the open session, in seconds on the source's clock; `nil` without one.
    var lastExercise: Double? { session.lastExercise }

    /// Whether a track can be told to be this person, who was followed under another number before.
    func canGoOn(with later: PersonRecognition) -> Bool { session.canGoOn(with: later.session) }

    /// The number of the person's last set; 0 before there is one.
    var lastSet: Int { sets.reportedSets }

    /// Goes on with what is known of a track that turned out to be this person. Its sets follow ``lastSet``.
    mutating func goOn(with later: PersonRecognition) -> Change {
        let ended = [sets.close()].compactMap(\.self)
        var change = Change(sets: ended, events: session.update([], ended, at: -.infinity))
        let earlierSets = sets.reportedSets
        sets.goOn(with: later.sets)
        label = later.label
        // Another camera goes on with what was told of the later track.
        let handedOver = isElsewhere && !later.isElsewhere ? later.session.handedOver() : nil
        change.events += session.goOn(with: later.session, setsAfter: earlierSets)
        news += later.news
        guard isElsewhere else { return change }
        (change.events, change.elsewhere) = ([handedOver].compactMap(\.self), change.events)
        return change
    }

    /// The person's track was somebody else's from a moment on, in seconds on the source's clock.
    func split(at time: Double) -> Change {
        let events = [session.split(at: time)].compactMap(\.self)
        return isElsewhere ? Change(elsewhere: events) : Change(events: events)
    }

    /// Whether the person was away for so long at this time that nothing of them is needed any more.
    func isForgotten(at time: Double) -> Bool { sets.isForgotten(at: time) && !session.isActive }
}
