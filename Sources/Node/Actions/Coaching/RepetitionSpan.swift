import Foundation
import Poses

/// The frames of one repetition, and what is measured in them.
package struct RepetitionSpan {
    let frames: ClosedRange<Int>
    /// The frames from the repetition before to the one after, at most ``reachSeconds`` more on either side.
    let surroundings: ClosedRange<Int>
    /// The frame of the extreme.
    let extreme: Int
    /// The repetition's duration, which is finer than frames.
    let seconds: Double

    /// A repetition ends a little before the body is at rest, which it is this long after, in seconds.
    private static let reachSeconds = 1.0

    /// The span of a repetition in a stretch of poses.
    ///
    /// - Parameters:
    ///   - before: the repetition before it; `nil` for none.
    ///   - after: the one after it; `nil` for none.
    package init(
        _ repetition: Repetition, _ stretch: PoseStretch, before: Repetition? = nil, after: Repetition? = nil
    ) {
        let last = stretch.frames - 1
        func frame(_ time: Double) -> Int { min(max(0, Int(((time - stretch.start) * stretch.rate).rounded())), last) }
        let start = frame(repetition.start)
        frames = start...max(start, frame(repetition.end))
        let from = frame(max(before?.end ?? -.infinity, repetition.start - Self.reachSeconds))
        let to = frame(min(after?.start ?? .infinity, repetition.end + Self.reachSeconds))
        surroundings = min(from, frames.lowerBound)...max(to, frames.upperBound)
        extreme = min(max(frame(repetition.extreme), frames.lowerBound), frames.upperBound)
        seconds = repetition.seconds
    }

    /// Measures what can be told from the person's joints and the times of this repetition alone.
    package func measures(
        _ wanted: [(FormMeasurement, views: Set<CameraView>)], _ body: BodyMeasures
    ) -> RepetitionMeasures {
        var measures = RepetitionMeasures(view: body.view)
        let phases = RepetitionPhases(self, body)
        let isCutOff = body.isCutOff(in: frames)
        for (measurement, views) in wanted {
            if let time = phases.reading(measurement) {
                measures.readings[measurement] = time
            } else if isCutOff {
                measures.missing[measurement] = .poorView
            } else if !views.contains(body.view) {
                measures.missing[measurement] = .view
            } else if measurement.unit == .degrees, body.isTooSmall {
                measures.missing[measurement] = .tooSmall
            } else {
                switch measure(measurement, body) {
                case .success(let reading)?: measures.readings[measurement] = reading
                case .failure(let missing)?: measures.missing[measurement] = missing
                case nil: break
                }
            }
        }
        return measures
    }

    private typealias Result = Swift.Result<RepetitionMeasures.Reading, RepetitionMeasures.Missing>

    /// One measurement; `nil` for those that are not made here.
    private func measure(_ measurement: FormMeasurement, _ body: BodyMeasures) -> Result? {
        switch measurement {
        case .kneeFlexion, .hipFlexion, .elbowFlexion, .shoulderElevation:
            JointAngle(measurement)?.reading(at: extreme, in: frames, body)
        case .kneeLockOut, .elbowLockOut:
            JointAngle(measurement)?.straightest(in: extreme...surroundings.upperBound, body)
        case .raisingSpeed: RaisingSpeed(self, body).map { .success($0.reading) }
        case .trunkLean: trunkLean(body).map(Result.success) ?? .failure(.jointsUnseen)
        default:
            height(measurement, body).map { value in
                value.map { .success(.init($0, uncertainty: Self.uncertainty(measurement))) } ?? .failure(.jointsUnseen)
            }
        }
    }

    /// The standard errors of measurements other than joint angles and times, from rendered and synthetic people.
    private static func uncertainty(_ measurement: FormMeasurement) -> Double {
        switch measurement.unit {
        case .degrees: 6
        case .share: 0.04
        default: 0.06
        }
    }

    /// A value that is measured in the plane of the picture: `.some(nil)` where its joints are not seen.
    private func height(_ measurement: FormMeasurement, _ body: BodyMeasures) -> Double?? {
        switch measurement {
        case .hipDrop: .some(drop(of: .rightHip, above: .rightAnkle, body))
        case .shoulderDrop: .some(drop(of: .rightShoulder, above: .rightWrist, body))
        case .trunkRise: .some(rise(of: .rightShoulder, above: .rightHip, body))
        case .wristRise: .some(wristRise(body))
        case .hipTravel: .some(travel(.rightHip, body))
        case .footLift: .some(travel(.rightAnkle, body))
        case .bodyBend: .some(bodyBend(body))
        case .standingBend:
            .some(
                body.mean([.rightHip, .rightKnee, .rightAnkle], in: frames) { side in
                    let angles = frames.map { body.angle(side(.rightHip), side(.rightKnee), side(.rightAnkle), $0) }
                    return 180 - (angles.max() ?? 0)
                })
        case .kneeOverToes: .some(kneeOverToes(body))
        case .handHeight:
            .some(
                body.mean([.rightWrist, .nose], in: frames) { side in
                    frames.map { body.place(side(.rightWrist), $0).y - body.place(.nose, $0).y }.max() ?? 0
                }.map { $0 / Double(body.size) })
        case .asymmetry: .some(asymmetry(body))
        default: nil
        }
    }

    /// The share of its greatest height above a lower joint by which a joint comes down.
    private func drop(of upper: Joint, above lower: Joint, _ body: BodyMeasures) -> Double? {
        body.mean([upper, lower], in: frames) { side in
            let heights = frames.map { body.place(side(upper), $0).y - body.place(side(lower), $0).y }
            guard let most = heights.max(), let least = heights.min(), most > 0 else { return 0 }
            return 1 - max(0, least) / most
        }
    }

    private func rise(of upper: Joint, above lower: Joint, _ body: BodyMeasures) -> Double? {
        body.mean([upper, lower], in: frames) { side in
            spread(frames.map { body.place(side(upper), $0).y - body.place(side(lower), $0).y }) / body.trunk
        }
    }

    private func wristRise(_ body: BodyMeasures) -> Double? {
        body.mean([.rightShoulder, .rightElbow, .rightWrist], in: frames) { side in
            let heights = frames.map { body.place(side(.rightWrist), $0).y - body.place(side(.rightShoulder), $0).y }
            let arms = frames.map { frame in
                (body.place(side(.rightShoulder), frame) - body.place(side(.rightElbow), frame)).length
                    + (body.place(side(.rightElbow), frame) - body.place(side(.rightWrist), frame)).length
            }
            return spread(heights) / max(arms.max() ?? 1, 1e-6)
        }
    }

    private func travel(_ joint: Joint, _ body: BodyMeasures) -> Double? {
        body.mean([joint], in: frames) { side in spread(frames.map { body.place(side(joint), $0).y }) / body.size }
    }

    /// The 90 % quantile of the trunk's lean. A lean forward is foreshortened unless it is seen from the side.
    private func trunkLean(_ body: BodyMeasures) -> RepetitionMeasures.Reading? {
        guard body.sees([.neck, .rightHip, .leftHip], in: frames) else { return nil }
        let lean = Double(frames.map { body.lean($0) }.sorted()[frames.count * 9 / 10])
        let error = Self.uncertainty(.trunkLean)
        guard body.view == .turned, let yaw = body.yawDegrees, lean < 89 else { return .init(lean, uncertainty: error) }
        // What is not seen of the lean is not seen of its error either.
        let share = sin(Double(max(yaw, 30)) * .pi / 180)
        return .init(atan(tan(lean * .pi / 180) / share) * 180 / .pi, uncertainty: error / (share * share))
    }

    /// In real push-ups the median is 6° with a good body line, and 16° with a bad one.
    private func bodyBend(_ body: BodyMeasures) -> Double? {
        body.mean([.rightShoulder, .rightHip, .rightAnkle], in: frames) { side in
            let bends = frames.map {
                180 - body.angle(side(.rightShoulder), side(.rightHip), side(.rightAnkle), $0)
            }
            return bends.sorted()[bends.count * 3 / 4]
        }
    }

    private func asymmetry(_ body: BodyMeasures) -> Double? {
        let joints: [Joint] = [.rightShoulder, .rightElbow, .rightWrist, .rightKnee]
        let visible = joints.filter { body.sees([$0, $0.mirrored], in: frames) }
        guard visible.count > 1 else { return nil }
        let differences = frames.flatMap { frame in
            visible.map { abs(body.place($0, frame).y - body.place($0.mirrored, frame).y) }
        }
        return Double(differences.reduce(0, +)) / Double(differences.count) / Double(body.size)
    }

    /// How far the front knee is in front of the ankle at the lowest point, in shin lengths.
    private func kneeOverToes(_ body: BodyMeasures) -> Double? {
        let legs = body.sides([.rightHip, .rightKnee, .rightAnkle], in: frames)
        let overhangs = legs.map { side -> Float in
            let (hip, knee) = (body.place(side(.rightHip), extreme), body.place(side(.rightKnee), extreme))
            let ankle = body.place(side(.rightAnkle), extreme)
            // Forwards is from the hip to the knee. The rear leg's ankle trails its knee, so the smaller value counts.
            let forwards: Float = knee.x >= hip.x ? 1 : -1
            return (knee.x - ankle.x) * forwards / max((knee - ankle).length, 1e-6)
        }
        return overhangs.min().map { max(0, Double($0)) }
    }

    private func spread(_ values: [Float]) -> Float { (values.max() ?? 0) - (values.min() ?? 0) }
}
