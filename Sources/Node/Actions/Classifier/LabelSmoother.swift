import Foundation

/// Decides what one person does: the label that is shown, credited and stored.
///
/// The classifier knows one window. A person keeps doing what they do, so this stage remembers: it is the forward filter
/// of a hidden Markov model, whose states are the model's labels. A label is shown once its probability, given all
/// windows so far, is high. It stays until that probability is low or another label's is high.
///
/// It sets ``Prediction/label`` and ``Prediction/belief``, from which sets follow; ``Prediction/windowLabel`` stays as the
/// classifier gave it.
public struct LabelSmoother: Sendable {
    /// The model's labels and how long a label stays.
    public struct Settings: Sendable {
        fileprivate let labels: [String]
        fileprivate let rules: RecognitionRules.Labels
        fileprivate let strideSeconds: Double
        /// A label with this probability is shown: the model's least confidence …
        fileprivate let onset: Double
        /// … until its probability is below this.
        fileprivate let offset: Double

        /// Creates settings.
        ///
        /// - Parameters:
        ///   - model: its labels and stride.
        ///   - minimumConfidence: the probability, 0…1, at which a label is shown.
        ///   - rules: how long a label stays.
        public init(
            _ model: ModelDescription, minimumConfidence: Float,
            rules: RecognitionRules.Labels = RecognitionRules.Labels()
        ) {
            self.rules = rules
            labels = model.labels
            strideSeconds = Double(model.strideFrames) / model.framesPerSecond
            onset = Double(minimumConfidence)
            offset = min(rules.keptAbove, onset)
        }
    }

    /// What is known of the person.
    private struct Belief {
        /// The probability of each label, given all windows so far.
        var probabilities: [Double]
        /// The index of the label that is shown; `nil` while none is likely enough.
        var shown: Int?
        /// The end of the newest window, in seconds on the source's clock.
        var end: Double
    }

    private let settings: Settings
    private var labels: [String] { settings.labels }
    private var rules: RecognitionRules.Labels { settings.rules }
    /// `nil` for a stranger.
    private var belief: Belief?

    /// Starts with a stranger.
    public init(_ settings: Settings) { self.settings = settings }

    /// Sets the label of the person's next prediction. After times that jump back, and after a long absence, the person is
    /// a stranger.
    public mutating func smooth(_ prediction: Prediction) -> Prediction {
        if let last = belief?.end, prediction.end < last || prediction.end - last > rules.memorySeconds { belief = nil }
        var shown = prediction
        guard prediction.probabilities.count == labels.count else {
            // A window in which the person was hardly seen tells nothing: what was believed of them stands.
            shown.belief = belief?.probabilities.map { Float($0) } ?? []
            return shown
        }
        var next = updated(with: prediction)
        let best = labels.indices.max { next.probabilities[$0] < next.probabilities[$1] } ?? 0
        let isKept = next.shown.map { next.probabilities[$0] >= settings.offset } ?? false
        if next.probabilities[best] >= settings.onset {
            next.shown = best
        } else if !isKept {
            next.shown = nil
        }
        belief = next
        shown.label = next.shown.map { labels[$0] } ?? PseudoLabel.lowConfidence.rawValue
        shown.belief = next.probabilities.map { Float($0) }
        shown.confidence = Float(next.probabilities[next.shown ?? best])
        return shown
    }

    /// The belief after a window: first the person may have changed what they do, then the window speaks.
    private func updated(with prediction: Prediction) -> Belief {
        let count = Double(labels.count)
        // A poor view and an unknown motion tell nothing about what the person does.
        let tells = prediction.rejection == nil || prediction.rejection == .unsure
        // Nothing overlaps with the first window.
        let power = !tells ? 0 : belief == nil ? 1 : rules.evidence
        let support = prediction.probabilities.map { pow(max(Double($0), rules.leastProbability), power) }
        var probabilities = support
        if let belief, count > 1 {
            let strides = max(1, ((prediction.end - belief.end) / settings.strideSeconds).rounded())
            let stay = pow(rules.stay, strides)
            probabilities = zip(belief.probabilities, support).map { before, support in
                (stay * before + (1 - stay) * (1 - before) / (count - 1)) * support
            }
        }
        let sum = probabilities.reduce(0, +)
        return Belief(probabilities: probabilities.map { $0 / sum }, shown: belief?.shown, end: prediction.end)
    }
}
