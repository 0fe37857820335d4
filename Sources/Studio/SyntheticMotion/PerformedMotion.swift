/// The movement of a performer as a function of time.
struct PerformedMotion {
    /// The repetitions, if there are any.
    let tempo: Tempo?
    /// The side that works in a repetition, counted from 0; `nil` where both do.
    let side: (Int) -> Side?
    /// The posture at a moment. Without a tempo only the moment's time matters.
    let posture: (Moment) -> Posture

    init(
        _ tempo: Tempo? = nil, side: @escaping (Int) -> Side? = { _ in nil }, posture: @escaping (Moment) -> Posture
    ) {
        self.tempo = tempo
        self.side = side
        self.posture = posture
    }

    /// `posture` is written for the left side. It is mirrored in every other repetition if `alternating`, otherwise in
    /// all or none.
    ///
    /// - Parameters:
    ///   - side: the side of the first repetition; `nil` where both sides work, and nothing is mirrored.
    ///   - working: the side that works in `posture` as it is written.
    init(
        _ tempo: Tempo, from side: Side?, alternating: Bool, working: Side = .left,
        posture: @escaping (Moment) -> Posture
    ) {
        guard let side else {
            self.init(tempo, posture: posture)
            return
        }
        let isLeft = { (repetition: Int) in (alternating && repetition % 2 == 1) != (side == .left) }
        self.init(tempo, side: { isLeft($0) ? working : working.other }) { moment in
            isLeft(moment.repetition) ? posture(moment) : posture(moment).mirrored
        }
    }

    func posture(at time: Float) -> Posture {
        posture(tempo?.moment(at: time) ?? Moment(time: time, repetition: 0, progress: 0))
    }
}
