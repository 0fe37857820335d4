/// How the arms are held while the legs work.
struct Carriage {
    enum Style: CaseIterable {
        /// Raised forward on the way down.
        case raised
        /// Stretched forward throughout.
        case forward
        case hanging, dumbbells, hips, behindHead, crossed, clasped, goblet, bar, frontRack, overhead
    }

    let style: Style
    /// Small differences between people and between the arms of a person.
    private let spread: Float
    private let leftShift: Point
    private let rightShift: Point
    private let bend: Float
    private let reach: Float

    init(_ style: Style, _ performer: inout Performer) {
        self.style = style
        spread = performer.normal(1)
        leftShift = Point(performer.normal(0.04), performer.normal(0.04), performer.normal(0.04))
        rightShift = Point(performer.normal(0.04), performer.normal(0.04), performer.normal(0.04))
        bend = performer.angle(5...35)
        reach = performer.angle(70...105)
    }

    init(_ performer: inout Performer, among styles: [Style]) {
        self.init(performer.pick(styles), &performer)
    }

    /// - Parameter effort: from 0 upright to 1 at the deepest point.
    func apply(to posture: inout Posture, effort: Float = 0) {
        for side in Side.both {
            let shift = side == .left ? leftShift : rightShift
            if let spot = spot(in: posture) {
                posture.hold(side, at: spot.0 + shift, elbow: spot.1)
            } else {
                swing(side, &posture, effort, shift: shift)
            }
        }
    }

    private func swing(_ side: Side, _ posture: inout Posture, _ effort: Float, shift: Point) {
        let open = Float(9 + 3 * spread).degrees + shift.x
        switch style {
        case .raised:
            let lift = Float(8).degrees + effort * reach
            posture.reach(side, abduction: open, flexion: lift + shift.y, bend: bend * (1 - 0.5 * effort))
        case .forward:
            posture.reach(side, abduction: 0.5 * open, flexion: 0.95 * reach + shift.y, bend: 0.6 * bend)
        case .overhead:
            posture.reach(
                side, abduction: Float(165).degrees + shift.x, flexion: 0.1 + shift.y, bend: 0.6 * bend, twist: -1.2,
                .chest)
        case .dumbbells:
            posture.reach(side, abduction: open, flexion: 0.05 + shift.y, bend: 0.3 * bend)
        default:
            posture.reach(side, abduction: open, flexion: 0.1 + shift.y + 0.15 * effort, bend: bend)
        }
    }

    /// Position of the left hand relative to the chest and direction of its elbow; `nil` for arms that swing freely.
    private func spot(in posture: Posture) -> (Point, Point)? {
        let half = 0.5 * posture.physique.shoulderWidth / posture.physique.trunk
        let wide = 0.06 * spread
        switch style {
        case .hips: return (Point(half + 0.12, -0.85, 0.08), Point(1, 0, -0.5))
        case .behindHead: return (Point(0.16, 0.3, -0.05), Point(1, 0.3, -0.2 + wide))
        case .crossed: return (Point(-0.15, -0.12, 0.22), Point(0.6, -0.8, 0.4))
        case .clasped: return (Point(0.05, -0.15 + wide, 0.35), Point(0.9, -0.6, 0))
        case .goblet: return (Point(0.1, -0.2, 0.3), Point(0.5, -1, 0))
        case .bar: return (Point(half + 0.2 + wide, 0.02, -0.1), Point(0.3, -1, -0.6))
        case .frontRack: return (Point(half, 0.03, 0.15), Point(0.3, -0.4, 1))
        default: return nil
        }
    }
}
