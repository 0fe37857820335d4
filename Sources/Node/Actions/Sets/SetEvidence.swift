/// What the windows of a set say of its exercise: the mean of their own probabilities, of which older ones weigh less.
///
/// Windows count from the first that points to the exercise to the last one. Those of a pause count once the exercise
/// goes on. Windows that were not classified tell nothing.
struct SetEvidence {
    /// See ``RecognitionRules/Sets/fading``.
    private let fading: Float

    private var all: Mean = (0, 0)
    /// The mean up to the last window that points to the exercise.
    private var pointed: Mean = (0, 0)
    private typealias Mean = (sum: Float, weight: Float)

    init(fading: Float) { self.fading = fading }

    /// Adds the exercise's probability in the next window that was classified.
    ///
    /// - Parameter points: whether the window points to the exercise.
    mutating func add(_ probability: Float, points: Bool) {
        all = (fading * all.sum + probability, fading * all.weight + 1)
        if points { pointed = all }
    }

    /// The mean probability of the exercise, 0…1; 0 without a window.
    var meanProbability: Float { pointed.weight == 0 ? 0 : pointed.sum / pointed.weight }
}
