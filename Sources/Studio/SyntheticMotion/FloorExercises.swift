import Foundation

/// Exercises on the back, sitting or on all fours.
enum FloorExercises {
    static let kinds: [MotionKind] = [
        MotionKind("glute_bridge", "glute_bridge", .supine) { gluteBridge(&$0) },
        MotionKind("leg_raise", "leg_raise", .supine) { legRaise(&$0) },
        MotionKind("bicycle_crunch", "bicycle_crunch", .supine) { bicycle(&$0) },
        MotionKind("russian_twist", "russian_twist", .supine) { russianTwist(&$0) },
        MotionKind("bird_dog", "bird_dog", .prone) { birdDog(&$0) },
        MotionKind("superman", "superman", .prone) { superman(&$0) },
    ]

    static func gluteBridge(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let tempo = performer.tempo(1.1...3.4), stroke = performer.stroke()
        let lift = body.height * performer.uniform(0.1...0.2), feet = performer.uniform(0.42...0.62)
        let isOneLegged = performer.chance(0.2), width = body.hipWidth * performer.uniform(0.4...1.1)
        let arms = performer.uniform(0.15...0.6)
        return PerformedMotion(tempo) { moment in
            let effort = stroke(moment.progress)
            var posture = Posture(supine: body, pitch: 0, feet: feet, width: width)
            posture.pelvis.y += lift * effort
            posture.lean(-.pi / 2 - asin(min(0.9, lift * effort / body.trunk)))
            if isOneLegged {
                posture.leftFoot.end = posture.pelvis + Point(width, 0.4 * body.leg, 0.85 * body.leg)
            }
            for side in Side.both {
                posture.touch(side, Point(side.sign * arms, 0.03, -0.35 * body.trunk), elbow: Point(1, -0.1, 0))
            }
            return posture
        }
    }

    /// Straight legs up and down, together or alternating. Some people raise the trunk to meet them.
    static func legRaise(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let isFlutter = performer.chance(0.3), isFolded = !isFlutter && performer.chance(0.25)
        let tempo = performer.tempo(isFlutter ? 0.28...0.9 : 1.3...3.4), stroke = performer.stroke()
        let top = isFlutter ? performer.angle(15...40) : performer.angle(50...95), low = performer.angle(3...15)
        let reach = performer.uniform(0.8...0.99), rise = performer.angle(35...65)
        return PerformedMotion(tempo, from: isFlutter ? .left : nil, alternating: isFlutter) { moment in
            let effort = stroke(moment.progress)
            var posture = Posture(
                supine: body, pitch: -.pi / 2 + (isFolded ? rise * effort : 0), feet: 0.9, width: 0.06)
            for side in Side.both {
                // The legs pass each other between two kicks.
                let share = isFlutter ? 0.5 + side.sign * 0.5 * arch(moment.progress) : effort
                let angle = low + share * (top - low)
                let way = Point(side.sign * 0.07, sin(angle), cos(angle)) * (reach * body.leg)
                posture[foot: side] = Posture.Limb(end: posture.pelvis + way, bend: Point(0, 1, 0.1))
                if isFolded {
                    posture.reach(side, abduction: 0.1, flexion: Float(165).degrees - effort * 1.2, bend: 0.1, .chest)
                } else {
                    posture.touch(side, Point(side.sign * 0.2, 0.03, -0.1), elbow: Point(1, 0, 0))
                }
            }
            return posture
        }
    }

    /// Elbow to the opposite knee, alternating.
    static func bicycle(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let tempo = performer.tempo(0.5...1.5, jitter: 0.06, resting: 0.05)
        let pitch = -performer.angle(50...75), twist = performer.angle(15...45), low = performer.uniform(0.05...0.3)
        return PerformedMotion(tempo, from: .left, alternating: true) { moment in
            let effort = arch(moment.progress)
            var posture = Posture(supine: body, pitch: pitch, rounding: 0.5, feet: 0.6, width: 0.06)
            posture.spine.y = twist * effort
            posture.head.x = 0.3
            let near = Point(0.06, 0.36 * body.leg, 0.45 * body.leg)
            let far = Point(0.06, low * body.leg + 0.08, 0.88 * body.leg)
            posture.leftFoot.end = near.mixed(with: far, effort)
            posture.rightFoot.end = near.mirrored
            for side in Side.both {
                posture.hold(side, at: Point(0.17, 0.32, 0.02), elbow: Point(1, 0.2, 0.3))
            }
            return posture
        }
    }

    /// Sitting and leaning back, a weight or the hands move from side to side.
    static func russianTwist(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let tempo = performer.tempo(0.6...1.6, jitter: 0.06, resting: 0.05)
        let pitch = -performer.angle(22...50), twist = performer.angle(25...65)
        let feet = performer.chance(0.5) ? performer.uniform(0.1...0.3) * body.leg : 0
        let reach = performer.uniform(0.3...0.5), low = performer.uniform(-0.55 ... -0.3)
        return PerformedMotion(tempo, from: .left, alternating: true) { moment in
            let turn = arch(moment.progress)
            var posture = Posture(supine: body, pitch: pitch, rounding: 0.4, feet: 0.62, width: 0.05)
            posture.spine.y = twist * turn
            posture.leftFoot.end.y += feet
            posture.rightFoot.end.y += feet
            for side in Side.both {
                let shift = side.sign * (0.3 * turn)
                posture.hold(side, at: Point(0.05 + shift, low, reach), elbow: Point(0.8, -0.6, 0))
            }
            return posture
        }
    }

    /// On all fours, an arm and the opposite leg are stretched, or a leg kicks up.
    static func birdDog(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let tempo = performer.tempo(1.4...4), stroke = performer.stroke()
        let hasArm = performer.chance(0.65), isBent = !hasArm && performer.chance(0.5)
        let height = performer.uniform(0.85...1.15), look = performer.angle(-30...20)
        return PerformedMotion(tempo, from: performer.side(), alternating: performer.chance(0.7)) { moment in
            let effort = stroke(moment.progress)
            var posture = allFours(body)
            posture.head.x = look
            let stretched = posture.shoulder(.left) + Point(0, 0.02, 0.97 * body.arm)
            if hasArm { posture.leftHand.end = posture.leftHand.end.mixed(with: stretched, effort) }
            let leg =
                isBent
                ? posture.pelvis + Point(-0.06, 0.95 * body.shin * height, -0.75 * body.thigh)
                : Point(-0.06, posture.pelvis.y * height, -0.97 * body.leg)
            posture.rightFoot.end = posture.rightFoot.end.mixed(with: leg, effort)
            return posture
        }
    }

    /// On all fours: hands under the shoulders, knees under the hips.
    static func allFours(_ body: Physique) -> Posture {
        var posture = Posture(standing: body)
        posture.pelvis = Point(0, 0.98 * body.thigh + 0.03, 0)
        posture.lean(Float(87).degrees)
        for side in Side.both {
            posture[foot: side] = Posture.Limb(
                end: Point(side.sign * 0.09, 0.06, -0.97 * body.shin), bend: Point(0, -1, 0.4))
            let shoulder = posture.shoulder(side)
            posture.touch(side, Point(shoulder.x, 0.03, shoulder.z + 0.02), elbow: Point(0.5, 0, -1))
        }
        return posture
    }

    /// Face down, arms and legs lifted off the floor.
    static func superman(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let tempo = performer.tempo(1.4...3.6), stroke = performer.stroke()
        let lift = performer.angle(8...25), isForward = performer.chance(0.7)
        return PerformedMotion(tempo) { moment in
            let effort = stroke(moment.progress)
            var posture = Posture(standing: body)
            posture.pelvis = Point(0, 0.055 * body.height, 0)
            posture.lean(.pi / 2 - lift * effort, rounding: -0.6 * lift * effort)
            for side in Side.both {
                posture.reach(
                    side, abduction: 0.3, flexion: isForward ? .pi - 0.15 : 0.05 - 0.3 * effort, bend: 0.15, .chest)
                let rise = sin(0.6 * lift * effort) * body.leg
                posture[foot: side] = Posture.Limb(
                    end: Point(side.sign * 0.1, 0.06 + rise, -0.97 * body.leg), bend: Point(0, -1, 0))
            }
            return posture
        }
    }
}
