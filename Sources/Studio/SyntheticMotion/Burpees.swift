import Foundation

/// From standing down onto the hands, into a plank and up again, with or without push-up and jump.
enum Burpees {
    static let kinds: [MotionKind] = [
        MotionKind("burpee", "burpee") { burpee(&$0) }
    ]

    /// The style of one person.
    private struct Style {
        let hasPushUp: Bool
        let isChestOnFloor: Bool
        let jump: Float
        let hasArmsUp: Bool
        /// How much later one foot moves than the other, as a share of a repetition.
        let stepLag: Float
        let plank: Posture.Plank
        let hands: Float
        let stance: Float
        let knee: Float
        let crouchHip: Float
        let sag: Float
        let armsUp: Float
        /// Some people turn to one side in the plank and raise that arm.
        let rotation: Float
        let isThrust: Bool

        init(_ performer: inout Performer) {
            let body = performer.physique
            isThrust = performer.chance(0.15)
            hasPushUp = !isThrust && performer.chance(0.5)
            isChestOnFloor = performer.chance(0.4)
            jump = isThrust || performer.chance(0.18) ? 0 : performer.uniform(0.04...0.3)
            hasArmsUp = !isThrust && performer.chance(jump > 0 ? 0.75 : 0.35)
            stepLag = performer.chance(0.22) ? performer.uniform(0.03...0.06) : 0
            var plank = Posture.Plank()
            plank.handWidth = performer.uniform(0.5...0.85)
            plank.footWidth = performer.uniform(0.4...1.3)
            self.plank = plank
            hands = body.height * performer.uniform(0.14...0.26)
            stance = body.height * performer.uniform(0.05...0.12)
            knee = performer.uniform(0.1...0.7)
            // Some people bend over with nearly straight legs instead of squatting.
            let isPiked = performer.chance(0.2)
            crouchHip =
                isPiked
                ? performer.uniform(0.4...0.5)
                : performer.chance(0.3) ? performer.uniform(0.3...0.42) : performer.uniform(0.2...0.3)
            rotation = performer.chance(0.12) ? performer.angle(50...85) : 0
            sag = performer.uniform(-0.08...0.06)
            armsUp = performer.angle(135...175)
        }
    }

    static func burpee(_ performer: inout Performer) -> PerformedMotion {
        let body = performer.physique, style = Style(&performer)
        let tempo = performer.tempo(
            performer.chance(0.3) || style.rotation > 0 ? 4...8 : style.isThrust ? 1.6...3.5 : 2...4.5, jitter: 0.08,
            resting: 0.2)
        let left = Keyframes(frames(style, body, &performer))
        let flight = performer.uniform(0.14...0.2)
        let sway = performer.wander(0.015)
        let leads = performer.side()
        return PerformedMotion(tempo) { moment in
            var posture = left.posture(at: moment.progress)
            if style.stepLag > 0 {
                let late = left.posture(at: moment.progress - style.stepLag)
                posture[foot: leads] = late[foot: leads]
            }
            posture.pelvis.x += sway(moment.time)
            if style.rotation > 0 { turn(&posture, by: style.rotation * arch((moment.progress - 0.3) / 0.24)) }
            let take = 0.93 - flight
            posture.rise(style.jump * arch((moment.progress - take) / flight))
            return posture
        }
    }

    private static func frames(
        _ style: Style, _ body: Physique, _ performer: inout Performer
    ) -> [(time: Float, posture: Posture)] {
        let stand = standing(style, body)
        let crouch = crouching(style, body)
        let (plank, low) = planks(style, body)
        var flying = crouch.mixed(with: plank, 0.5)
        for side in Side.both { flying[foot: side].end.y += performer.uniform(0.02...0.12) }
        let hold = performer.uniform(0...0.06), early = performer.uniform(-0.02...0.02)
        var frames: [(time: Float, posture: Posture)] = [(0, stand), (0.04, stand)]
        frames += [(0.17 + early, crouch), (0.235 + early, flying), (0.3 + early, plank)]
        frames += [(0.44 - hold, low), (0.44 + hold, low), (0.54 + early, plank)]
        frames += [(0.6 + early, flying), (0.665 + early, crouch)]
        if style.hasArmsUp {
            frames += [(0.77, ready(style, stand)), (0.83, raised(style, stand)), (0.88, raised(style, stand))]
        } else {
            frames += [(0.79, ready(style, stand))]
        }
        return frames + [(0.95, ready(style, stand)), (1, stand)]
    }

    /// Opens the plank to the left; the left arm points up.
    private static func turn(_ posture: inout Posture, by angle: Float) {
        guard angle > 0 else { return }
        posture.trunk.y += 0.4 * angle
        posture.spine.y += 0.6 * angle
        let up = posture.shoulder(.left) + Point(0, 0.95 * posture.physique.arm, 0)
        posture.leftHand.end = posture.leftHand.end.mixed(with: up, min(angle, 1))
    }

    private static func standing(_ style: Style, _ body: Physique) -> Posture {
        var posture = Posture(standing: body)
        posture.lean(0.05)
        for side in Side.both { posture.plant(side, x: style.stance, z: 0, knee: style.knee) }
        return posture
    }

    private static func crouching(_ style: Style, _ body: Physique) -> Posture {
        Posture(
            crouching: body, hip: style.crouchHip, hands: style.hands, handWidth: style.plank.handWidth,
            stance: style.stance, knee: style.knee)
    }

    /// Before the jump: knees slightly bent, arms drawn back.
    private static func ready(_ style: Style, _ stand: Posture) -> Posture {
        var posture = stand
        posture.pelvis.y -= 0.06 * stand.physique.height
        posture.pelvis.z -= 0.04 * stand.physique.height
        posture.lean(0.35, rounding: 0.1)
        for side in Side.both { posture.reach(side, abduction: 0.2, flexion: 0.2, bend: 0.4) }
        return posture
    }

    private static func raised(_ style: Style, _ stand: Posture) -> Posture {
        var posture = stand
        posture.lean(-0.03)
        for side in Side.both {
            posture.reach(side, abduction: style.armsUp, flexion: 0.2, bend: 0.3, twist: -1.2, .chest)
        }
        return posture
    }

    /// The plank and the lowest posture, shifted so that the hands stay where they are in the crouch.
    private static func planks(_ style: Style, _ body: Physique) -> (Posture, Posture) {
        let top = 0.94 * body.arm
        var plank = Posture(style.plank, body, shoulder: top, sag: style.sag)
        let shoulder = style.hasPushUp ? (style.isChestOnFloor ? 0.09 : 0.14) * body.height : top
        var low = Posture(style.plank, body, shoulder: shoulder, sag: style.hasPushUp ? 0.02 : style.sag)
        let shift = Point(0, 0, style.hands - plank.leftHand.end.z)
        plank.shift(shift)
        low.shift(shift)
        plank.head.x = -0.5
        low.head.x = -0.5
        return (plank, low)
    }
}
