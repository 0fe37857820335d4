/// Decides in which frames the detector runs, and on which part of the picture.
///
/// The detector costs as much as the landmarks of one person, so it runs only when there may be a new person: in the
/// first frame, when a person was lost, and when something moves that no tracked person explains. It also runs at long
/// intervals in any case, for people whose arrival caused no motion. Distant people are too small in the whole picture,
/// so searches of it alternate with close looks at moving things. All decisions depend only on the frames' times.
package struct DetectorSchedule {
    /// The number of people, and the seconds between searches.
    package struct Settings {
        /// The most people that are tracked. With this many, no search takes place.
        var maximumPeople: Int
        /// Seconds between searches of one kind while people are tracked and there is unexplained motion.
        var newcomerSeconds: Double
        /// Seconds between searches while people are tracked and nothing else moves, if longer than `newcomerSeconds`.
        var calmSeconds = 2.0
        /// Seconds between searches of an empty picture with motion. With both kinds of search a newcomer is found in
        /// 0.2 s.
        var arrivalSeconds = 0.1
        /// Seconds between searches of an empty picture without motion.
        var emptySeconds = 1.0
        /// Seconds for which motion and losses are remembered: a newcomer may stop moving before they are recognised.
        var memorySeconds = 1.0

        /// Creates settings.
        package init(
            maximumPeople: Int = PoseEstimator.Settings().maximumPeople,
            newcomerSeconds: Double = PoseEstimator.Settings().detectionIntervalSeconds
        ) {
            self.maximumPeople = maximumPeople
            self.newcomerSeconds = newcomerSeconds
        }
    }

    /// Where to search.
    package enum Search: Equatable {
        /// In the whole picture.
        case wholePicture
        /// Around one moving thing. `number` is its index and advances from search to search.
        case closeLook(number: Int)
    }

    private let settings: Settings
    private var lastSearch: Double?
    private var closeLooks = 0
    private var isNextClose = false
    private var lastMotion: Double?
    private var lastLoss: Double?

    /// Starts with a search in the first frame.
    package init(_ settings: Settings = Settings()) { self.settings = settings }

    /// Where to search in this frame; `nil` for no search. The caller must carry out the search. Frames must be in
    /// order of time.
    ///
    /// - Parameters:
    ///   - time: the time of the frame in seconds.
    ///   - followed: the number of people that are tracked in this frame.
    ///   - lostSomeone: whether a person who was tracked until this frame was lost.
    ///   - hasUnexplainedMotion: whether something moves that no tracked person explains.
    ///   - movingThings: the number of moving things that deserve a close look; evaluated only when needed.
    package mutating func search(
        at time: Double, followed: Int, lostSomeone: Bool, hasUnexplainedMotion: Bool,
        movingThings: @autoclosure () -> Int
    ) -> Search? {
        // Times that go backwards mean that the source was restarted.
        if let lastSearch, time < lastSearch { self = DetectorSchedule(settings) }
        if hasUnexplainedMotion { lastMotion = time }
        if lostSomeone { lastLoss = time }
        guard followed < settings.maximumPeople else { return nil }
        // A millisecond of tolerance for rounding errors in the times.
        let isDue = lastSearch.map { time - $0 > wait(at: time, followed: followed) - 0.001 } ?? true
        guard isDue || lostSomeone else { return nil }
        lastSearch = time
        let things = isNextClose && hasUnexplainedMotion && !lostSomeone ? movingThings() : 0
        guard things > 0 else {
            isNextClose = true
            return .wholePicture
        }
        isNextClose = false
        defer { closeLooks += 1 }
        return .closeLook(number: closeLooks % things)
    }

    private func wait(at time: Double, followed: Int) -> Double {
        func isRecent(_ event: Double?) -> Bool { event.map { time - $0 <= settings.memorySeconds } ?? false }
        let hasLost = isRecent(lastLoss), hasMoved = isRecent(lastMotion)
        if followed > 0 {
            // Searches of the whole picture and close looks take turns.
            return hasLost || hasMoved
                ? settings.newcomerSeconds / 2 : max(settings.newcomerSeconds, settings.calmSeconds)
        }
        // The last person was lost and is probably still there, so search in every frame.
        return hasLost ? 0 : hasMoved ? settings.arrivalSeconds : settings.emptySeconds
    }
}
