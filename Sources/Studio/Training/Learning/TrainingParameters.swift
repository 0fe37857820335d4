import Actions

/// The parameters of a training. The defaults come from our experiments.
public struct TrainingParameters: Sendable, Codable, Equatable {
    /// Passes over the clips.
    public var epochs = 30
    /// Windows drawn from each clip per pass, on average.
    public var windowsPerClip = 2
    /// Windows per step.
    public var batchSize = 64
    /// Highest learning rate. The rate rises to it over the first steps and then falls along a cosine.
    public var learningRate: Float = 2e-3
    /// Steps over which the learning rate rises, at most a tenth of all steps.
    public var warmUpSteps = 100
    /// Final learning rate, as a share of the highest.
    public var finalLearningRate: Float = 0.02
    /// Weight decay of the optimizer; see ``Adam``.
    public var weightDecay: Float = 1e-3
    /// Share of the target distribution that is spread over all labels, 0…1.
    public var labelSmoothing: Float = 0.1
    /// Share of the target distribution that follows the teachers' mean, where there are teachers, 0…1. The rest follows
    /// the window's label.
    public var teacherShare: Float = 0.7
    /// Upper limit of the gradient's norm.
    public var longestGradient: Float = 5
    /// Share of the embedding that is set to 0 in a step, 0…1.
    public var dropout: Float = 0.3
    /// 0 draws windows in proportion to the clips; 1 draws equally many for every label. In between, a label's share is
    /// proportional to its number of clips to the power of 1 − balance. On synthetic clips 0 and 0.5 performed equally;
    /// 1 cost one percent of accuracy, because *other* and *none* have many motions to show.
    public var classBalance: Float = 0.5
    /// The augmentations to apply.
    public var augmentations = Set(Augmentation.allCases)
    /// Share of the clips held out when no validation clips are given, 0…1.
    public var validationShare = 0.2
    /// Whether the temperature is fitted on the held-out clips. Use it when those resemble the people to be recognised,
    /// but not after training on synthetic clips alone. Label smoothing leaves the network about as confident on new
    /// people as it should be: on clips of another generator the calibration error was 0.08 at temperature 1, and 0.17
    /// at the temperature of 0.5 fitted on held-out clips of the same generator.
    public var fitsTemperature = true
    /// Training stops after this many passes without improvement in validation; `nil`: never.
    public var patience: Int? = 12
    /// Seed of all random choices. Equal seeds and clips give the same model, bit for bit, on the same processor type.
    public var seed: UInt64 = 1
    /// Frames per window.
    public var windowFrames = 60
    /// Frames before the window that the slow branch sees, too; 0 for a network without that branch.
    public var contextFrames = 60
    /// Frames per second of a window.
    public var framesPerSecond = 30.0
    /// Frames between the starts of two windows in recognition.
    public var strideFrames = 10
    /// Labels that are recognised and shown, but are no exercise.
    public var uncountedLabels = ModelDescription.noExercise
    /// Channels of the network's three stages.
    public var widths = [48, 64, 96]

    /// The default parameters.
    public init() {}

    /// The learning rate of what lies below the outputs, and of the outputs that the start has, as a share of
    /// ``learningRate``. Below 1, batch norms keep their statistics, too, so that a model forgets little of what it knew.
    public var bodyRateShare: Float = 1

    /// Parameters for continuing from a trained model with a few new clips, beside rehearsed ones: new outputs learn fast,
    /// all else slowly.
    public static var furtherTraining: TrainingParameters {
        var parameters = TrainingParameters()
        parameters.windowsPerClip = 3
        parameters.learningRate = 4e-3
        parameters.bodyRateShare = 0.03
        return parameters
    }

    /// The same for one model, whose window and network are kept.
    public init(continuing model: ModelDescription) {
        self = .furtherTraining
        windowFrames = model.windowFrames
        contextFrames = model.contextFrames
        framesPerSecond = model.framesPerSecond
        strideFrames = model.strideFrames
        widths = model.network.widths
    }

    /// The passes of a further training over this many clips.
    public func furtherEpochs(clips: Int) -> Int {
        min(max(Self.furtherSteps * batchSize / max(clips * windowsPerClip, 1), 4), 40)
    }

    /// Steps of a further training. More did not help: the few new clips are known by then.
    private static let furtherSteps = 600

    /// Checks the ranges of all parameters.
    ///
    /// - Throws: ``TrainingError/parameter(name:expected:found:)``.
    func check() throws(TrainingError) {
        func expect(_ holds: Bool, _ name: String, _ expected: String, _ found: Any) throws(TrainingError) {
            guard holds else { throw .parameter(name: name, expected: expected, found: "\(found)") }
        }
        try expect((1...10_000).contains(epochs), "epochs", "1…10000", epochs)
        try expect((1...1000).contains(windowsPerClip), "windows per clip", "1…1000", windowsPerClip)
        try expect((2...4096).contains(batchSize), "batch size", "2…4096", batchSize)
        try expect(learningRate > 0 && learningRate <= 1, "learning rate", "above 0, at most 1", learningRate)
        try expect((0...1).contains(finalLearningRate), "final learning rate", "0…1", finalLearningRate)
        try expect((0..<1).contains(labelSmoothing), "label smoothing", "0…1", labelSmoothing)
        try expect((0...1).contains(teacherShare), "teacher share", "0…1", teacherShare)
        try expect((0..<1).contains(dropout), "dropout", "0…1", dropout)
        try expect((0...1).contains(bodyRateShare), "body rate share", "0…1", bodyRateShare)
        try expect((0...1).contains(classBalance), "class balance", "0…1", classBalance)
        try expect((0..<1).contains(validationShare), "validation share", "0…1", validationShare)
        try expect((8...1000).contains(windowFrames), "window", "8…1000 frames", windowFrames)
        try expect((1...windowFrames).contains(strideFrames), "stride", "1…\(windowFrames) frames", strideFrames)
        try expect((0...1000).contains(contextFrames), "context", "0…1000 frames", contextFrames)
        try expect((1...240).contains(framesPerSecond), "rate", "1…240 frames per second", framesPerSecond)
        let widthsAreSound = widths.count == 3 && widths.allSatisfy { (1...1024).contains($0) }
        try expect(widthsAreSound, "widths", "three numbers of 1…1024", widths)
    }

    /// What the network sees before the window; `nil` where it sees the window alone.
    var context: ModelDescription.Context? {
        contextFrames == 0 ? nil : ModelDescription.Context(frames: contextFrames, step: 2)
    }

    /// All parameters by name, for the model file.
    var recorded: [String: String] {
        [
            "epochs": "\(epochs)", "windows_per_clip": "\(windowsPerClip)", "batch_size": "\(batchSize)",
            "learning_rate": "\(learningRate)", "warm_up_steps": "\(warmUpSteps)",
            "final_learning_rate": "\(finalLearningRate)", "weight_decay": "\(weightDecay)",
            "label_smoothing": "\(labelSmoothing)", "longest_gradient": "\(longestGradient)", "dropout": "\(dropout)",
            "class_balance": "\(classBalance)", "validation_share": "\(validationShare)",
            "fits_temperature": "\(fitsTemperature)", "patience": patience.map { "\($0)" } ?? "none",
            "body_rate_share": "\(bodyRateShare)",
            "augmentations": augmentations.map(\.rawValue).sorted().joined(separator: " "),
        ]
    }
}
