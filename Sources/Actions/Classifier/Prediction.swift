/// What the classifier says about one window of one person.
public struct Prediction: Sendable, Equatable {
    /// The track the window belongs to; `nil` when nobody is in view.
    public let track: Int?
    /// The window's first and last moment, seconds on the source's clock.
    public let start: Double
    public let end: Double
    /// A label of the model, or one of ``PseudoLabel``.
    public let label: String
    /// Probability of the most likely model label, 0…1; 0 for windows that were not classified.
    public let confidence: Float
    /// The classifier's own probabilities, in the order of the model's labels, before any threshold; empty if not classified.
    public let probabilities: [Float]
    /// Share of the window's frames that hold a real pose, 0…1.
    public let poseShare: Float
    /// Frames this prediction is worth: the window stride.
    public let frames: Int
    /// Why the label is `low_confidence`; `nil` for every other.
    public let doubt: RejectionReason?

    public init(
        track: Int?, start: Double, end: Double, label: String, confidence: Float, probabilities: [Float],
        poseShare: Float, frames: Int, doubt: RejectionReason? = nil
    ) {
        self.track = track
        self.start = start
        self.end = end
        self.label = label
        self.confidence = confidence
        self.probabilities = probabilities
        self.poseShare = poseShare
        self.frames = frames
        self.doubt = doubt
    }

    /// Whether the label is one of the model's own; only those are counted.
    public var isModelLabel: Bool { PseudoLabel(rawValue: label) == nil }
}

/// Labels that say why there is no answer. They are shown, and never counted.
public enum PseudoLabel: String, Sendable, CaseIterable {
    /// Before the first window is full.
    case starting
    /// Fewer than 60 % of the window's frames hold a pose.
    case noPerson = "no_person"
    /// The most likely label is not likely enough.
    case lowConfidence = "low_confidence"
}

/// Why a window's most likely label is not believed.
public enum RejectionReason: String, Sendable, Codable, CaseIterable {
    /// It is unlike anything the model was trained on.
    case unknownMotion = "unknown_motion"
    /// Two labels are about equally likely.
    case unsure
    /// Too few joints are seen well enough.
    case poorView = "poor_view"
}
