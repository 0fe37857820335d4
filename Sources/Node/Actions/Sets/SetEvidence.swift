/// What the windows of a set say of its exercise: the mean of their own probabilities, of which older ones weigh less.
///
/// Windows count from the first that points to the exercise to the last one. Those of a pause count once the exercise
/// goes on. Windows that were not classified tell nothing.
struct SetEvidence {
    /// What a window weighs once the next one has come: a third after eleven seconds. A beginning that was hard to see must
    /// not refuse a set that is sure by now.
    private static let fading: Float = 0.97

    private var all: Mean = (0, 0)
    /// The mean up to the last window that points to the exercise.
    private var pointed: Mean = (0, 0)
    private typealias Mean = (sum: Float, weight: Float)

    /// Adds the exercise's probability in the next window that was classified.
    ///
    /// - Parameter points: whether the window points to the exercise.
    mutating func add(_ probability: Float, points: Bool) {
        all = (Self.fading * all.sum + probability, Self.fading * all.weight + 1)
        if points { pointed = all }
    }

    /// The mean probability of the exercise, 0…1; 0 without a window.
    var meanProbability: Float { pointed.weight == 0 ? 0 : pointed.sum / pointed.weight }
}
