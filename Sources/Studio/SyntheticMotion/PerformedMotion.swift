/// The movement of a performer as a function of time.
struct PerformedMotion {
    /// The repetitions, if there are any.
    let tempo: Tempo?
    /// The posture at a moment. Without a tempo only the moment's time matters.
    let posture: (Moment) -> Posture

    init(_ tempo: Tempo? = nil, posture: @escaping (Moment) -> Posture) {
        self.tempo = tempo
        self.posture = posture
    }

    /// `posture` is written for the left side. It is mirrored in every other repetition if `alternating`, otherwise in
    /// all or none.
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
