/// The results of a classifier on windows with known labels. `Training` measures them, and the model file stores them.
public struct Evaluation: Sendable, Codable, Equatable {
    /// The figures per label, in the order of the model's labels.
    public var classes: [ClassFigures]
    /// Numbers of windows, `[true label][predicted label]`. The last column holds those below the confidence threshold.
    public var confusion: [[Int]]
    /// The number of windows.
    public var windows: Int
    /// Share of windows whose most likely label is correct, without any threshold, 0…1.
    public var accuracy: Double
    /// Mean recall over the labels that occur, without any threshold, 0…1.
    public var macroRecall: Double
    /// Mean negative logarithm of the true label's probability.
    public var logLoss: Double
    /// Expected calibration error: mean distance between confidence and accuracy over 15 equal bins.
    public var calibrationError: Double

    /// Creates an evaluation from its parts.
    public init(
        classes: [ClassFigures], confusion: [[Int]], windows: Int, accuracy: Double, macroRecall: Double,
        logLoss: Double, calibrationError: Double
    ) {
        self.classes = classes
        self.confusion = confusion
        self.windows = windows
        self.accuracy = accuracy
        self.macroRecall = macroRecall
        self.logLoss = logLoss
        self.calibrationError = calibrationError
    }

    enum CodingKeys: String, CodingKey {
        case classes, confusion, windows, accuracy
        case macroRecall = "macro_recall"
        case logLoss = "log_loss"
        case calibrationError = "calibration_error"
    }

    /// One label's figures, without any threshold.
    public struct ClassFigures: Sendable, Codable, Equatable {
        /// The label.
        public var label: String
        /// Windows of this label.
        public var windows: Int
        /// Share of the windows predicted as this label that are correct, 0…1; `nil` without such windows.
        public var precision: Double?
        /// Share of this label's windows that are predicted correctly, 0…1; `nil` without such windows.
        public var recall: Double?

        /// Harmonic mean of precision and recall; `nil` if either is missing.
        public var f1: Double? {
            guard let precision, let recall else { return nil }
            return precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0
        }

        /// Creates figures from their parts.
        public init(label: String, windows: Int, precision: Double?, recall: Double?) {
            self.label = label
            self.windows = windows
            self.precision = precision
            self.recall = recall
        }
    }
}
