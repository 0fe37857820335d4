import Capture
import Foundation
import Poses

/// The recognition pipeline, from pictures to exercise sessions:
///
///     Frame → poses → tracks → people → zones → windows → predictions → shown labels → sets → sessions
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
        public private(set) var events: [SessionEvent]
        /// The changes of the sessions of people whom another camera counts.
        package private(set) var elsewhere: [SessionEvent]
        /// The people whom another camera counts and sees right now: what they do is credited there.
        package private(set) var doubles: Set<Int>
        /// The people who were known again with this frame. Everything told of them before is theirs under the new number.
        public let links: [PersonLink]
        /// How many people wait beside each zone that is in use, by its name.
        public let waiting: [String: Int]
        /// Everybody who lies on the floor and does not move, and who is up again with this frame.
        public let lying: [LyingPerson]
        /// The comparisons by which people are known again, for measuring.
        package let comparisons: [LinkComparison]
        /// The jump of the source's times before this frame; `nil` without one. Windows start over after a jump.
        public let jump: TimeJump?
        /// Whether open sessions were ended before this frame because the input asked for it.
        public let endedSessions: Bool

        /// Creates a result from its parts.
        package init(
            frame: TrackedFrame, predictions: [Prediction] = [], windows: [PoseWindow] = [],
            sets: [ExerciseSet] = [], events: [SessionEvent] = [], elsewhere: [SessionEvent] = [],
            doubles: Set<Int> = [], links: [PersonLink] = [], waiting: [String: Int] = [:],
            lying: [LyingPerson] = [], comparisons: [LinkComparison] = [], jump: TimeJump? = nil,
            endedSessions: Bool = false
        ) {
            self.frame = frame
            self.predictions = predictions
            self.windows = windows
            self.sets = sets
            self.events = events
            self.elsewhere = elsewhere
            self.doubles = doubles
            self.links = links
            self.waiting = waiting
            self.lying = lying
            self.comparisons = comparisons
            self.jump = jump
            self.endedSessions = endedSessions
        }

        /// The same result with what followed from other cameras' views.
        package func adding(
            _ events: [SessionEvent], elsewhere: [SessionEvent] = [], doubles: Set<Int>
        ) -> FrameResult {
            var result = self
            result.events += events
            result.elsewhere += elsewhere
            result.doubles = doubles
            return result
        }
    }

    private let trackOffset: Int
    private var times = TimeRepair()
    private var linker = PersonLinker()
    private var zones: ZoneTracker
    private var waiting: WaitingWatch
    private var lying: LyingWatch
    private var gatherer: WindowGatherer
    private let classifier: ActionClassifier
    private let settings: PersonRecognition.Settings
    private var people: [Int: PersonRecognition] = [:]
    private var expected = ExpectedExercises()
    private var origin: Date

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
        waiting = WaitingWatch(zones, rules: rules.waiting)
        lying = LyingWatch(rules.lying)
        self.trackOffset = trackOffset
        gatherer = WindowGatherer(
            WindowGatherer.Settings(
                window: model.windowFrames, context: model.contextFrames, stride: model.strideFrames,
                rateHz: model.framesPerSecond, subjects: subjects))
        settings = PersonRecognition.Settings(
            model, minimumConfidence: classifier.thresholds.minimumConfidence, references: references, rules: rules,
            formRules: formRules, camera: camera)
        self.origin = origin
    }

    /// Follows the people of the next frame. Frames must be in order of time.
    ///
    /// - Parameter endsSessions: whether every open session ends before this frame, with the reason `stopped`.
    /// - Throws: ``ModelFileError`` where the windows do not fit the model.
    public mutating func receive(_ seen: TrackedFrame, endsSessions: Bool = false) throws -> FrameResult {
        let (named, links, known) = link(times.repair(seen.renumbered(by: trackOffset)))
        let frame = zones.assign(named)
        let windows = gatherer.gather(frame)
        let jump = gatherer.jump
        let ended = ended(by: jump, endsSessions)
        let changes = recognise(windows, try windows.map(classifier.predict), in: frame)
        for case .setEnded(_, let session) in changes.events { linker.setEnded(of: session.track) }
        if jump != nil { lying.forget() }
        return FrameResult(
            frame: frame, predictions: changes.predictions, windows: windows,
            sets: known.sets + ended.sets + changes.sets, events: known.events + ended.events + changes.events,
            elsewhere: known.elsewhere + ended.elsewhere + changes.elsewhere, links: links, waiting: waiting(in: frame),
            lying: lying.look(at: frame) { people[$0]?.lastExercise }, comparisons: linker.comparisons, jump: jump,
            endedSessions: endsSessions)
    }

    /// Gives people whom the tracker had lost the numbers they had, and goes on with what is known of them. Tells of the sessions whose
    /// person's track went over to somebody else.
    private mutating func link(
        _ seen: TrackedFrame
    ) -> (frame: TrackedFrame, links: [PersonLink], change: PersonRecognition.Change) {
        var change = PersonRecognition.Change()
        var links: [PersonLink] = []
        let (frame, proposals) = linker.follow(seen)
        for cut in linker.cuts {
            guard let split = people[cut.person]?.split(at: cut.since) else { continue }
            change.events += split.events
            change.elsewhere += split.elsewhere
        }
        for var link in proposals {
            let later = people[link.from] ?? PersonRecognition(track: link.from, settings, origin: origin)
            var earlier = people[link.to] ?? PersonRecognition(track: link.to, settings, origin: origin)
            guard earlier.canGoOn(with: later) else { continue }
            linker.join(link)
            gatherer.rename(link.from, to: link.to)
            zones.rename(link.from, to: link.to)
            waiting.rename(link.from, to: link.to)
            lying.rename(link.from, to: link.to)
            let known = earlier.goOn(with: later)
            link.setOffset = earlier.lastSet - later.lastSet
            links.append(link)
            (people[link.from], people[link.to]) = (nil, earlier)
            change.sets += known.sets
            change.events += known.events
            change.elsewhere += known.elsewhere
        }
        return (links.isEmpty ? frame : linker.named(seen), links, change)
    }

    /// How many people wait beside each zone that is in use.
    private mutating func waiting(in frame: TrackedFrame) -> [String: Int] {
        // Without zones nothing is collected for each frame.
        guard waiting.isNeeded else { return [:] }
        return waiting.look(
            at: frame,
            people.reduce(into: [:]) { activities, person in
                activities[person.key] = WaitingWatch.Activity(
                    lastExercise: person.value.lastExercise, zone: zones.lastZone(of: person.key))
            })
    }

    /// Decides what each person does, now that these windows are complete.
    private mutating func recognise(
        _ windows: [PoseWindow], _ predictions: [Prediction], in frame: TrackedFrame
    ) -> PersonRecognition.Change {
        var all = PersonRecognition.Change(predictions: predictions)
        for track in Set(people.keys).union(windows.compactMap(\.track)).sorted() {
            // A window without a track says that nobody is seen, which concerns everybody.
            let own = windows.indices.filter { windows[$0].track ?? track == track }
            people[track, default: PersonRecognition(track: track, settings, origin: origin)].expected = expected
            // In place: a copy would copy the poses.
            guard
                let change = people[track]?.receive(
                    own.map { windows[$0] }, own.map { predictions[$0] },
                    seenAs: frame.tracks.first { $0.id == track }, at: frame.time)
            else { continue }
            for (index, prediction) in zip(own, change.predictions) { all.predictions[index] = prediction }
            all.sets += change.sets
            all.events += change.events
            all.elsewhere += change.elsewhere
            if people[track]?.isForgotten(at: frame.time) == true { people[track] = nil }
        }
        return all
    }

    /// Ends sets and sessions before a frame, because the times of the source jump back or because that was asked for.
    private mutating func ended(by jump: TimeJump?, _ endsSessions: Bool) -> PersonRecognition.Change {
        let jumpsBack = jump?.isBackward == true
        guard jumpsBack || endsSessions else { return PersonRecognition.Change() }
        let ended = end(endsSessions ? .stopped : .sourceEnded)
        // The numbers of sets begin anew with the times.
        if jumpsBack { forgetEverybody() }
        return ended
    }

    /// Sets the wall-clock time for sessions that start from now on. Open sessions keep theirs.
    ///
    /// - Parameter origin: the wall-clock time of the source's time 0.
    public mutating func move(origin: Date) {
        self.origin = origin
        for track in people.keys { people[track]?.origin = origin }
    }

    /// Sets the exercises that workouts in front of the source expect now. Their sets need less confidence, and are reported
    /// from the first repetition on.
    public mutating func expect(_ exercises: ExpectedExercises) { expected = exercises }

    /// Ends all open sessions. Call it once the chain has ended.
    public mutating func close(_ reason: Session.EndReason) -> [SessionEvent] { end(reason).events }

    /// Ends all open sessions, as ``close(_:)`` does, and says which sets ended with them.
    public mutating func end(_ reason: Session.EndReason) -> PersonRecognition.Change {
        var ended = PersonRecognition.Change()
        for track in people.keys.sorted() {
            guard let change = people[track]?.end(reason) else { continue }
            ended.sets += change.sets
            ended.events += change.events
            ended.elsewhere += change.elsewhere
        }
        // The times of another recording begin anew.
        if reason == .sourceEnded { forgetEverybody() }
        return ended
    }

    /// Does what other cameras ask for that see the same people; see ``SharedPeople``.
    ///
    /// - Returns: the changes of sessions, and those of people whom another camera counts.
    public mutating func follow(_ orders: [ViewOrder]) -> (events: [SessionEvent], elsewhere: [SessionEvent]) {
        var all = PersonRecognition.Change()
        for order in orders {
            let known = people[order.track] ?? PersonRecognition(track: order.track, settings, origin: origin)
            people[order.track] = known
            guard let change = people[order.track]?.follow(order) else { continue }
            all.events += change.events
            all.elsewhere += change.elsewhere
        }
        return (all.events, all.elsewhere)
    }

    private mutating func forgetEverybody() {
        people = [:]
        linker.forgetEverybody()
    }
}
