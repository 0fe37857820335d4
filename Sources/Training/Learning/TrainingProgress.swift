/// How far training has come.
public struct TrainingProgress: Sendable, Equatable {
    /// The pass that is running or has just ended, counted from 1, of how many.
    public let epoch: Int
    public let epochs: Int
    /// Steps done, of how many, over all passes.
    public let step: Int
    public let steps: Int
    /// Mean loss of the pass so far.
    public let loss: Float
    /// Share of right answers on the (varied) training windows of the pass so far, 0…1.
    public let trainingAccuracy: Float
    /// On the validation clips, when a pass has ended and there are such; `nil` otherwise.
    public let validation: Validation?
    /// An estimate from the time so far.
    public let secondsLeft: Double

    public struct Validation: Sendable, Equatable, Codable {
        public let accuracy: Float
        public let macroRecall: Float
        public let logLoss: Float
        /// Whether these weights are the best so far, and kept.
        public let isBest: Bool
    }

    /// Whether a pass has ended; reports in between come every few steps.
    public let isEndOfEpoch: Bool
}
