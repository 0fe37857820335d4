/// How a performer moves: asked for every instant.
struct PerformedMotion {
    /// Its repetitions, if it has any.
    let tempo: Tempo?
    /// The posture at a moment; without a tempo only the moment's time counts.
    let posture: (Moment) -> Posture

    init(_ tempo: Tempo? = nil, posture: @escaping (Moment) -> Posture) {
        self.tempo = tempo
        self.posture = posture
    }

    /// Alternating sides: `posture` is written for the left and mirrored every other repetition, or always.
    init(_ tempo: Tempo, from side: Side, alternating: Bool, posture: @escaping (Moment) -> Posture) {
        self.init(tempo) { moment in
            let isLeft = (alternating && moment.repetition % 2 == 1) != (side == .left)
            return isLeft ? posture(moment) : posture(moment).mirrored
        }
    }

    func posture(at time: Float) -> Posture {
        posture(tempo?.moment(at: time) ?? Moment(time: time, repetition: 0, progress: 0))
    }
}
