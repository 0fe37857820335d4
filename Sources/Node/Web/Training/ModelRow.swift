import Actions

/// A model file as the page lists it: `GET /api/v1/models`.
struct ModelRow: Encodable {
    let name: String
    let labels, exercises: [String]
    /// The date in the file, which may be empty.
    let created: String
    let trainingClips: Int
    /// Whether the node recognises with it now.
    let inUse: Bool
    /// Whether it is the configuration's.
    let configured: Bool
    /// Whether it was trained on this node.
    let trainedHere: Bool
    /// Whether the verdict of its training lets it be used.
    let ready: Bool
    /// On the clips held out of its own training; `nil` without such clips.
    let evaluation: Evaluation?

    init(_ model: ModelDescription, inUse: Bool, configured: Bool, trainedHere: Bool) {
        name = model.name
        (labels, exercises) = (model.labels, model.countedLabels)
        (created, trainingClips) = (model.created, model.trainingClips)
        (self.inUse, self.configured, self.trainedHere) = (inUse, configured, trainedHere)
        ready = !model.name.hasSuffix(ModelDescription.notReady)
        evaluation = model.evaluation
    }

    enum CodingKeys: String, CodingKey {
        case name, labels, exercises, created, configured, ready, evaluation
        case trainingClips = "training_clips"
        case inUse = "in_use"
        case trainedHere = "trained_here"
    }
}
