import NeuralNet

/// A position within a motion.
struct Moment {
    /// Seconds since the clip's start.
    let time: Float
    /// Number of the repetition from 0. Also 0 before the first repetition.
    let repetition: Int
    /// Progress within this repetition, 0…1.
    let progress: Float
}

/// Start and length of every repetition. All lengths differ, people tire, and some rest in between.
struct Tempo {
    /// Parameters of a motion's rhythm.
    struct Habit {
        /// Length of a repetition in seconds.
        var period: ClosedRange<Float>
        /// Standard deviation between repetitions of one person, as a share.
        var jitter: Float = 0.08
        /// The share of people who rest between repetitions.
        var resting: Float = 0.15
    }

    /// Starts of the repetitions in seconds since the clip's start.
    private(set) var starts: [Float] = []
    private var durations: [Float] = []

    /// The end of the last repetition.
    var end: Float { (starts.last ?? 0) + (durations.last ?? 0) }

    /// Mean length of a repetition in seconds; 1 without repetitions.
    var meanPeriod: Float { durations.isEmpty ? 1 : durations.reduce(0, +) / Float(durations.count) }

    init(_ habit: Habit, active: ClosedRange<Float>, seconds: Float, random: inout RandomSource) {
        let period =
            habit.period.lowerBound
            + (habit.period.upperBound - habit.period.lowerBound) * random.uniform()
        let fatigue = random.uniform(in: -0.01...0.03)
        let rests = random.chance(habit.resting) ? random.uniform(in: 0.3...1) : 0
        let longestRest = min(1.5, 0.5 * period + 0.2)
        var time = active.lowerBound > 0 ? active.lowerBound : -random.uniform(in: 0...period)
        while time < min(seconds, active.upperBound) {
            // Limits fatigue, so that even in a long clip nobody becomes more than twice as fast or as slow.
            let tiredness = min(max(1 + fatigue * Float(starts.count), 0.5), 2)
            let change = tiredness * max(0.6, 1 + habit.jitter * random.normal())
            starts.append(time)
            durations.append(period * change)
            time += period * change
            // A rest that would last beyond the end is skipped, so that the exercise ends on time.
            let rest = random.chance(rests) ? random.uniform(in: 0.1...longestRest) : 0
            if time + rest < min(seconds, active.upperBound) { time += rest }
        }
    }

    func moment(at time: Float) -> Moment {
        var index = 0
        while index + 1 < starts.count, starts[index + 1] <= time { index += 1 }
        guard index < starts.count else { return Moment(time: time, repetition: 0, progress: 0) }
        let progress = (time - starts[index]) / durations[index]
        return Moment(time: time, repetition: index, progress: min(max(progress, 0), 1))
    }
}
