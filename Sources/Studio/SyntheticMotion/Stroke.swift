/// The effort within one repetition: from 0 to 1, a hold, and back, each at its own speed.
struct Stroke {
    let out: Float
    let hold: Float
    let back: Float
    /// How softly it starts and stops: 0 is a smoothstep, 1 is minimum jerk.
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
