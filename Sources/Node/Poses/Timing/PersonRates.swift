/// How often each person was looked at lately, in frames per second.
package struct PersonRates {
    /// Seconds over which looks are counted.
    private static let seconds = 2.0
    /// The times of the looks at everyone in view, by track; seconds on the source's clock.
    private var looks: [Int: [Double]] = [:]

    /// Starts without people.
    package init() {}

    /// Takes the next frame. Frames must be in order of time.
    package mutating func add(_ frame: TrackedFrame) {
        let inView = Set(frame.tracks.map(\.id)), time = frame.time
        looks = looks.filter { inView.contains($0.key) }
        for track in frame.measured { looks[track.id, default: []].append(time) }
        for track in inView { looks[track]?.removeAll { !(time - Self.seconds...time).contains($0) } }
    }

    /// The rates by track. A person who was looked at only once has none yet.
    package var hertz: [Int: Double] {
        looks.compactMapValues { times in
            guard let first = times.first, let last = times.last, last > first else { return nil }
            return Double(times.count - 1) / (last - first)
        }
    }
}
