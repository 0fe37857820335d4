import Foundation

extension CountingFeatures {
    /// The strength of the prior in the ridge regression; larger stays closer to the prior.
    private static let ridge = 0.5

    /// The direction whose projection predicts each frame's progress in its cycle best: a ridge regression towards
    /// `prior`.
    ///
    /// - Returns: a direction scaled so that the projection has the same variance as along `prior`.
    func direction(fitting cycles: [Cycle], from prior: [Float]) -> [Float] {
        var system = NormalEquations(channels: channels)
        system.add(self, cycles: cycles)
        return system.solve(ridge: Self.ridge, towards: prior) ?? prior
    }

    /// The direction of most motion: the first principal component of the features' changes. Its sign leads away from
    /// the person's pose in the first half second.
    func principalDirection() -> [Float] {
        var direction = [Float](repeating: 0, count: channels)
        let steps = (1..<max(1, frames)).map { frame in
            (0..<channels).map { values[frame * channels + $0] - values[(frame - 1) * channels + $0] }
        }
        guard let longest = steps.max(by: { Self.square($0) < Self.square($1) }), Self.square(longest) > 0 else {
            return direction
        }
        direction = longest
        for _ in 0..<20 {
            var next = [Float](repeating: 0, count: channels)
            for step in steps {
                let share = zip(step, direction).reduce(0) { $0 + $1.0 * $1.1 }
                for channel in next.indices { next[channel] += share * step[channel] }
            }
            let length = Self.square(next).squareRoot()
            guard length > 0 else { break }
            direction = next.map { $0 / length }
        }
        let line = along(direction)
        // Halved, because the projection swings about twice as far as along a learned direction.
        let sign: Float = isHighAtFirst(line) ? -1 : 1
        return direction.map { sign * $0 / 2 }
    }

    /// The least range along a direction of length 1. What swings less is held, such as a plank. A usual repetition
    /// swings by about 1.
    private static let minimumSwing: Float = 0.16

    /// The direction of most motion in several clips, each with the same weight; `nil` without motion. Along it a usual
    /// repetition goes from 0 to 1.
    static func commonDirection(of clips: [CountingFeatures]) -> [Float]? {
        guard let channels = clips.first?.channels else { return nil }
        var covariance = [Float](repeating: 0, count: channels * channels)
        for clip in clips where clip.frames > 2 {
            var own = [Float](repeating: 0, count: channels * channels)
            var trace: Float = 0
            for frame in 1..<clip.frames {
                let step = (0..<channels).map { clip[frame, $0] - clip[frame - 1, $0] }
                for a in 0..<channels {
                    trace += step[a] * step[a]
                    for b in 0..<channels { own[a * channels + b] += step[a] * step[b] }
                }
            }
            guard trace > 0 else { continue }
            for index in own.indices { covariance[index] += own[index] / trace }
        }
        var direction = (0..<channels).map { covariance[$0 * channels + $0] }
        for _ in 0..<50 {
            let next = (0..<channels).map { a in
                (0..<channels).reduce(Float(0)) { $0 + covariance[a * channels + $1] * direction[$1] }
            }
            let length = square(next).squareRoot()
            guard length > 0 else { return nil }
            direction = next.map { $0 / length }
        }
        var (votes, swings) = (0, [Float]())
        for clip in clips where clip.frames > 2 {
            let line = clip.along(direction)
            votes += clip.isHighAtFirst(line) ? 1 : -1
            swings.append(Smoothing.swing(line))
        }
        let swing = swings.sorted()[swings.count / 2]
        guard swing >= minimumSwing else { return nil }
        return direction.map { (votes > 0 ? -$0 : $0) / swing }
    }

    /// Whether a line is above its median in the first half second.
    private func isHighAtFirst(_ line: [Float]) -> Bool {
        let atFirst = line.prefix(Int(rate / 2) + 1)
        return atFirst.reduce(0, +) / Float(atFirst.count) > line.sorted()[line.count / 2]
    }

    private static func square(_ vector: [Float]) -> Float { vector.reduce(0) { $0 + $1 * $1 } }
}

extension Cycle {
    /// The progress of each frame: 0 at rest, 1 at the extreme, with a half cosine in between.
    var progress: [(frame: Int, progress: Float)] { (lowBefore...lowAfter).map { ($0, progress(at: $0)) } }

    private func progress(at frame: Int) -> Float {
        let (from, to) = frame <= extreme ? (lowBefore, extreme) : (lowAfter, extreme)
        guard from != to else { return 1 }
        return (1 - cos(.pi * Float(frame - from) / Float(to - from))) / 2
    }
}

extension NormalEquations {
    /// Adds the frames of the cycles of one motion, each with its progress.
    mutating func add(_ features: CountingFeatures, cycles: [Cycle]) {
        add(features, frames: cycles.flatMap(\.progress))
    }
}
