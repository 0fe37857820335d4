import Foundation

/// From lying on the back towards sitting.
enum SitUps {
    static let kinds: [MotionKind] = [
        MotionKind("sit_up", "sit_up", .supine) { sitUp(&$0) }
    ]

    private enum Hands: CaseIterable {
        case head, chest, along, overhead, forward
    }

    /// Crunches and full sit-ups, with bent, straight or folded-out legs, some with a twist at the top.
    static func sitUp(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let tempo = performer.tempo(performer.slowly(1.2...3.4, upTo: 7))
        let stroke = performer.stroke()
        let isCrunch = performer.chance(0.5), isButterfly = !isCrunch && performer.chance(0.15)
        let isStraight = !isCrunch && !isButterfly && performer.chance(0.12)
        let flat = -performer.angle(80...90), top = performer.angle(isCrunch ? -72 ... -40 : -28...18)
        let rounding = performer.angle(isCrunch ? 25...45 : 15...45)
        let feet = isStraight ? 0.96 : isButterfly ? performer.uniform(0.4...0.55) : performer.uniform(0.48...0.78)
        let width = isButterfly ? 0.03 : body.hipWidth * performer.uniform(0.4...1.3)
        let knee = isButterfly ? 2.5 : performer.uniform(0...0.3)
        let raised = isCrunch && performer.chance(0.3) ? performer.uniform(0.3...0.55) * body.leg : 0
        let hands = performer.pick(isButterfly ? [.overhead, .forward] : Hands.allCases)
        let twist = performer.chance(0.12) ? performer.angle(20...45) : 0
        let look = performer.angle(0...35), slide = performer.wander(0.006)
        return PerformedMotion(tempo) { moment in
            let effort = stroke(moment.progress)
            let pitch = flat + effort * (top - flat)
            // The spine rolls up first and straightens out when sitting.
            let roll = isCrunch ? effort : 0.3 * effort + 0.7 * arch(effort)
            var posture = Posture(
                supine: body, pitch: pitch, rounding: rounding * roll, feet: feet, width: width, knee: knee)
            posture.pelvis.z += slide(moment.time)
            posture.spine.y = twist * effort * (moment.repetition % 2 == 0 ? 1 : -1)
            posture.head.x = look * (0.4 + 0.6 * arch(effort))
            posture.leftFoot.end.y += raised
            posture.rightFoot.end.y += raised
            for side in Side.both { place(hands, side, effort, &posture) }
            return posture
        }
    }

    private static func place(_ hands: Hands, _ side: Side, _ effort: Float, _ posture: inout Posture) {
        let body = posture.physique
        switch hands {
        case .head: posture.hold(side, at: Point(0.17, 0.33, 0.02), elbow: Point(1, 0.2, 0.2))
        case .chest: posture.hold(side, at: Point(-0.12, -0.12, 0.24), elbow: Point(0.7, -0.8, 0.3))
        case .along:
            posture.reach(
                side, abduction: 0.2, flexion: Float(20).degrees + effort * Float(45).degrees, bend: 0.15, .chest)
        case .overhead:
            posture.reach(
                side, abduction: 0.15, flexion: Float(165).degrees - effort * Float(95).degrees, bend: 0.2, .chest)
        case .forward:
            let shoulder = posture.shoulder(side)
            let goal = Point(shoulder.x * 0.7, 0.28 * body.height, 0.75 * body.leg)
            let way = (goal - shoulder).unit()
            posture.touch(side, shoulder + way * (body.arm * 0.97), elbow: Point(0.6, -0.8, 0))
        }
    }
}
