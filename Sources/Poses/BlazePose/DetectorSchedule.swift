/// Decides in which frames people are searched for, and where.
///
/// The detector costs as much as a person's landmarks, so it runs when there may be someone it has not seen: at once
/// in the first frame, when someone was lost, and when something moves that no followed person explains; and now and
/// then in any case, for those who came without a movement. Searches of the whole picture, in which far people are too
/// small, take turns with a closer look at what moves. It goes by the frames' own times alone.
package struct DetectorSchedule {
    package struct Settings {
        /// Nobody more is followed than so many, so nobody more is searched for.
        var maximumPeople: Int
        /// Between searches while something unexplained moves around the people followed, seconds.
        var newcomerSeconds: Double
        /// Between searches while people are followed and nothing else moves, if that is longer.
        var calmSeconds = 2.0
        /// Between searches of an empty picture in which something moves: a newcomer is found in 0.2 s either way.
        var arrivalSeconds = 0.1
        /// Between searches of an empty picture in which nothing moves.
        var emptySeconds = 1.0
        /// How long motion and losses are remembered: who comes in may stop before they can be recognised.
        var memorySeconds = 1.0

        package init(maximumPeople: Int = 4, newcomerSeconds: Double = 0.5) {
            self.maximumPeople = maximumPeople
            self.newcomerSeconds = newcomerSeconds
        }
    }

    package enum Search: Equatable {
        case wholePicture
        /// One of the things that move, counted on from search to search.
        case closeLook(number: Int)
    }

    private let settings: Settings
    private var lastSearch: Double?
    private var closeLooks = 0
    private var isNextClose = false
    private var lastMotion: Double?
    private var lastLoss: Double?

    package init(_ settings: Settings = Settings()) { self.settings = settings }

    /// How to search this frame, if at all; whoever asks then does so. Frames come in order of time.
    ///
    /// - Parameters:
    ///   - followed: how many people are still in view.
    ///   - lostSomeone: somebody who was followed until this frame no longer is.
    ///   - hasUnexplainedMotion: something moves where nobody followed is.
    ///   - movingThings: how many of the things that move are worth a closer look; asked for when it matters.
    package mutating func search(
        at time: Double, followed: Int, lostSomeone: Bool, hasUnexplainedMotion: Bool,
        movingThings: @autoclosure () -> Int
    ) -> Search? {
        // A source that begins again has its own past.
        if let lastSearch, time < lastSearch { self = DetectorSchedule(settings) }
        if hasUnexplainedMotion { lastMotion = time }
        if lostSomeone { lastLoss = time }
        guard followed < settings.maximumPeople else { return nil }
        // A millisecond, because times are sums of fractions.
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
            return hasLost || hasMoved
                ? settings.newcomerSeconds : max(settings.newcomerSeconds, settings.calmSeconds)
        }
        // The last one was lost: they are hardly gone, so every frame.
        return hasLost ? 0 : hasMoved ? settings.arrivalSeconds : settings.emptySeconds
    }
}
