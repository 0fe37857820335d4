import Poses

/// The clips of a training: checked, at the model's rate, and split into training and validation.
struct TrainingMaterial: Sendable {
    /// Sorted, so that the model does not depend on the order of the clips.
    let labels: [String]
    let training: [LabelledClip]
    let validation: [LabelledClip]
    let rejected: [RejectedClip]
    let digest: String

    init(
        clips: [LabelledClip], validation given: [LabelledClip]?, parameters: TrainingParameters
    ) throws(TrainingError) {
        func prepared(_ clips: [LabelledClip]) -> Dataset {
            Dataset(clips: clips).prepared(rate: parameters.framesPerSecond, windowFrames: parameters.windowFrames)
        }
        let usable = prepared(clips.sorted { ($0.name, $0.label) < ($1.name, $1.label) })
        let labels = Set(usable.clips.map(\.label)).sorted()
        for label in labels { try Dataset.check(label: label) }
        // If a whole label is lost, the user would assume that the model knows it.
        if let lost = Set(clips.map(\.label)).subtracting(labels).sorted().first {
            let names = Set(clips.filter { $0.label == lost }.map(\.name))
            throw .labelLost(label: lost, clips: usable.rejected.filter { names.contains($0.name) })
        }
        guard labels.count >= 2 else { throw .tooFewLabels(found: labels, rejected: usable.rejected) }
        if let given {
            let held = prepared(given)
            if let stranger = held.clips.first(where: { !labels.contains($0.label) }) {
                throw .unknownValidationLabel(label: stranger.label, known: labels)
            }
            (training, validation) = (usable.clips, held.clips)
            rejected = usable.rejected + held.rejected
        } else {
            (training, validation) = Dataset.split(
                usable.clips, validationShare: parameters.validationShare, seed: parameters.seed)
            rejected = usable.rejected
        }
        self.labels = labels
        digest = Dataset.digest(of: training)
    }
}
