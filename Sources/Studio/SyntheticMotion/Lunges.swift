import Foundation

/// One foot far in front of the other, both knees bend. Written for the left foot in front and mirrored for the right.
enum Lunges {
    static let kinds: [MotionKind] = [
        MotionKind("lunge", "lunge") { lunge(&$0) }
    ]

    /// What all lunges share: the length of the step and the depth.
    private struct Form {
        let step: Float
        let depth: Float
        let width: Float
        let knee: Float
        let lean: Float
        let forwardShare: Float
        let heel: Float
        let look: Float
        let carriage: Carriage

        init(_ performer: inout Performer) {
            let body = performer.physique
            step = body.height * performer.uniform(0.36...0.64)
            depth = performer.chance(0.12) ? performer.uniform(0.4...0.7) : performer.uniform(0.7...1.05)
            width = body.height * performer.uniform(0.03...0.09)
            knee = performer.uniform(-0.05...0.2)
            lean = performer.chance(0.2) ? performer.angle(10...40) : performer.angle(-2...14)
            forwardShare = performer.uniform(0.4...0.58)
            heel = body.height * performer.uniform(0.05...0.09)
            look = performer.angle(-8...14)
            carriage = Carriage(
                &performer,
                among: [
                    .hips, .hips, .hips, .hanging, .hanging, .dumbbells, .dumbbells, .clasped, .goblet, .behindHead,
                    .bar, .raised, .frontRack, .crossed,
                ])
        }

        /// - Parameters:
        ///   - front: position of the left foot, in metres forward from the hips when standing.
        ///   - rear: the same for the right foot.
        ///   - effort: from 0 with straight legs to 1 with the rear knee just above the floor.
        func posture(_ body: Physique, front: Float, rear: Float, effort: Float, hip: Float? = nil) -> Posture {
            var posture = Posture(standing: body)
            let spread = abs(front - rear)
            let reach = max(0.98 * body.leg, spread / 2 + 0.02)
            let straight = (reach * reach - spread * spread / 4).squareRoot() + body.ankle
            let bottom = body.ankle + 0.06 * body.height + 0.8 * body.thigh
            posture.pelvis.y = min(straight, body.standingHip) + min(effort * depth, 1.1) * (bottom - straight)
            posture.pelvis.z = hip ?? (rear + forwardShare * (front - rear))
            posture.lean(0.03 + lean * effort, rounding: 0.2 * lean * effort)
            posture.head.x = look - 0.6 * lean * effort
            let raised = min(1, spread / step)
            posture.plant(.left, x: width, z: front, lift: front < rear ? heel * raised : 0, knee: knee)
            posture.plant(.right, x: width, z: rear, lift: front < rear ? 0 : heel * raised, knee: 0.5 * knee)
            // The knees of a lunge point down rather than forward when the thigh is upright.
            posture.leftFoot.bend.y = -0.2
            posture.rightFoot.bend.y = -0.2
            carriage.apply(to: &posture, effort: 0.7 * effort)
            return posture
        }
    }

    static func lunge(_ performer: inout Performer) -> PerformedMotion {
        switch performer.random.index(below: 20) {
        case 0..<6: step(&performer, isForward: true)
        case 6..<11: step(&performer, isForward: false)
        case 11..<14: split(&performer)
        case 14..<17: walking(&performer)
        case 17..<19: jumping(&performer)
        default: side(&performer)
        }
    }

    /// Out with one foot, down, up and back. Sometimes the foot crosses behind, sometimes the knee is lifted
    /// afterwards.
    private static func step(_ performer: inout Performer, isForward: Bool) -> PerformedMotion {
        let body = performer.physique, form = Form(&performer)
        let tempo = performer.tempo(performer.slowly(1.5...3.2, upTo: 7))
        let isCurtsy = !isForward && performer.chance(0.2), cross = body.height * performer.uniform(0.06...0.2)
        let drive = !isForward && performer.chance(0.2) ? performer.uniform(0.3...0.5) : 0
        let out = performer.uniform(0.22...0.32), down = out + performer.uniform(0.12...0.22)
        let up = performer.uniform(0.55...0.68), lift = body.height * performer.uniform(0.03...0.1)
        let isAlternating = performer.chance(0.7)
        // The leg in front works, which stays in place when the other steps back.
        return PerformedMotion(
            tempo, from: performer.side(), alternating: isAlternating, working: isForward ? .left : .right
        ) { moment in
            let progress = moment.progress
            let away = ease(progress, from: 0.02, to: out) - ease(progress, from: up, to: 0.92)
            let effort = ease(progress, from: 0.6 * out, to: down) - ease(progress, from: down + 0.04, to: up + 0.1)
            let arc = arch(progress / out) + arch((progress - up) / (0.92 - up))
            let way = form.step * away
            var posture: Posture
            if isForward {
                posture = form.posture(body, front: way, rear: 0, effort: effort)
                posture.leftFoot.end.y += lift * arc
            } else {
                // Mirrored, so that the moving foot is the left one here as well.
                posture = form.posture(body, front: 0, rear: -way, effort: effort).mirrored
                posture.leftFoot.end.y += lift * arc
                if isCurtsy { posture.leftFoot.end.x -= cross * away }
                let knee = drive * arch((progress - up) / (1 - up)) * body.leg
                posture.leftFoot.end += Point(0, knee, 0.6 * knee)
            }
            return posture
        }
    }

    /// The split squat: both feet stay in place.
    private static func split(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique, form = Form(&performer)
        let tempo = performer.tempo(performer.slowly(1.1...3.6, upTo: 7))
        let stroke = performer.stroke()
        // The Bulgarian split squat has the rear foot on a bench.
        let bench = performer.chance(0.12) ? performer.uniform(0.25...0.42) : 0
        return PerformedMotion(tempo, from: performer.side(), alternating: false) { moment in
            let effort = stroke(moment.progress)
            var posture = form.posture(body, front: form.step / 2, rear: -form.step / 2, effort: effort)
            posture.rightFoot.end.y += bench
            if bench > 0 { posture.pelvis.z += 0.12 * form.step }
            return posture
        }
    }

    /// Lunge after lunge across the floor. The rear foot comes forward to the other.
    private static func walking(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique, form = Form(&performer)
        let tempo = performer.tempo(1.4...3.2, resting: 0.05)
        let lift = body.height * performer.uniform(0.04...0.12)
        let out = performer.uniform(0.25...0.35)
        return PerformedMotion(tempo, from: performer.side(), alternating: true) { moment in
            let progress = moment.progress
            let front = form.step * ease(progress, from: 0, to: out)
            let rear = form.step * ease(progress, from: 0.62, to: 1)
            let effort = ease(progress, from: 0.5 * out, to: out + 0.18) - ease(progress, from: out + 0.22, to: 0.85)
            var posture = form.posture(body, front: front, rear: rear, effort: effort)
            posture.leftFoot.end.y += lift * arch(progress / out)
            posture.rightFoot.end.y += lift * arch((progress - 0.62) / 0.38)
            posture.place.z = (Float(moment.repetition) - Float(tempo.starts.count) / 2) * form.step
            return posture
        }
    }

    /// The feet swap places in the air.
    private static func jumping(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique, form = Form(&performer)
        let tempo = performer.tempo(0.8...1.8, jitter: 0.05, resting: 0.05)
        let height = performer.uniform(0.03...0.2), bottom = performer.uniform(0.25...0.4)
        return PerformedMotion(tempo, from: performer.side(), alternating: true) { moment in
            let progress = moment.progress, change = ease(progress, from: 0.6, to: 0.92)
            let down = 0.45 + 0.55 * ease(progress, from: 0, to: bottom)
            let effort = down - 0.9 * ease(progress, from: bottom, to: 0.62) + 0.35 * ease(progress, from: 0.85, to: 1)
            let foot = form.step * (0.5 - change)
            var posture = form.posture(body, front: foot, rear: -foot, effort: effort, hip: 0)
            posture.rise(height * arch((progress - 0.55) / 0.42))
            return posture
        }
    }
}
