import NeuralNet

/// Where in a motion somebody is.
struct Moment {
    /// Seconds since the clip began.
    let time: Float
    /// Counts from 0; even before the first repetition began.
    let repetition: Int
    /// Through this repetition, 0…1.
    let progress: Float
}

/// When each repetition begins and how long it lasts: no two are alike, people tire, and some rest in between.
struct Tempo {
    /// What is asked of the people who do the motion.
    struct Habit {
        /// Seconds of a repetition.
        var period: ClosedRange<Float>
        /// Deviation between one's own repetitions, as a share.
        var jitter: Float = 0.08
        /// The share of people who rest between repetitions.
        var resting: Float = 0.15
    }

    /// Seconds since the clip began; the last entry is where the last repetition ends.
    private(set) var starts: [Float] = []
    private var durations: [Float] = []

    /// The end of the last repetition.
    var end: Float { (starts.last ?? 0) + (durations.last ?? 0) }

    init(_ habit: Habit, active: ClosedRange<Float>, seconds: Float, random: inout RandomSource) {
        let period = habit.period.lowerBound
            + (habit.period.upperBound - habit.period.lowerBound) * random.uniform()
        let fatigue = random.uniform(in: -0.01...0.03)
        let rests = random.chance(habit.resting) ? random.uniform(in: 0.3...1) : 0
        let longestRest = min(1.5, 0.5 * period + 0.2)
        var time = active.lowerBound > 0 ? active.lowerBound : -random.uniform(in: 0...period)
        while time < min(seconds, active.upperBound) {
            let change = (1 + fatigue * Float(starts.count)) * max(0.6, 1 + habit.jitter * random.normal())
            starts.append(time)
            durations.append(period * change)
            time += period * change
            if random.chance(rests) { time += random.uniform(in: 0.1...longestRest) }
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

/// One repetition's effort: from 0 to 1, a hold, and back, each at its own speed.
struct Stroke {
    let out: Float
    let hold: Float
    let back: Float
    /// 0 moves at an even pace, 1 starts and stops softly.
    let softness: Float

    func callAsFunction(_ progress: Float) -> Float {
        if progress < out { return soften(progress / out) }
        if progress < out + hold { return 1 }
        return 1 - soften((progress - out - hold) / back)
    }

    private func soften(_ x: Float) -> Float {
        let x = min(max(x, 0), 1)
        return softness * ease(x) + (1 - softness) * x * x * (3 - 2 * x)
    }
}

/// A slow, smooth drift around 0, as people sway.
struct Wander {
    private let frequencies: SIMD4<Float>
    private let phases: SIMD4<Float>
    private let amplitude: Float

    /// - Parameters:
    ///   - deviation: of the value.
    ///   - seconds: of a typical swing to one side and back.
    init(_ deviation: Float, every seconds: Float, random: inout RandomSource) {
        // Waves that never fall into step look like chance and cost no memory.
        let waves = SIMD4<Float>(0.45, 0.8, 1.3, 2.1)
        frequencies = waves * (2 * .pi / seconds * random.uniform(in: 0.8...1.25))
        phases = SIMD4(random.uniform(), random.uniform(), random.uniform(), random.uniform()) * (2 * .pi)
        amplitude = deviation * 0.9
    }

    func callAsFunction(_ time: Float) -> Float {
        let angles = frequencies * time + phases
        let weights = SIMD4<Float>(1, 0.8, 0.6, 0.3)
        var sum: Float = 0
        for wave in 0..<4 { sum += weights[wave] * Self.sine(angles[wave]) }
        return amplitude * sum
    }

    /// Parabolic approximation, within 0.06 of the sine: good enough to sway.
    private static func sine(_ angle: Float) -> Float {
        let turns = angle / (2 * .pi)
        let x = 2 * (turns - turns.rounded())
        return 4 * x * (1 - abs(x))
    }
}
