import Foundation

/// The hips go back and the trunk comes forward, mostly to lift weights from the floor.
enum HingeExercises {
    static let kinds: [MotionKind] = [
        MotionKind("deadlift", "deadlift", weight: 3) { deadlift(&$0) },
        MotionKind("good_morning", "other") { goodMorning(&$0) },
        MotionKind("kettlebell_swing", "kettlebell_swing") { kettlebellSwing(&$0) },
        MotionKind("clean", "clean", weight: 2) { clean(&$0) },
    ]

    /// How a person bends over: hips back, knees slightly bent.
    private struct Hinge {
        let lean: Float
        let thigh: Float
        let shin: Float
        let rounding: Float
        let stance: Stance

        init(_ performer: inout Performer, lean: ClosedRange<Float>, thigh: ClosedRange<Float>) {
            self.lean = performer.angle(lean)
            self.thigh = performer.angle(thigh)
            shin = self.thigh * performer.uniform(0.1...0.45)
            rounding = performer.angle(-5...25)
            stance = Stance(&performer, width: 0.05...0.16)
        }

        func posture(at time: Float, _ effort: Float) -> Posture {
            var posture = stance.posture(at: time)
            let body = posture.physique
            let (thigh, shin) = (0.05 + effort * thigh, 0.02 + effort * shin)
            posture.pelvis.y = body.ankle + body.shin * cos(shin) + body.thigh * cos(thigh)
            // The further the lean, the further back the hips, to keep the balance.
            posture.pelvis.z = body.shin * sin(shin) - body.thigh * sin(thigh) - 0.12 * body.trunk * effort * sin(lean)
            posture.lean(0.03 + effort * lean, rounding: effort * rounding)
            posture.head.x = -0.5 * effort * lean
            return posture
        }
    }

    static func deadlift(_ performer: inout Performer) -> PerformedMotion {
        // From stiff legs to a low start, which bends the knees like a squat. The hands show the difference.
        let thighs: [ClosedRange<Float>] = [12...30, 35...62, 35...62, 58...90]
        let hinge = Hinge(&performer, lean: 45...85, thigh: performer.pick(thighs))
        let tempo = performer.tempo(performer.slowly(1.6...4.5, upTo: 8), resting: 0.3), stroke = performer.stroke()
        let grip = performer.uniform(0.03...0.2)
        return PerformedMotion(tempo) { moment in
            let effort = stroke(moment.progress)
            var posture = hinge.posture(at: moment.time, effort)
            for side in Side.both { posture.reach(side, abduction: grip, flexion: 0.05 - 0.1 * effort, bend: 0.04) }
            return posture
        }
    }

    /// A bow with or without a bar: hands on the hips, behind the head or at the bar.
    static func goodMorning(_ performer: inout Performer) -> PerformedMotion {
        let hinge = Hinge(&performer, lean: 45...95, thigh: performer.chance(0.35) ? 25...60 : 4...25)
        let carriage = Carriage(&performer, among: [.bar, .behindHead, .hips, .crossed, .hanging])
        let tempo = performer.tempo(1.6...4.5), stroke = performer.stroke()
        return PerformedMotion(tempo) { moment in
            var posture = hinge.posture(at: moment.time, stroke(moment.progress))
            carriage.apply(to: &posture)
            return posture
        }
    }

    static func kettlebellSwing(_ performer: inout Performer) -> PerformedMotion {
        let hinge = Hinge(&performer, lean: 45...80, thigh: 15...45)
        let tempo = performer.tempo(1.1...2.2, jitter: 0.05)
        let top = performer.angle(60...110) + (performer.chance(0.15) ? 1.1 : 0), back = performer.angle(5...35)
        let isOneArmed = performer.chance(0.2), armLag = performer.uniform(0...0.06)
        return PerformedMotion(tempo) { moment in
            let effort = 0.5 + 0.5 * cos(2 * .pi * moment.progress)
            let swing = 0.5 + 0.5 * cos(2 * .pi * (moment.progress - armLag))
            var posture = hinge.posture(at: moment.time, pow(effort, 1.4))
            for side in Side.both {
                let isFree = isOneArmed && side == .left
                let angle = isFree ? 0.3 * (1 - swing) : top * (1 - swing) - back * swing
                posture.reach(side, abduction: isFree ? 0.4 : 0.04, flexion: angle, bend: 0.12)
                if !isFree { posture[hand: side].end.x *= 0.35 }
            }
            return posture
        }
    }

    /// The bar from the floor to the shoulders, for some people on to overhead. It is caught in a squat.
    static func clean(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique
        let hinge = Hinge(&performer, lean: 50...75, thigh: 40...62)
        let catching = Squats.Depth(&performer, thigh: 25...105)
        let tempo = performer.tempo(2.8...6, resting: 0.4)
        let isSnatch = performer.chance(0.3), isJerk = !isSnatch && performer.chance(0.5)
        let grip: Float = isSnatch ? 0.45 : 0.12
        let rack = Carriage(isSnatch ? .overhead : .frontRack, &performer), top = Carriage(.overhead, &performer)
        let floor = performer.uniform(0.08...0.18)
        func hanging(_ effort: Float) -> Posture {
            var posture = hinge.posture(at: 0, effort)
            for side in Side.both { posture.reach(side, abduction: grip, flexion: 0.02, bend: 0.05) }
            return posture
        }
        func held(_ carriage: Carriage, squat: Float) -> Posture {
            var posture = hinge.stance.posture(at: 0)
            catching.apply(squat, to: &posture, upright: 0.6)
            carriage.apply(to: &posture)
            return posture
        }
        // A split jerk is caught with one foot in front and one behind.
        let step = isJerk && performer.chance(0.25) ? body.height * performer.uniform(0.12...0.24) : 0
        let sink = step * performer.uniform(0.25...0.5), front = performer.side()
        var split = held(top, squat: 0)
        split.pelvis.y -= sink
        for side in Side.both {
            split[foot: side].end.z += side == front ? step : -step
            if side != front { split[foot: side].end.y += 0.08 * step / 0.2 }
            split[hand: side].end.y -= sink
        }
        var pulled = hanging(0)
        for side in Side.both { pulled.hold(side, at: Point(0.3, -0.2, 0.25), elbow: Point(1, 0.4, 0)) }
        pulled.rise(0.05)
        let last = isJerk ? held(top, squat: 0) : held(rack, squat: 0)
        let way = Keyframes([
            (0, hanging(1)), (floor, hanging(1)), (floor + 0.14, hanging(0.3)), (floor + 0.2, pulled),
            (floor + 0.27, held(rack, squat: 1)), (floor + 0.32, held(rack, squat: 1)),
            (floor + 0.45, held(rack, squat: 0)),
            (floor + 0.5, held(rack, squat: isJerk ? 0.25 : 0)), (floor + 0.56, step > 0 ? split : last),
            (floor + 0.6, step > 0 ? split : last),
            (floor + 0.66, last),
            (0.92, hanging(0.25)), (1, hanging(1)),
        ])
        return PerformedMotion(tempo) { way.posture(at: $0.progress) }
    }
}
