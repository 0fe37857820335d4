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

    /// The session after the change.
    public var session: Session {
        switch self {
        case .started(let session), .updated(let session), .setEnded(_, let session), .ended(let session),
            .merged(let session, _):
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

    fileprivate struct Entry: Sendable {
        var session: Session
        /// The wall-clock time of the source's time 0 when the session started. It stays fixed, so durations are those
        /// of the source.
        let origin: Date
        var confidenceSums: [String: Double] = [:]
        var exercisePredictions = 0
        var firstExercise: Double
        /// The end of the last prediction of an exercise or the last repetition.
        var lastExercise: Double
        var lastSeen: Double
        var zones = ZoneVisits()
        /// The number of the set that goes on; `nil` for none.
        var openSet: Int?
        /// Whether the session has begun: it has so many predictions of an exercise, or a set.
        func isOpen(_ rules: RecognitionRules.Sessions) -> Bool {
            exercisePredictions >= rules.minimumPredictions || !session.sets.isEmpty
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
        let entry: Entry
        /// The session before it.
        let past: Past?
    }

    private let track: Int
    private let settings: Settings
    /// The wall-clock time of the source's time 0, for new sessions.
    package var origin: Date
    private let makeID: @Sendable (Date) -> String
    /// The session that goes on, or may begin; `nil` for none.
    private var entry: Entry?
    private var past: Past?
    private var closed: Closed?
    /// Whether a session goes on, or may begin with the next prediction.
    var isActive: Bool { entry != nil }

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
        let counted = session.sets.map { $0.end.timeIntervalSince(entry.origin) }.max()
        past = Past(end: entry.lastExercise, counted: max(counted ?? -.infinity, past?.counted ?? -.infinity))
        let openSet = session.sets.first { $0.number == entry.openSet }
        let setEnded = openSet.map { SessionEvent.setEnded($0, in: session) }
        session.endReason = reason
        return [setEnded, .ended(session)].compactMap(\.self)
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
    private func owned(_ set: ExerciseSet, by entry: Entry) -> ExerciseSet? {
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

    private mutating func begin(with prediction: Prediction) -> Entry {
        // Times that went back are those of another recording.
        if let last = past, last.end > prediction.end { past = nil }
        let first = max(prediction.start, past?.end ?? -.infinity)
        let start = origin.addingTimeInterval(first)
        return Entry(
            session: Session(id: makeID(start), camera: settings.camera, track: track, start: start, end: start),
            origin: origin, firstExercise: first, lastExercise: prediction.end, lastSeen: prediction.end)
    }

    /// Counts the frames of a pseudo-label apart. It changes nothing that is told.
    private mutating func exclude(_ prediction: Prediction) -> [SessionEvent] {
        entry?.session.excludedFrames[prediction.label, default: 0] += prediction.frames
        if prediction.track != nil && prediction.poseShare > 0 { entry?.lastSeen = prediction.end }
        return []
    }
}

extension SessionTracker.Entry {
    fileprivate mutating func renumber(track: Int, by offset: Int) {
        session.track = track
        for index in session.sets.indices { session.sets[index].number += offset }
        openSet = openSet.map { $0 + offset }
    }

    /// Begins no earlier than the session before ended, in seconds on the source's clock.
    fileprivate mutating func begin(notBefore limit: Double?) {
        guard let limit, firstExercise < limit else { return }
        (firstExercise, session.start) = (limit, origin.addingTimeInterval(limit))
        lastExercise = max(lastExercise, limit)
        session.end = max(session.end, session.start)
    }

    /// Takes over another session of the same person.
    fileprivate mutating func absorb(_ other: Self, rateHz: Double) {
        session.excludedFrames.merge(other.session.excludedFrames, uniquingKeysWith: +)
        for action in other.session.actions {
            credit(
                action.frames, to: action.label, confidence: other.confidenceSums[action.label, default: 0],
                rateHz: rateHz)
        }
        session.sets += other.session.sets
        session.countRepetitions()
        zones.add(other.zones)
        if other.firstExercise < firstExercise {
            (firstExercise, session.start) = (other.firstExercise, other.session.start)
        }
        exercisePredictions += other.exercisePredictions
        lastSeen = max(lastSeen, other.lastSeen)
        openSet = other.openSet
        lastExercise = max(lastExercise, other.lastExercise)
        session.end = max(session.end, other.session.end)
        session.zone = zones.main(from: firstExercise, to: lastExercise)
    }

    fileprivate mutating func prolong(to time: Double) {
        lastExercise = max(lastExercise, time)
        session.end = origin.addingTimeInterval(lastExercise)
    }

    /// Adds or replaces a set, and adds up the repetitions anew. The session spans all of its sets.
    ///
    /// - Parameter limit: the end of the person's session before, in seconds on the source's clock; `nil` for none.
    fileprivate mutating func add(_ set: ExerciseSet, notBefore limit: Double?) -> SessionSet {
        let sessionSet = SessionSet(
            number: set.number, label: set.label, start: origin.addingTimeInterval(set.start),
            end: origin.addingTimeInterval(set.end), reps: set.repetitions.count, form: set.form?.value,
            zone: zones.main(from: set.start, to: set.end), confidence: (set.confidence * 100).rounded() / 100,
            repsMargin: set.margin)
        if let index = session.sets.firstIndex(where: { $0.number == set.number }) {
            session.sets[index] = sessionSet
        } else {
            session.sets.append(sessionSet)
        }
        session.countRepetitions()
        openSet = set.isOpen ? set.number : openSet == set.number ? nil : openSet
        let first = max(set.start, limit ?? -.infinity)
        if first < firstExercise { (firstExercise, session.start) = (first, origin.addingTimeInterval(first)) }
        prolong(to: set.end)
        return sessionSet
    }

    fileprivate mutating func add(_ prediction: Prediction, rateHz: Double) {
        credit(
            prediction.frames, to: prediction.label,
            confidence: Double(prediction.confidence) * Double(prediction.frames), rateHz: rateHz)
    }

    /// Adds frames to a label.
    ///
    /// - Parameter sum: their confidences, added up.
    private mutating func credit(_ frames: Int, to label: String, confidence sum: Double, rateHz: Double) {
        let sum = confidenceSums[label, default: 0] + sum
        confidenceSums[label] = sum
        let known = session.actions.firstIndex { $0.label == label }
        let index = known ?? session.actions.endIndex
        if known == nil { session.actions.append(ActionTotal(label: label, frames: 0, seconds: 0, meanConfidence: 0)) }
        let all = session.actions[index].frames + frames
        session.actions[index].frames = all
        session.actions[index].seconds = Double(all) / rateHz
        // A label may have repetitions and no frames.
        session.actions[index].meanConfidence = all > 0 ? sum / Double(all) : 0
    }
}
