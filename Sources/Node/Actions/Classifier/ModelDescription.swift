/// The description in a model file: everything except the weights. It is a JSON document inside the file.
public struct ModelDescription: Sendable, Codable, Equatable {
    /// The short name of the model, such as `default-v1`.
    public var name: String
    /// The labels in the order of the network's outputs.
    public var labels: [String]
    /// The names of labels on screen. A label without an entry is shown as it is.
    public var displayNames: [String: String] = [:]
    /// The labels that count as exercise. The others (`other`, `none`) are only shown.
    public var countedLabels: [String]

    /// Frames in a window.
    public var windowFrames = 60
    /// Frames per second of the windows.
    public var framesPerSecond = 30.0
    /// Frames between the starts of two windows. A prediction credits this many frames.
    public var strideFrames = 10
    /// What the network sees before the window; `nil` in models that see the window alone.
    public var context: Context?
    /// The joints of a pose, in order.
    public var joints: [String]
    /// ``PoseFeatures/version`` of the program that trained the model.
    public var featureVersion: Int
    /// The sizes of the network.
    public var network: NetworkSize

    /// The network's outputs are divided by this before the softmax. It is fitted on validation data.
    public var temperature: Float = 1
    /// The thresholds at which a window's label is rejected.
    public var thresholds = Thresholds()

    /// The direction for counting the repetitions of each label; `nil` in older models without it.
    public var counting: [String: CountingBasis]?
    /// Those of ``countedLabels`` that are held, such as a plank: they are timed and have no repetitions. `nil` in models
    /// whose exercises are all repeated, and in older ones.
    public var heldLabels: [String]?

    /// Who made the model.
    public var author = ""
    /// The licence of the model.
    public var licence = ""
    /// A short text about the model.
    public var summary = ""
    /// When the model was made, in ISO 8601.
    public var created = ""
    /// The program that made the model, with its version.
    public var tool = ""

    /// SHA-256 of the training clips.
    public var trainingDataDigest = ""
    /// The number of training clips.
    public var trainingClips = 0
    /// The seed of the random numbers of the training.
    public var seed: UInt64 = 0
    /// The parameters of the training by name, as text for readers.
    public var trainingParameters: [String: String] = [:]
    /// The results on clips that were not used for training; `nil` without such clips.
    public var evaluation: Evaluation?

    /// Creates a description with defaults for everything that is not given.
    public init(
        name: String, labels: [String], countedLabels: [String], joints: [String], featureVersion: Int,
        network: NetworkSize
    ) {
        self.name = name
        self.labels = labels
        self.countedLabels = countedLabels
        self.joints = joints
        self.featureVersion = featureVersion
        self.network = network
    }

    /// The time before the window, which the network's slow branch sees together with the window. It tells slow
    /// repetitions from rest. The first answer comes without it.
    public struct Context: Sendable, Codable, Equatable {
        /// Frames before the window. They are empty where the person was not in view yet.
        public var frames: Int
        /// The slow branch gets every this many frames.
        public var step: Int

        /// Creates a context.
        public init(frames: Int, step: Int) {
            self.frames = frames
            self.step = step
        }

        /// Frames that the slow branch gets for a window of this many frames.
        package func slowFrames(window: Int) -> Int { (frames + window) / max(step, 1) }
    }

    /// The usual labels of what is no exercise: other movements, and standing or sitting still.
    public static let noExercise: Set<String> = ["other", "none"]

    /// The end of the name of a model that its training does not find ready for use.
    public static let notReady = "-not-ready"

    /// A recording shorter than this share of a window shows too little to be classified. One that is longer, but shorter
    /// than a window, is played back and forth to fill it; see ``BackAndForth``.
    package static let minimumWindowShare = 1.0 / 3

    /// The exercises whose repetitions are counted: ``countedLabels`` without ``heldLabels``.
    public var repeatedLabels: [String] { countedLabels.filter { !isHeld($0) } }

    /// Whether a label is an exercise that is held.
    public func isHeld(_ label: String) -> Bool { heldLabels?.contains(label) == true }

    /// Frames before the window that the network sees, too.
    public var contextFrames: Int { context?.frames ?? 0 }
    /// Frames that the slow branch gets; `nil` without one.
    var slowFrames: Int? { context?.slowFrames(window: windowFrames) }

    /// The thresholds at which a window's label is rejected.
    public struct Thresholds: Sendable, Codable, Equatable {
        /// Below this confidence, 0…1, the label is `low_confidence`.
        public var minimumConfidence: Float
        /// Below this share of frames with a pose, 0…1, the label is `no_person`.
        public var minimumPoseShare: Float
        /// Above this distance from the training windows, an exercise is an unknown motion; `nil` for no limit. See
        /// ``UnknownMotionDetector``.
        public var maximumDistance: Float?

        /// Creates thresholds.
        public init(minimumConfidence: Float = 0.6, minimumPoseShare: Float = 0.6, maximumDistance: Float? = nil) {
            self.minimumConfidence = minimumConfidence
            self.minimumPoseShare = minimumPoseShare
            self.maximumDistance = maximumDistance
        }

        enum CodingKeys: String, CodingKey {
            case minimumConfidence = "min_confidence"
            case minimumPoseShare = "min_pose_ratio"
            case maximumDistance = "max_distance"
        }
    }

    enum CodingKeys: String, CodingKey {
        case name, labels, joints, network, context, temperature, thresholds, counting
        case author, licence, created, tool, seed, evaluation
        case displayNames = "display_names"
        case countedLabels = "counted_labels"
        case heldLabels = "held_labels"
        case windowFrames = "window"
        case framesPerSecond = "rate"
        case strideFrames = "stride"
        case featureVersion = "feature_version"
        case summary = "description"
        case trainingDataDigest = "training_data_sha256"
        case trainingClips = "training_clips"
        case trainingParameters = "training_parameters"
    }
}
