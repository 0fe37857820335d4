/// How a classifier did on windows whose labels are known. `Training` measures it; the model file carries it along.
public struct Evaluation: Sendable, Codable, Equatable {
    /// Per label, in the order of the model's labels.
    public var classes: [ClassFigures]
    /// `[true label][predicted label]` in windows; a last column holds those below the confidence threshold.
    public var confusion: [[Int]]
    public var windows: Int
    /// Share of windows whose most likely label is right, without any threshold.
    public var accuracy: Double
    /// Mean recall over the labels that occur, without any threshold.
    public var macroRecall: Double
    /// Mean negative logarithm of the true label's probability.
    public var logLoss: Double
    /// Expected calibration error: mean distance between confidence and accuracy over 15 equal bins.
    public var calibrationError: Double

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
        public var label: String
        /// Windows of this label.
        public var windows: Int
        /// Right share of the windows that were given this label; `nil` if none was.
        public var precision: Double?
        /// Right share of this label's windows; `nil` if there are none.
        public var recall: Double?

        /// Harmonic mean of precision and recall; `nil` if either is missing.
        public var f1: Double? {
            guard let precision, let recall else { return nil }
            return precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0
        }

        public init(label: String, windows: Int, precision: Double?, recall: Double?) {
            self.label = label
            self.windows = windows
            self.precision = precision
            self.recall = recall
        }
    }
}
