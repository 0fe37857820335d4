/// The classifier's result for one window of one person.
public struct Prediction: Sendable, Equatable {
    /// The person's track; `nil` when nobody is in view.
    public package(set) var track: Int?
    /// The start of the window, in seconds on the source's clock.
    public let start: Double
    /// The end of the window, in seconds on the source's clock.
    public let end: Double
    /// What the person does: a label of the model, or one of ``PseudoLabel``. ``LabelSmoother`` decides it, with memory of the
    /// windows before. It is what is shown, published, credited and stored.
    public internal(set) var label: String
    /// The confidence in ``label``, 0…1; 0 for windows that were not classified.
    public internal(set) var confidence: Float
    /// The label of this window alone.
    public let windowLabel: String
    /// The probability of the most likely label of this window alone, 0…1.
    public let windowConfidence: Float
    /// The probabilities of the model's labels in their order, before any threshold; empty if not classified.
    public let probabilities: [Float]
    /// The probabilities of the model's labels given this window and the ones before, in their order; empty if nothing is
    /// known of the person. ``LabelSmoother`` sets them; before it they are ``probabilities``.
    public internal(set) var belief: [Float]
    /// Share of the window's frames that contain a pose, 0…1.
    public let poseShare: Float
    /// The frames that this prediction credits: the window stride.
    public let frames: Int
    /// Why ``windowLabel`` is `low_confidence`; `nil` for every other.
    public let rejection: RejectionReason?

    /// Creates the prediction of a window, whose own label stands until ``LabelSmoother`` has decided.
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
        belief = probabilities
        self.poseShare = poseShare
        self.frames = frames
        self.rejection = rejection
        windowLabel = label
        windowConfidence = confidence
    }

    /// Whether both the window and the windows before it say that it is an exercise. Only such windows begin and prolong
    /// sessions: the label alone outlasts the exercise for a moment.
    func isSurely(_ exercises: Set<String>) -> Bool { exercises.contains(label) && exercises.contains(windowLabel) }

    /// Whether the label is one of the model's. Only those are credited.
    public var isModelLabel: Bool { PseudoLabel(rawValue: label) == nil }
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
