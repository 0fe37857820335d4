import Foundation
import NeuralNet

/// One person's performance from start to end, with what happens before and after the motion.
struct Scene {
    private let performance: PerformedMotion
    private let rest: PerformedMotion?
    private let active: ClosedRange<Float>
    private let seconds: Float
    private let transition: Float
    private let drift: (Wander, Wander, Wander)

    init(_ kind: MotionKind, seconds: Float, active: ClosedRange<Float>, random: inout RandomSource) {
        let physique = Physique(&random)
        var performer = Performer(
            physique: physique, seconds: seconds, active: active, random: RandomSource(seed: random.next()))
        performance = kind.perform(&performer)
        self.seconds = seconds
        self.active = active
        let isFramed = active.lowerBound > 0 || active.upperBound < seconds
        rest = isFramed ? Self.rest(kind.stage, &performer) : nil
        transition = performer.uniform(0.4...0.9) * (kind.stage == .standing ? 1 : 1.6)
        let restlessness = kind.stage == .standing ? performer.uniform(0...0.03) : performer.uniform(0...0.012)
        drift = (
            performer.wander(restlessness, every: 5), performer.wander(restlessness, every: 5),
            performer.wander(2 * restlessness, every: 5)
        )
    }

    /// End of the motion in seconds since the clip's start.
    var end: Float {
        guard active.upperBound < seconds else { return seconds }
        return performance.tempo?.end ?? active.upperBound
    }

    /// Starts of the repetitions in seconds since the clip's start.
    var repetitions: [Double] { performance.tempo?.starts.map(Double.init) ?? [] }

    /// The side that works in a repetition, counted from 0; `nil` where both do.
    func side(of repetition: Int) -> Side? { performance.side(repetition) }

    func film(frames: Int) -> [Skeleton] {
        (0..<frames).map { frame in
            let time = Float(frame) / Float(SyntheticMotion.rate)
            var posture = posture(at: time)
            posture.place += Point(drift.0(time), 0, drift.1(time))
            posture.heading.y += drift.2(time)
            return Skeleton(posture)
        }
    }

    private func posture(at time: Float) -> Posture {
        let posture = performance.posture(at: time)
        guard let rest else { return posture }
        let before = 1 - ease(time, from: active.lowerBound - transition, to: active.lowerBound)
        let after = active.upperBound < seconds ? ease(time, from: end, to: end + transition) : 0
        var idle = rest.posture(at: time)
        idle.place = posture.place
        idle.heading = posture.heading
        return posture.mixed(with: idle, max(active.lowerBound > 0 ? before : 0, after))
    }

    private static func rest(_ stage: MotionKind.Stage, _ performer: inout Performer) -> PerformedMotion? {
        switch stage {
        case .standing: Standing.idle(&performer)
        case .prone: FloorWork.kneel(&performer)
        case .supine: FloorWork.sitOnFloor(&performer)
        case .anywhere: nil
        }
    }
}
