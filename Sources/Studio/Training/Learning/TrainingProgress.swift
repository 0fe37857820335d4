/// Progress of a training.
public struct TrainingProgress: Sendable, Equatable {
    /// The pass that is running or has just ended, from 1.
    public let epoch: Int
    /// Number of passes.
    public let epochs: Int
    /// Steps done, over all passes.
    public let step: Int
    /// Number of steps, over all passes.
    public let steps: Int
    /// Mean loss of the pass so far.
    public let loss: Float
    /// Share of correct answers on the augmented training windows of the pass so far, 0…1.
    public let trainingAccuracy: Float
    /// Figures on the validation clips at the end of a pass; `nil` otherwise or without such clips.
    public let validation: Validation?
    /// Estimated remaining time, from the time so far.
    public let secondsLeft: Double

    /// Figures on the validation clips.
    public struct Validation: Sendable, Equatable, Codable {
        /// Share of correct answers, 0…1.
        public let accuracy: Float
        /// Mean recall over the labels, 0…1.
        public let macroRecall: Float
        /// Mean negative logarithm of the true label's probability.
        public let logLoss: Float
        /// Whether these weights are the best so far and were kept.
        public let isBest: Bool
    }

    /// Whether a pass has ended. Other reports come every few steps.
    public let isEndOfEpoch: Bool
}
