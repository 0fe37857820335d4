/// How a person stands while the arms work: width, lean and sway, constant for a clip.
struct Stance {
    private let physique: Physique
    private let width: Float
    private let stagger: Float
    private let knee: Float
    private let give: Float
    private let lean: Float
    private let look: Float
    private let sway: Wander
    private let isSeated: Bool
    private let seat: Float

    /// - Parameters:
    ///   - width: distance from the middle to each foot, in body heights.
    ///   - lean: forward, in degrees.
    ///   - seated: the share of people who sit instead.
    init(
        _ performer: inout Performer, width: ClosedRange<Float> = 0.04...0.14, lean: ClosedRange<Float> = -4...8,
        give: ClosedRange<Float> = 0...0.03, seated: Float = 0
    ) {
        physique = performer.physique
        self.width = physique.height * performer.uniform(width)
        stagger = performer.normal(0.04)
        knee = performer.uniform(0...0.4)
        self.give = physique.leg * performer.uniform(give)
        self.lean = performer.angle(lean)
        look = performer.angle(-8...18)
        sway = performer.wander(performer.uniform(0.004...0.02))
        isSeated = performer.chance(seated)
        seat = physique.height * performer.uniform(0.25...0.31)
    }

    func posture(at time: Float) -> Posture {
        var posture = Posture(standing: physique)
        for side in Side.both {
            posture.plant(side, x: width, z: side.sign * stagger + (isSeated ? 0.9 * physique.thigh : 0), knee: knee)
        }
        posture.pelvis = isSeated ? Point(0, seat, 0) : posture.pelvis + Point(sway(time), -give, 0)
        posture.lean(lean)
        posture.head.x = look
        return posture
    }
}
