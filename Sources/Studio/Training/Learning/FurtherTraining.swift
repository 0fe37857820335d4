import Actions
import Poses

/// Several trainings of one model, each a share of a longer work.
struct FurtherTraining {
    /// The model that each of them continues.
    let start: ModelFile
    /// Called with what is done and how much of the whole work is done, 0…1.
    let progress: (_ stage: String, _ share: Double) -> Void
    /// Ends a training without a result.
    let isCancelled: () -> Bool

    /// Trains once. No clip is held out.
    ///
    /// - Parameters:
    ///   - done: how much of the whole work was done before, 0…1.
    ///   - share: how much of it this training is.
    /// - Returns: `nil` when it was cancelled.
    func model(
        _ clips: [LabelledClip], _ parameters: TrainingParameters, _ stage: String, _ done: Double, _ share: Double
    ) throws(TrainingError) -> TrainedModel? {
        let model = try Trainer(parameters).train(
            clips: clips, validation: [], startingFrom: start,
            progress: { progress(stage, done + share * Double($0.epoch - 1) / Double($0.epochs)) },
            isCancelled: isCancelled)
        return model.wasCancelled ? nil : model
    }
}
