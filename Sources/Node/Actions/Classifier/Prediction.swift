/// The classifier's result for one window of one person.
public struct Prediction: Sendable, Equatable {
    /// The person's track; `nil` when nobody is in view.
    public let track: Int?
    /// The start of the window, in seconds on the source's clock.
    public let start: Double
    /// The end of the window, in seconds on the source's clock.
    public let end: Double
    /// A label of the model, or one of ``PseudoLabel``.
    public let label: String
    /// Probability of the most likely model label, 0…1; 0 for windows that were not classified.
    public let confidence: Float
    /// The probabilities of the model's labels in their order, before any threshold; empty if not classified.
    public let probabilities: [Float]
    /// Share of the window's frames that contain a pose, 0…1.
    public let poseShare: Float
    /// The frames that this prediction credits: the window stride.
    public let frames: Int
    /// Why the label is `low_confidence`; `nil` for every other.
    public let rejection: RejectionReason?
    /// The label that is shown. ``LabelSmoother`` sets it; before, it is ``label``.
    public var shownLabel: String
    /// The confidence in ``shownLabel``, 0…1.
    public var shownConfidence: Float

    /// Creates a prediction from its parts. It shows its own label.
    public init(
        track: Int?, start: Double, end: Double, label: String, confidence: Float, probabilities: [Float],
        poseShare: Float, frames: Int, rejection: RejectionReason? = nil
    ) {
        self.track = track
        self.start = start
        self.end = end
        self.label = label
        self.confidence = confidence
        self.probabilities = probabilities
        self.poseShare = poseShare
        self.frames = frames
        self.rejection = rejection
        shownLabel = label
        shownConfidence = confidence
    }

    /// Whether the label is one of the model's. Only those are credited.
    public var isModelLabel: Bool { PseudoLabel(rawValue: label) == nil }
    /// Whether the label that is shown is one of the model's.
    public var showsModelLabel: Bool { PseudoLabel(rawValue: shownLabel) == nil }
}

/// Labels that say why there is no label of the model. They are shown, but not credited.
public enum PseudoLabel: String, Sendable, CaseIterable {
    /// The first window is not complete yet.
    case starting
    /// Too few of the window's frames contain a pose; by default fewer than 60 %.
    case noPerson = "no_person"
    /// The most likely label was rejected; see ``RejectionReason``.
    case lowConfidence = "low_confidence"
}

/// Why the most likely label of a window was rejected.
public enum RejectionReason: String, Sendable, Codable, CaseIterable {
    /// The window differs from everything the model was trained on, or shows an exercise with repetitions in which nothing
    /// moves.
    case unknownMotion = "unknown_motion"
    /// The confidence is too low.
    case unsure
    /// The joints are not seen well enough for a reliable label.
    case poorView = "poor_view"
}
