import NeuralNet

/// A person who is about to move: a body, the random numbers of their style, and the observed time.
struct Performer {
    let physique: Physique
    /// Length of the observed time in seconds.
    let seconds: Float
    /// From the start of the motion to the time after which no further repetition starts. It exceeds 0…`seconds` when
    /// the motion began earlier or continues afterwards.
    let active: ClosedRange<Float>
    var random: RandomSource

    mutating func uniform(_ range: ClosedRange<Float>) -> Float { random.uniform(in: range) }

    /// A uniform angle in radians from a range in degrees.
    mutating func angle(_ range: ClosedRange<Float>) -> Float { random.uniform(in: range).degrees }

    mutating func normal(_ deviation: Float) -> Float { deviation * random.normal() }

    mutating func chance(_ probability: Float) -> Bool { random.chance(probability) }

    mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[random.index(below: choices.count)] }

    mutating func side() -> Side { random.chance(0.5) ? .left : .right }

    mutating func wander(_ deviation: Float, every seconds: Float = 2.5) -> Wander {
        Wander(deviation, every: seconds, random: &random)
    }

    mutating func tempo(_ period: ClosedRange<Float>, jitter: Float = 0.08, resting: Float = 0.15) -> Tempo {
        Tempo(
            Tempo.Habit(period: period, jitter: jitter, resting: resting), active: active, seconds: seconds,
            random: &random)
    }

    /// The lengths of a repetition in seconds: one person in five is slower than the others, up to `longest`.
    mutating func slowly(_ usual: ClosedRange<Float>, upTo longest: Float) -> ClosedRange<Float> {
        chance(0.2) ? usual.upperBound...longest : usual
    }

    /// The effort of a strength exercise. Each way takes a quarter to half of the time.
    mutating func stroke() -> Stroke {
        let out = uniform(0.25...0.5), hold = chance(0.5) ? uniform(0...0.12) : 0
        let back = min(uniform(0.25...0.5), 0.98 - out - hold)
        return Stroke(out: out, hold: hold, back: back, softness: uniform(0.2...1))
    }

    /// A time span for a single event that lasts `duration`, within the observed time if it fits.
    mutating func event(lasting duration: Float) -> ClosedRange<Float> {
        let start = uniform(0.1...max(0.2, seconds - duration - 0.1))
        return start...(start + duration)
    }
}
