import Poses

/// The frames of one repetition, and the deviations of the body in them. A deviation is in units of the allowed one: up
/// to 1 is right.
struct RepetitionSpan {
    let frames: ClosedRange<Int>
    /// The frame of the extreme.
    let extreme: Int

    init(_ repetition: Repetition, _ stretch: PoseStretch) {
        let last = stretch.frames - 1
        func frame(_ time: Double) -> Int { min(max(0, Int(((time - stretch.start) * stretch.rate).rounded())), last) }
        let start = frame(repetition.start)
        frames = start...max(start, frame(repetition.end))
        extreme = min(max(frame(repetition.extreme), frames.lowerBound), frames.upperBound)
    }

    /// The deviation of the range of motion; `nil` if it cannot be measured.
    func range(_ rules: FormRules?, _ body: BodyMeasures) -> Double? {
        guard let rules, let range = range(rules.range, body) else { return nil }
        return range >= rules.leastRange ? 0 : 1 + (rules.leastRange - range) / rules.rangeTolerance
    }

    private func range(_ range: FormRules.Range, _ body: BodyMeasures) -> Double? {
        switch range {
        case .hip: drop(of: .rightHip, above: .rightAnkle, body)
        case .shoulder: drop(of: .rightShoulder, above: .rightWrist, body)
        case .neck:
            body.mean([.rightShoulder, .rightHip], in: frames) { side in
                let heights = frames.map { body.place(side(.rightShoulder), $0).y - body.place(side(.rightHip), $0).y }
                return spread(heights) / body.size
            }
        case .wrist:
            body.mean([.rightShoulder, .rightElbow, .rightWrist], in: frames) { side in
                let heights = frames.map {
                    body.place(side(.rightWrist), $0).y - body.place(side(.rightShoulder), $0).y
                }
                let arms = frames.map { frame in
                    length(body.place(side(.rightShoulder), frame) - body.place(side(.rightElbow), frame))
                        + length(body.place(side(.rightElbow), frame) - body.place(side(.rightWrist), frame))
                }
                return spread(heights) / max(arms.max() ?? 1, 1e-6)
            }
        case .root:
            body.mean([.rightHip], in: frames) { side in
                spread(frames.map { body.place(side(.rightHip), $0).y }) / body.size
            }
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

    /// The mean difference in height of left and right, in body sizes; `nil` unless both sides are seen.
    func asymmetry(_ body: BodyMeasures) -> Double? {
        let joints: [Joint] = [.rightShoulder, .rightElbow, .rightWrist, .rightKnee]
        let visible = joints.filter { body.sees([$0, $0.mirrored], in: frames) }
        guard visible.count > 1 else { return nil }
        let differences = frames.flatMap { frame in
            visible.map { abs(body.place($0, frame).y - body.place($0.mirrored, frame).y) }
        }
        return Double(differences.reduce(0, +)) / Double(differences.count) / Double(body.size)
    }

    /// The deviations of the exercise's typical faults, as far as they can be seen.
    func faults(_ rules: FormRules?, _ body: BodyMeasures) -> [FormScore.Part: Double] {
        var deviations: [FormScore.Part: Double] = [:]
        for fault in rules?.faults ?? [] { deviations[fault] = deviation(fault, body) }
        return deviations
    }

    private func deviation(_ fault: FormScore.Part, _ body: BodyMeasures) -> Double? {
        switch fault {
        case .bodyLine:
            // In real push-ups the median bend is 6° with a good body line, and 16° with a bad one.
            body.mean([.rightShoulder, .rightHip, .rightAnkle], in: frames) { side in
                let bends = frames.map {
                    180 - body.angle(side(.rightShoulder), side(.rightHip), side(.rightAnkle), $0)
                }
                return bends.sorted()[bends.count * 3 / 4]
            }.map { $0 / 12 }
        case .upright:
            body.sees([.neck, .rightHip, .leftHip], in: frames)
                ? Double(frames.map { body.lean($0) }.sorted()[frames.count * 9 / 10]) / 50 : nil
        case .kneeOverToes: kneeOverToes(body)
        case .handsAboveHead:
            body.mean([.rightWrist, .nose], in: frames) { side in
                let above = frames.map { body.place(side(.rightWrist), $0).y - body.place(.nose, $0).y }.max() ?? 0
                return 1 - above / body.size / 0.3
            }.map { max(0, $0) }
        case .feetDown:
            body.mean([.rightAnkle], in: frames) { side in
                spread(frames.map { body.place(side(.rightAnkle), $0).y }) / body.size
            }.map { $0 / 0.25 }
        case .standingTall:
            body.mean([.rightHip, .rightKnee, .rightAnkle], in: frames) { side in
                180 - (frames.map { body.angle(side(.rightHip), side(.rightKnee), side(.rightAnkle), $0) }.max() ?? 0)
            }.map { $0 / 20 }
        default: nil
        }
    }

    /// The deviation of the front knee: how far it is in front of the ankle at the lowest point, in shin lengths. Seen
    /// from the front it is always small.
    private func kneeOverToes(_ body: BodyMeasures) -> Double? {
        let legs = body.sides([.rightHip, .rightKnee, .rightAnkle], in: frames)
        let overhangs = legs.map { side -> Float in
            let (hip, knee) = (body.place(side(.rightHip), extreme), body.place(side(.rightKnee), extreme))
            let ankle = body.place(side(.rightAnkle), extreme)
            // Forwards is from the hip to the knee. The rear leg's ankle trails its knee, so the smaller value counts.
            let forwards: Float = knee.x >= hip.x ? 1 : -1
            return (knee.x - ankle.x) * forwards / max(length(knee - ankle), 1e-6)
        }
        return overhangs.min().map { max(0, Double($0)) / 0.45 }
    }

    private func spread(_ values: [Float]) -> Float { (values.max() ?? 0) - (values.min() ?? 0) }

    private func length(_ vector: SIMD2<Float>) -> Float { (vector * vector).sum().squareRoot() }
}
