/// Everything a model file says about itself besides its weights; a JSON document inside the file.
public struct ModelDescription: Sendable, Codable, Equatable {
    /// Short name of the model, as in `default-v1`.
    public var name: String
    /// The labels in the order of the network's outputs.
    public var labels: [String]
    /// What to call a label on screen; labels without an entry are shown as they are.
    public var displayNames: [String: String] = [:]
    /// The labels that count as exercise; the others (`other`, `none`) are only shown.
    public var countedLabels: [String]

    /// Frames in a window.
    public var windowFrames = 60
    /// Frames per second the windows are sampled at.
    public var framesPerSecond = 30.0
    /// Frames between the starts of two windows; also what one prediction is worth.
    public var strideFrames = 10
    /// The joints of a pose, in order.
    public var joints: [String]
    /// ``PoseFeatures/version`` of the program that trained the model.
    public var featureVersion: Int
    public var network: NetworkSize

    /// The network's outputs are divided by it before the softmax; fitted on validation data.
    public var temperature: Float = 1
    public var thresholds = Thresholds()

    /// How the repetitions of a label are seen; `nil` in models from before repetitions were counted.
    public var counting: [String: CountingBasis]?

    public var author = ""
    public var licence = ""
    public var summary = ""
    /// When the model was made, ISO 8601.
    public var created = ""
    /// The program that made it, with its version.
    public var tool = ""

    /// SHA-256 over the training clips.
    public var trainingDataDigest = ""
    public var trainingClips = 0
    public var seed: UInt64 = 0
    /// How it was trained, by name, in words that need no program to be read.
    public var trainingParameters: [String: String] = [:]
    /// How well it did on clips it had not seen; `nil` if there were none.
    public var evaluation: Evaluation?

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

    /// When a window is not worth a label.
    public struct Thresholds: Sendable, Codable, Equatable {
        /// Below it the most likely label is `low_confidence`, 0…1.
        public var minimumConfidence: Float
        /// Below this share of frames with a pose nobody is there, 0…1.
        public var minimumPoseShare: Float
        /// Above this distance from what the model knows an exercise is an unknown motion (``UnknownMotionDetector``); `nil`: no limit.
        public var maximumDistance: Float?

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
        case name, labels, joints, network, temperature, thresholds, counting, author, licence, created, tool, seed,
            evaluation
        case displayNames = "display_names"
        case countedLabels = "counted_labels"
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
