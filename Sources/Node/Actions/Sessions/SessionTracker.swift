import Foundation
import Poses
import Records

/// A change of a session.
public enum SessionEvent: Sendable, Equatable {
    /// The session was recognised.
    case started(Session)
    /// The session's totals or sets have changed.
    case updated(Session)
    /// A set of the session has ended.
    case setEnded(SessionSet, in: Session)
    /// The session has ended; its ``Session/endReason`` is set.
    case ended(Session)
    /// Another session turned out to be the same person's, and is now part of this one, which goes on.
    case merged(Session, absorbed: AbsorbedSession)
    /// Another camera, which sees the same person, goes on with the session. `open` is the number of the set that goes on.
    case handedOver(Session, open: Int?)
    /// The track of the session's person went over to somebody else at this moment. What the track shows from then on is not theirs.
    /// The session goes on where its person is known again within the idle time.
    case split(Session, at: Date)

    /// The session after the change.
    public var session: Session {
        switch self {
        case .started(let session), .updated(let session), .setEnded(_, let session), .ended(let session),
            .merged(let session, _), .handedOver(let session, _), .split(let session, _):
            session
        }
    }
}

/// A session that became part of another one.
public struct AbsorbedSession: Sendable, Equatable {
    /// The id it had.
    public let id: String
    /// By how much the numbers of its sets were raised.
    public let setOffset: Int

    /// Creates it from its parts.
    public init(id: String, setOffset: Int) { (self.id, self.setOffset) = (id, setOffset) }
}

/// Turns the predictions and sets of one person into sessions.
///
/// A session opens with the second prediction of an exercise within the idle time, since a single one may be an error, or with
/// its first set.
/// Its totals include the first prediction. It ends when the person has done no exercise and no repetition for the idle
/// time, and never before its open set. Each prediction credits its frames to its label, which is what is shown. Frames of pseudo-labels are
/// counted separately.
///
/// The sets are the one source of repetitions, and each repetition belongs to one session: a set that goes on after its
/// session was ended gives the next one only what it adds from there.
public struct SessionTracker: Sendable {
    /// The camera's name, the rules and the exercises.
    public struct Settings: Sendable {
        /// The name of the camera, for sessions.
        public var camera: String
        /// When a session begins and ends.
        public var rules: RecognitionRules.Sessions
        /// The model's frames per second, which converts frames to seconds.
        public var rateHz: Double
        /// The labels that count as exercise. Other labels of the model are credited, but neither start nor prolong a
        /// session.
        public var exercises: Set<String>

        /// Creates settings.
        public init(
            camera: String, rules: RecognitionRules.Sessions = RecognitionRules.Sessions(), rateHz: Double = 30,
            exercises: Set<String>
        ) {
            self.camera = camera
            self.rules = rules
            self.rateHz = rateHz
            self.exercises = exercises
        }
    }

    /// The last session, in seconds on the source's clock.
    private struct Past {
        let end: Double
        /// The end of the last repetition that was counted.
        let counted: Double
    }

    /// A session that ended because its person did nothing or was away. It goes on where they turn out to have been another
    /// track meanwhile.
    private struct Closed: Sendable {
        let entry: SessionEntry
        /// The session before it.
        let past: Past?
    }

    private let track: Int
    private let settings: Settings
    /// The wall-clock time of the source's time 0, for new sessions.
    package var origin: Date
    private let makeID: @Sendable (Date) -> String
    /// The session that goes on, or may begin; `nil` for none.
    private var entry: SessionEntry?
    private var past: Past?
    private var closed: Closed?
    /// Whether a session goes on, or may begin with the next prediction.
    var isActive: Bool { entry != nil }
    /// The end of the last exercise of the open session, in seconds on the source's clock; `nil` without one.
    var lastExercise: Double? { entry.flatMap { $0.isOpen(settings.rules) ? $0.lastExercise : nil } }

    /// Starts without sessions.
    ///
    /// - Parameters:
    ///   - track: the person's track.
    ///   - settings: the camera's name, the idle time and the exercises.
    ///   - origin: the wall-clock time of the source's time 0.
    ///   - makeID: makes the id of a session from its start.
    public init(
        track: Int, _ settings: Settings, origin: Date,
        makeID: @escaping @Sendable (Date) -> String = UUIDv7.string(at:)
    ) {
        self.track = track
        self.settings = settings
        self.origin = origin
        self.makeID = makeID
    }

    /// Adds the person's predictions of a frame, and their sets that changed with it. Calls must be in order of time.
    ///
    /// - Parameters:
    ///   - predictions: the person's, and those of windows in which nobody is seen.
    ///   - sets: the person's sets that changed.
    ///   - person: the person in the frame, for their zone; `nil` while they are hidden.
    /// - Returns: the changes of the session.
    public mutating func update(
        _ predictions: [Prediction], _ sets: [ExerciseSet] = [], seenAs person: Track? = nil, at time: Double
    ) -> [SessionEvent] {
        if let person { entry?.zones.add(person.zone, at: time) }
        var events: [SessionEvent] = []
        for set in sets { events += update(set) }
        for prediction in predictions {
            events += prediction.track == nil ? exclude(prediction) : credit(prediction, seenAs: person)
        }
        if let entry, entry.openSet == nil, time - entry.lastExercise > settings.rules.idleSeconds {
            events += close(time - entry.lastSeen > settings.rules.idleSeconds / 2 ? .left : .idle)
        }
        return events
    }

    /// Ends the session and its open set. A session that was never reported as started produces no event.
    public mutating func close(_ reason: Session.EndReason) -> [SessionEvent] {
        defer { entry = nil }
        guard let entry, entry.isOpen(settings.rules) else { return [] }
        var session = entry.session
        if reason == .left || reason == .idle { closed = Closed(entry: entry, past: past) }
        remember(entry)
        let openSet = session.sets.first { $0.number == entry.openSet }
        let setEnded = openSet.map { SessionEvent.setEnded($0, in: session) }
        session.endReason = reason
        return [setEnded, .ended(session)].compactMap(\.self)
    }

    /// The session that another camera goes on with; `nil` while none was told.
    func handedOver() -> SessionEvent? {
        guard let entry, entry.isOpen(settings.rules) else { return nil }
        return .handedOver(entry.session, open: entry.openSet)
    }

    /// The person's track was somebody else's from a moment on, in seconds on the source's clock; `nil` while no session was told.
    func split(at time: Double) -> SessionEvent? {
        guard let entry, entry.isOpen(settings.rules) else { return nil }
        return .split(entry.session, at: entry.origin.addingTimeInterval(time))
    }

    /// Begins a new session with the next exercise, because another camera has told of the one until now.
    mutating func beginAnew() {
        if let entry { remember(entry) }
        (entry, closed) = (nil, nil)
    }

    /// No later session counts again what this one has counted.
    private mutating func remember(_ entry: SessionEntry) {
        let counted = entry.session.sets.map { $0.end.timeIntervalSince(entry.origin) }.max()
        past = Past(end: entry.lastExercise, counted: max(counted ?? -.infinity, past?.counted ?? -.infinity))
    }

    /// Takes what another camera has seen of the person: sets that this one has missed, and counts that it saw better.
    ///
    /// - Parameter numbers: gives the number of a set that this camera has missed.
    mutating func take(_ news: ViewNews, numbers: inout SetTracker) -> [SessionEvent] {
        // The session that ended last goes on, and was told before.
        if entry == nil, news.absorbs != nil, let closed { (entry, past) = (closed.entry, closed.past) }
        let wasOpen = entry?.isOpen(settings.rules) == true
        guard var entry = entry ?? begin(with: news) else { return [] }
        closed = nil
        var (events, isChanged, offset) = ([SessionEvent](), false, 0)
        for set in news.sets {
            if let twin = entry.twin(of: set) {
                isChanged = entry.improve(twin, with: set, isBetter: news.isBetter) || isChanged
                continue
            }
            var own = set
            own.number = numbers.nextNumber()
            if offset == 0 { offset = own.number - set.number }
            entry.add(own, rateHz: settings.rateHz)
            events.append(.setEnded(own, in: entry.session))
        }
        if let until = news.activeUntil { entry.prolong(to: until.timeIntervalSince(entry.origin)) }
        self.entry = entry
        guard entry.isOpen(settings.rules) else { return [] }
        if !wasOpen { events.insert(.started(entry.session), at: 0) }
        if let id = news.absorbs {
            events.append(.merged(entry.session, absorbed: AbsorbedSession(id: id, setOffset: offset)))
        } else if isChanged {
            events.append(.updated(entry.session))
        }
        return events
    }

    /// A session for what another camera has seen while this one has none.
    private func begin(with news: ViewNews) -> SessionEntry? {
        guard let start = news.sets.first?.start ?? (news.absorbs == nil ? nil : news.activeUntil) else { return nil }
        let time = start.timeIntervalSince(origin)
        var entry = begin(at: time, seenUntil: time)
        // Of a session that was told something has been seen.
        if news.absorbs != nil { entry.exercisePredictions = settings.rules.minimumPredictions }
        return entry
    }

    /// Whether the sessions of another track can go on as this person's. Two sessions that were told become one where no
    /// more than the idle time lies between them.
    func canGoOn(with later: SessionTracker) -> Bool {
        guard later.past == nil else { return false }
        guard let other = later.entry, other.isOpen(settings.rules) else { return true }
        guard let mine = entry ?? closed?.entry, mine.isOpen(settings.rules) else { return false }
        return other.firstExercise - mine.lastExercise <= settings.rules.idleSeconds
    }

    /// Goes on with the session of a track that turned out to be the same person.
    ///
    /// - Parameter offset: what the numbers of its sets are raised by.
    mutating func goOn(with later: SessionTracker, setsAfter offset: Int) -> [SessionEvent] {
        origin = later.origin
        guard var other = later.entry else { return [] }
        let isTold = other.isOpen(settings.rules)
        other.renumber(track: track, by: offset)
        if isTold, entry == nil, let closed { (entry, past) = (closed.entry, closed.past) }
        closed = nil
        guard var mine = entry else {
            other.begin(notBefore: past?.end)
            entry = other
            return []
        }
        let wasTold = mine.isOpen(settings.rules)
        mine.absorb(other, rateHz: settings.rateHz)
        entry = mine
        guard mine.isOpen(settings.rules) else { return [] }
        guard wasTold else { return [.started(mine.session)] }
        let absorbed = AbsorbedSession(id: other.session.id, setOffset: offset)
        return [isTold ? .merged(mine.session, absorbed: absorbed) : .updated(mine.session)]
    }

    /// Adds or replaces a set, with which a session starts if it has not. Sets of a person without any window of an exercise
    /// are ignored.
    private mutating func update(_ set: ExerciseSet) -> [SessionEvent] {
        guard var entry, let own = owned(set, by: entry) else { return [] }
        let wasOpen = entry.isOpen(settings.rules)
        let sessionSet = entry.add(own, notBefore: past?.end)
        self.entry = entry
        let changed: SessionEvent = set.isOpen ? .updated(entry.session) : .setEnded(sessionSet, in: entry.session)
        return wasOpen ? [changed] : [.started(entry.session), changed]
    }

    /// The part of a set that no earlier session has counted; `nil` while there is none.
    private func owned(_ set: ExerciseSet, by entry: SessionEntry) -> ExerciseSet? {
        guard let counted = past?.counted else { return set }
        var own = set
        if set.repetitions.isEmpty {
            own.start = max(set.start, counted)
            return own.start < own.end ? own : nil
        }
        own.repetitions.removeAll { $0.extreme <= counted }
        guard own.repetitions.count < set.repetitions.count else { return set }
        guard entry.session.sets.contains(where: { $0.number == set.number }) || !own.repetitions.isEmpty else {
            return nil
        }
        own.start = max(own.repetitions.first?.start ?? set.end, counted)
        return own
    }

    private mutating func credit(_ prediction: Prediction, seenAs person: Track?) -> [SessionEvent] {
        let isExercise = prediction.isSurely(settings.exercises)
        if entry == nil {
            guard isExercise else { return [] }
            entry = begin(with: prediction)
            closed = nil
            if let person { entry?.zones.add(person.zone, at: prediction.start) }
        }
        guard prediction.isModelLabel, var entry else { return exclude(prediction) }
        let wasOpen = entry.isOpen(settings.rules)
        entry.lastSeen = prediction.end
        entry.add(prediction, rateHz: settings.rateHz)
        if isExercise {
            entry.exercisePredictions += 1
            entry.prolong(to: prediction.end)
            entry.session.zone = entry.zones.main(from: entry.firstExercise, to: prediction.end)
        }
        self.entry = entry
        guard entry.isOpen(settings.rules) else { return [] }
        return [wasOpen ? .updated(entry.session) : .started(entry.session)]
    }

    private mutating func begin(with prediction: Prediction) -> SessionEntry {
        // Times that went back are those of another recording.
        if let last = past, last.end > prediction.end { past = nil }
        let first = max(prediction.start, past?.end ?? -.infinity)
        return begin(at: first, seenUntil: prediction.end)
    }

    private func begin(at first: Double, seenUntil last: Double) -> SessionEntry {
        let start = origin.addingTimeInterval(first)
        return SessionEntry(
            session: Session(id: makeID(start), camera: settings.camera, track: track, start: start, end: start),
            origin: origin, firstExercise: first, lastExercise: last, lastSeen: last)
    }

    /// Counts the frames of a pseudo-label apart. It changes nothing that is told.
    private mutating func exclude(_ prediction: Prediction) -> [SessionEvent] {
        entry?.session.excludedFrames[prediction.label, default: 0] += prediction.frames
        if prediction.track != nil && prediction.poseShare > 0 { entry?.lastSeen = prediction.end }
        return []
    }
}
