import Poses

/// Finds the sets of one person, and counts their repetitions.
///
/// A set starts when the belief in an exercise is high, and is dated back to the first window that pointed to it. It ends
/// when the belief has been low for longer than a breather, when another exercise begins, when the person has left, or
/// together with an idle session. A set is reported once it is sure enough; see ``SetSureness``. It then contains all of
/// its repetitions, including the first. One of a single repetition is reported at its end, and one that a workout
/// expects from its first repetition on. At the end, repetitions at the
/// set's borders are added; see ``RepetitionNeighbours``.
public struct SetTracker: Sendable {
    /// The model's labels and the thresholds of sets.
    public struct Settings: Sendable {
        /// The model's labels, in the order of the probabilities.
        public var labels: [String]
        /// The labels that form sets.
        public var exercises: Set<String>
        /// Those of ``exercises`` that are held: their sets have a length and no repetitions.
        public var held: Set<String> = []
        /// The direction for counting the repetitions of each label.
        public var bases: [String: CountingBasis]
        /// The coach's way of doing each exercise, by label, where it is known.
        public var references: [String: FormReference] = [:]
        /// What good form is.
        public var formRules = FormRules()
        /// Frames per second of the windows.
        public var rateHz: Double
        /// When a set begins and ends, and what counts as a repetition. A set also ends after the idle time of sessions
        /// without a window that is surely an exercise and without a repetition, so that no set outlives its session.
        public var rules = RecognitionRules()

        /// Creates settings with the usual rules.
        public init(
            labels: [String], exercises: Set<String>, bases: [String: CountingBasis] = [:], rateHz: Double = 30
        ) {
            self.labels = labels
            self.exercises = exercises
            self.bases = bases
            self.rateHz = rateHz
        }

        /// Creates the settings for a model.
        public init(_ model: ModelDescription) {
            self.init(
                labels: model.labels, exercises: Set(model.countedLabels), bases: model.counting ?? [:],
                rateHz: model.framesPerSecond)
            held = Set(model.heldLabels ?? [])
        }
    }

    /// A set ends after this many seconds without the person: as long as the tracker knows a hidden person.
    private static let graceSeconds = Tracker.Settings().graceSeconds
    /// Seconds of poses in which repetitions are counted again with every window.
    private static let recountSeconds = 40.0
    /// Seconds of poses whose repetitions become final at a time.
    private static let settledSeconds = 10.0
    /// When a set has ended, repetitions are looked for so many seconds around it.
    private static let reachSeconds = 6.0
    /// The first repetitions of a set with which the later ones are compared.
    private static let ownRepetitions = 3

    /// An unbroken run of windows that point to a label.
    private struct Run {
        /// The middle of its first window, in seconds on the source's clock.
        let start: Double
        var evidence: SetEvidence
    }

    private struct Open {
        let label: String
        /// The index of the label among the model's labels.
        let index: Int
        /// Whether the exercise is held: it is timed, and has no repetitions.
        let isHeld: Bool
        /// The time of the first window that points to the exercise.
        let firstShown: Double
        /// The time of the last window that points to it.
        var lastShown: Double
        var evidence: SetEvidence
        /// How sure the set was when its repetitions were counted last.
        var sureness: Float = 0
        /// Repetitions that are final.
        var settled: [Repetition] = []
        /// How many repetitions of ``settled`` are doubtful.
        var settledDoubt = 0
        /// How many of the others were doubtful when they were counted last.
        var doubt = 0
        /// The start of the poses in which repetitions are counted again with every window.
        var countedFrom: Double
        /// Half the length of a window in seconds.
        let halfWindow: Double
        /// The person's own first repetitions; `nil` before there are enough.
        var own: FormReference?
    }

    private var track: Int
    private let settings: Settings
    private var rules: RecognitionRules { settings.rules }
    /// The indices of the exercises among the model's labels.
    private let exercises: [Int]
    /// The probability of each label, given all windows so far.
    private var belief: [Float]
    private var buffer: PoseBuffer
    /// For each label, the run of windows that point to it; `nil` if the newest one does not.
    private var pointing: [Run?]
    private var open: Open?
    /// The number of sets reported so far.
    private(set) var reportedSets = 0
    /// The end of the last set, before which no other begins.
    private var endOfLast = -Double.infinity
    /// Whether the windows since the person was hidden show too little.
    private var isReturning = false
    /// The open set as it was reported last; `nil` before it is reported.
    private var told: ExerciseSet?
    /// The end of the newest window, in seconds on the source's clock.
    private var lastSeen = 0.0
    /// The end of the last window that is surely an exercise, or of the last repetition of a reported set. A session ends
    /// for its idle time after the same moment.
    private var lastActive = -Double.infinity
    /// The exercises that workouts expect now.
    package var expected = ExpectedExercises()

    /// Starts without sets.
    public init(track: Int, _ settings: Settings) {
        self.track = track
        self.settings = settings
        exercises = settings.labels.indices.filter { settings.exercises.contains(settings.labels[$0]) }
        belief = [Float](repeating: 0, count: settings.labels.count)
        pointing = [Run?](repeating: nil, count: settings.labels.count)
        buffer = PoseBuffer(rate: settings.rateHz, longestSeconds: Self.recountSeconds + Self.settledSeconds)
    }

    /// Adds a window and its prediction. Calls must be in order of time.
    ///
    /// - Returns: the set that began, changed or ended with it; `nil` if there is nothing to report. It replaces the one with
    ///   the same number.
    public mutating func update(_ window: PoseWindow, _ prediction: Prediction) -> ExerciseSet? {
        let isFirst = buffer.frames == 0
        buffer.add(window)
        // What a person did while they were hidden is unknown: it is no pause of their set, and the first windows after it
        // show too little.
        let hidden = window.end - lastSeen
        lastSeen = window.end
        if prediction.isSurely(settings.exercises) { lastActive = max(lastActive, window.end) }
        if open != nil {
            if hidden > rules.sets.hiddenSeconds { open?.lastShown += hidden }
            if window.posedFrames < window.frames / 2, hidden > rules.sets.hiddenSeconds || isReturning {
                isReturning = true
                return makeSet(isOpen: true)
            }
        }
        isReturning = false
        let middle = (window.start + window.end) / 2
        note(prediction, from: isFirst ? window.start : middle)
        guard let index = open?.index else {
            // A window that is surely an exercise is needed: the belief alone outlasts it for a moment.
            guard prediction.isSurely(settings.exercises) else { return nil }
            begin(at: middle, halfWindow: middle - window.start)
            return open == nil ? nil : makeSet(isOpen: true)
        }
        if pointing[index] != nil { open?.lastShown = middle }
        if belief[index] < rules.sets.offset, hasEnded(at: middle) { return close() }
        return makeSet(isOpen: true)
    }

    /// Lets time pass. The open set ends where the person has left, or has done nothing for a session's idle time; what the
    /// windows said is forgotten then, and no later set begins before this moment.
    ///
    /// - Returns: the set that ended; `nil` for none.
    public mutating func pass(to time: Double) -> ExerciseSet? {
        let isIdle = open != nil && time - lastActive > rules.sessions.idleSeconds
        guard time - lastSeen > Self.graceSeconds || isIdle else { return nil }
        for index in belief.indices { (belief[index], pointing[index]) = (0, nil) }
        return close()
    }

    /// Whether the person was away for so long at this time that their sets need not be remembered. They are remembered as
    /// long as the track may return or has a session.
    func isForgotten(at time: Double) -> Bool {
        time - lastSeen > max(rules.sets.forgetSeconds, rules.sessions.idleSeconds)
    }

    /// Ends the open set, if there is one, because the source or the node stops. A set that was reported is always reported as ended: where the last count finds
    /// no repetition, it stays as it was told.
    public mutating func close() -> ExerciseSet? {
        defer { (open, told) = (nil, nil) }
        var set = makeSet(isOpen: false).map(withNeighbours) ?? told
        set?.isOpen = false
        if let set { endOfLast = set.end }
        return set
    }

    /// Whether a set that was reported goes on.
    var isTelling: Bool { told != nil }

    /// The number for a set that only another camera has seen. No set that was reported may go on.
    mutating func nextNumber() -> Int {
        precondition(told == nil, "an open set has this number")
        reportedSets += 1
        return reportedSets
    }

    /// Goes on with the sets of a track that turned out to be the same person. The own open set must be closed.
    ///
    /// Their numbers are raised by ``reportedSets``.
    mutating func goOn(with later: SetTracker) {
        precondition(open == nil, "an open set has to be closed before")
        let (track, told, end) = (track, reportedSets, endOfLast)
        self = later
        self.track = track
        reportedSets += told
        endOfLast = max(endOfLast, end)
        self.told = later.told.map { $0.numbered(track: track, $0.number + told) }
    }

    /// Takes what a window says. A window that was not classified points to no label. A rejected one (low confidence
    /// or unknown motion) does not end a set whose label it shows.
    private mutating func note(_ prediction: Prediction, from time: Double) {
        for index in belief.indices {
            belief[index] = index < prediction.belief.count ? prediction.belief[index] : 0
            guard index < prediction.probabilities.count else {
                pointing[index] = nil
                continue
            }
            let probability = prediction.probabilities[index]
            let points = probability >= rules.sets.offset
            pointing[index] =
                points ? pointing[index] ?? Run(start: time, evidence: SetEvidence(fading: rules.sets.fading)) : nil
            pointing[index]?.evidence.add(probability, points: true)
            if open?.index == index { open?.evidence.add(probability, points: points) }
        }
    }

    private mutating func begin(at middle: Double, halfWindow: Double) {
        guard let best = exercises.max(by: { belief[$0] < belief[$1] }), belief[best] > rules.sets.onset else {
            return
        }
        guard let run = pointing[best] else { return }
        let first = run.start
        // The set starts near the middle of the first window that points to it. Counting begins half a window earlier.
        open = Open(
            label: settings.labels[best], index: best, isHeld: settings.held.contains(settings.labels[best]),
            firstShown: first, lastShown: middle, evidence: run.evidence,
            countedFrom: first - halfWindow, halfWindow: halfWindow)
        buffer.forget(before: max(first - halfWindow - Self.reachSeconds, endOfLast))
        told = nil
    }

    /// Whether the open set, which is not seen now, is over: the pause is longer than a breather, or another exercise
    /// has begun.
    private func hasEnded(at middle: Double) -> Bool {
        guard let open else { return true }
        let pause = middle - open.lastShown
        return pause > (open.isHeld ? rules.sets.longestHeldPause : rules.sets.breatherSeconds)
            || pause > rules.sets.changeSeconds && exercises.contains { belief[$0] > rules.sets.onset }
    }

    /// Counts the repetitions. Returns the set once it is sure enough.
    private mutating func makeSet(isOpen: Bool) -> ExerciseSet? {
        guard let current = open else { return nil }
        guard !current.isHeld else { return heldSet(current, isOpen: isOpen) }
        let isSeen = belief[current.index] >= rules.sets.offset
        let last = isOpen && isSeen ? buffer.end : current.lastShown
        let margin = rules.counting.marginSeconds
        // What follows a set is not part of its last repetition.
        let end = isOpen && isSeen ? buffer.end : last + current.halfWindow
        let stretch = buffer.stretch(from: current.countedFrom, to: end)
        let counter = counter(of: current)
        let features = counter.features(of: stretch)
        let counts = counter.counts(in: stretch, features).filter {
            $0.extreme > max(current.firstShown - margin, endOfLast) && $0.extreme < last + margin
        }
        open?.doubt = counts.doubt
        var counted = counts.usual.map { repetition in
            var repetition = repetition
            repetition.start = max(repetition.start, endOfLast)
            return repetition
        }
        let likeness = RepetitionLikeness(counted, in: stretch, features, rules: rules.counting)
        if likeness.areSway { counted = [] }
        let isSettling = stretch.end - current.countedFrom > Self.recountSeconds
        if current.own == nil, counted.count > Self.ownRepetitions {
            open?.own = FormReference(Array(counted.prefix(Self.ownRepetitions)), in: stretch, features)
        }
        counted = judged(counted, of: open ?? current, in: stretch, features)
        let isExpected = expected.contains(current.label, of: track)
        let sureness = SetSureness(
            current.evidence.meanProbability, counted, likeness,
            isQuick: Exercise.named(current.label)?.isQuick == true, isExpected: isExpected, rules: rules.sets)
        if !counted.isEmpty { open?.sureness = sureness.value }
        if isSettling { settle(counted, counts) }
        let repetitions = current.settled + counted
        guard let begin = repetitions.first?.start, let end = repetitions.last?.end,
            // One that was reported may lose repetitions as it is counted again, but never all of them.
            told != nil
                || (repetitions.count > (isOpen && !isExpected ? 1 : 0) && sureness.isEnough)
        else { return nil }
        return tell(current, from: begin, to: end, repetitions, isOpen, open?.sureness ?? 0)
    }

    /// A posture that is held. Returns the set once it has lasted and its windows are sure.
    private mutating func heldSet(_ current: Open, isOpen: Bool) -> ExerciseSet? {
        // The newest window shows the posture to its end, unless it shows another one by now.
        let isShown = lastSeen - current.lastShown <= current.halfWindow + rules.counting.marginSeconds
        let end = isShown ? lastSeen : current.lastShown
        let sureness = current.evidence.meanProbability
        let begin = max(current.firstShown, endOfLast)
        guard told != nil || end - begin >= rules.sets.minimumHeldSeconds && sureness >= rules.sets.onset else {
            return nil
        }
        return tell(current, from: begin, to: end, [], isOpen, sureness)
    }

    private mutating func tell(
        _ current: Open, from begin: Double, to end: Double, _ repetitions: [Repetition], _ isOpen: Bool,
        _ sureness: Float
    ) -> ExerciseSet {
        if told == nil { reportedSets += 1 }
        lastActive = max(lastActive, end)
        let set = ExerciseSet(
            track: track, number: reportedSets, label: current.label, start: begin, end: end,
            repetitions: SideSequence.decided(repetitions), isOpen: isOpen, confidence: Double(sureness),
            margin: current.isHeld ? nil : 1 + (open.map { $0.settledDoubt + $0.doubt } ?? 0))
        told = set
        return set
    }

    private func counter(of open: Open) -> RepetitionCounter {
        RepetitionCounter(basis: settings.bases[open.label], rules: rules.counting)
    }

    private func judged(
        _ repetitions: [Repetition], of open: Open, in stretch: PoseStretch, _ features: CountingFeatures
    ) -> [Repetition] {
        FormScorer(
            label: open.label, rules: settings.formRules, reference: settings.references[open.label], own: open.own
        ).judged(repetitions, in: stretch, features)
    }

    /// Makes the oldest repetitions of a long set final, and removes their poses.
    private mutating func settle(_ counted: [Repetition], _ counts: RepetitionCounts) {
        guard let current = open else { return }
        let from = current.countedFrom
        let old = counted.prefix { $0.end <= from + Self.settledSeconds }
        let before = current.settled.isEmpty ? neighbours(of: counted).before : []
        open?.settled += before + old
        let begin = old.last?.end ?? from + Self.settledSeconds
        open?.settledDoubt += counts.filter { $0.end <= begin }.doubt
        open?.doubt = counts.filter { $0.end > begin }.doubt
        open?.countedFrom = begin
        buffer.forget(before: open?.countedFrom ?? from)
    }

    /// The set with the repetitions before and after it.
    private func withNeighbours(_ set: ExerciseSet) -> ExerciseSet {
        guard let current = open else { return set }
        let found = neighbours(of: Array(set.repetitions.dropFirst(current.settled.count)))
        var set = set
        set.repetitions = SideSequence.decided(found.before + set.repetitions + found.after)
        set.start = set.repetitions.first?.start ?? set.start
        set.end = set.repetitions.last?.end ?? set.end
        return set
    }

    /// Repetitions before and after these of the open set that the windows did not point to: the first one is recognised
    /// when it is over, and the last one ends in windows that show what follows. What another exercise has begun with is
    /// not the set's.
    private func neighbours(of counted: [Repetition]) -> (before: [Repetition], after: [Repetition]) {
        guard let current = open, let first = counted.first, let last = counted.last else { return ([], []) }
        let stretch = buffer.stretch(
            from: first.start - Self.reachSeconds, to: min(buffer.end, last.end + Self.reachSeconds))
        let counter = counter(of: current)
        let features = counter.features(of: stretch)
        guard let neighbours = RepetitionNeighbours(counted, in: stretch, features, rules: rules.counting) else {
            return ([], [])
        }
        let begin = current.settled.last?.end ?? endOfLast
        let end = exercises.compactMap { $0 == current.index ? nil : pointing[$0]?.start }.min() ?? .infinity
        let found = neighbours.extended(
            by: counter.repetitions(in: stretch, features).filter { $0.start >= begin && $0.extreme < end }
        )
        return (
            judged(found.before, of: current, in: stretch, features),
            judged(found.after, of: current, in: stretch, features)
        )
    }
}
