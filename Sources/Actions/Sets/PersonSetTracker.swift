/// What one person is doing: smoothed probabilities, the poses they rest on, and the set that is open.
struct PersonSetTracker: Sendable {
    /// Repetitions further back than this are not counted anew with every window.
    private static let recountSeconds = 40.0
    /// How much is settled at a time.
    private static let settledSeconds = 10.0
    /// A repetition belongs to a set if its extreme lies at most this far outside of it.
    private static let marginSeconds = 0.5

    private struct Open {
        let label: String
        /// Of the label among the model's.
        let index: Int
        /// When windows began to point to the exercise, and when the last one did.
        let firstShown: Double
        var lastShown: Double
        /// Repetitions that are not counted anew, and where the poses begin in which the others are.
        var settled: [Repetition] = []
        var countedFrom: Double
    }

    private let track: Int
    private let settings: SetTracker.Settings
    private var smoothed: [Float]
    private var reel: PoseBuffer
    /// When the windows began that point to each label without a break; `nil` where the newest one does not.
    private var pointing: [Double?]
    private var open: Open?
    private var told = 0
    private var wasTold = false
    private(set) var lastSeen = 0.0

    init(track: Int, _ settings: SetTracker.Settings) {
        self.track = track
        self.settings = settings
        smoothed = [Float](repeating: 0, count: settings.labels.count)
        pointing = [Double?](repeating: nil, count: settings.labels.count)
        reel = PoseBuffer(rate: settings.rateHz, longestSeconds: Self.recountSeconds + Self.settledSeconds)
    }

    /// The set as it stands with the next window: it goes on, has ended, or has begun; `nil` if there is nothing to tell.
    mutating func update(_ window: PoseWindow, _ prediction: Prediction) -> ExerciseSet? {
        let isFirst = reel.frames == 0
        reel.add(window)
        lastSeen = window.end
        let middle = (window.start + window.end) / 2
        smooth(prediction, from: isFirst ? window.start : middle)
        guard let index = open?.index else {
            begin(at: middle, halfWindow: middle - window.start)
            return open == nil ? nil : makeSet(isOpen: true)
        }
        guard smoothed[index] >= settings.offset else { return close() }
        if pointing[index] != nil { open?.lastShown = middle }
        return makeSet(isOpen: true)
    }

    /// Ends the open set, if there is one.
    mutating func close() -> ExerciseSet? {
        defer { open = nil }
        return makeSet(isOpen: false)
    }

    /// The person is gone: whoever comes back begins anew.
    mutating func finish() -> ExerciseSet? {
        for index in smoothed.indices { (smoothed[index], pointing[index]) = (0, nil) }
        return close()
    }

    /// Windows that were not classified speak against every label; one that got none for being unsure, or unlike all
    /// that is known, neither begins a set nor ends it.
    private mutating func smooth(_ prediction: Prediction, from time: Double) {
        let most = prediction.isModelLabel ? 1 : (settings.onset + settings.offset) / 2
        for index in smoothed.indices {
            let new = index < prediction.probabilities.count ? min(prediction.probabilities[index], most) : 0
            smoothed[index] += settings.newest * (new - smoothed[index])
            pointing[index] = new >= settings.offset ? pointing[index] ?? time : nil
        }
    }

    private mutating func begin(at middle: Double, halfWindow: Double) {
        let exercises = settings.labels.indices.filter { settings.exercises.contains(settings.labels[$0]) }
        guard let best = exercises.max(by: { smoothed[$0] < smoothed[$1] }), smoothed[best] > settings.onset else {
            return
        }
        let first = pointing[best] ?? middle
        // The set begins about in the middle of the first window that points to it; the rest before it is seen, too.
        open = Open(
            label: settings.labels[best], index: best, firstShown: first, lastShown: middle,
            countedFrom: first - halfWindow)
        reel.forget(before: first - halfWindow)
        wasTold = false
    }

    /// Counts what there is, and tells the set if it is one: long enough, and with repetitions enough.
    private mutating func makeSet(isOpen: Bool) -> ExerciseSet? {
        guard let current = open else { return nil }
        let last = isOpen ? reel.end : current.lastShown
        let stretch = reel.stretch(from: current.countedFrom, to: reel.end)
        let margin = Self.marginSeconds
        var counted = RepetitionCounter(basis: settings.bases[current.label]).repetitions(in: stretch).filter {
            $0.extreme > current.firstShown - margin && $0.extreme < last + margin
        }
        let isSettling = stretch.end - current.countedFrom > Self.recountSeconds
        if isSettling || !isOpen {
            let judge = FormScorer(label: current.label, reference: settings.references[current.label])
            counted = judge.judged(counted, in: stretch)
        }
        if isSettling { settle(counted) }
        let repetitions = current.settled + counted
        guard let begin = repetitions.first?.start, let end = repetitions.last?.end,
            wasTold || (repetitions.count >= settings.leastRepetitions && end - begin >= settings.leastSeconds)
        else { return nil }
        if !wasTold { told += 1 }
        wasTold = true
        return ExerciseSet(
            track: track, number: told, label: current.label, start: begin, end: end, repetitions: repetitions,
            isOpen: isOpen)
    }

    /// Puts the oldest repetitions of a long set aside.
    private mutating func settle(_ counted: [Repetition]) {
        guard let from = open?.countedFrom else { return }
        let old = counted.prefix { $0.end <= from + Self.settledSeconds }
        open?.settled += old
        open?.countedFrom = old.last?.end ?? from + Self.settledSeconds
        reel.forget(before: open?.countedFrom ?? from)
    }
}
