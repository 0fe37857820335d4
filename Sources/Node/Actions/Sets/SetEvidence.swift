/// What the windows of a set say of its exercise: the mean of their own probabilities, of which older ones weigh less.
///
/// Windows count from the first that points to the exercise to the last one. Those of a pause count once the exercise
/// goes on.
struct SetEvidence {
    /// What a window weighs once the next one has come: a third after eleven seconds. A beginning that was hard to see must
    /// not refuse a set that is sure by now.
    private static let fading: Float = 0.97

    private var sum: Float = 0
    private var weight: Float = 0
    private var waiting: [Float] = []

    /// Adds the exercise's probability in the next window.
    ///
    /// - Parameter points: whether the window points to the exercise.
    mutating func add(_ probability: Float, points: Bool) {
        waiting.append(probability)
        guard points else { return }
        for one in waiting { (sum, weight) = (Self.fading * sum + one, Self.fading * weight + 1) }
        waiting = []
    }

    /// The mean probability of the exercise, 0…1; 0 without a window.
    var meanProbability: Float { weight == 0 ? 0 : sum / weight }
}
