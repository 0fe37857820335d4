import Foundation

/// Decides what each person does: the label that is shown, credited and stored.
///
/// The classifier knows one window. A person keeps doing what they do, so this stage remembers: it is the forward filter
/// of a hidden Markov model, whose states are the model's labels. A label is shown once its probability, given all
/// windows so far, is high. It stays until that probability is low or another label's is high.
///
/// It sets ``Prediction/label`` and ``Prediction/belief``, from which sets follow; ``Prediction/windowLabel`` stays as the
/// classifier gave it.
public struct LabelSmoother: Sendable {
    /// What is known of one person.
    private struct Belief {
        /// The probability of each label, given all windows so far.
        var probabilities: [Double]
        /// The index of the label that is shown; `nil` while none is likely enough.
        var shown: Int?
        /// The end of the newest window, in seconds on the source's clock.
        var end: Double
    }

    private let labels: [String]
    private let rules: RecognitionRules.Labels
    private let strideSeconds: Double
    /// A label with this probability is shown: the model's least confidence …
    private let onset: Double
    /// … until its probability is below this.
    private let offset: Double
    private var beliefs: [Int: Belief] = [:]

    /// Starts without people.
    ///
    /// - Parameters:
    ///   - model: its labels and stride.
    ///   - minimumConfidence: the probability, 0…1, at which a label is shown.
    ///   - rules: how long a label stays.
    public init(
        _ model: ModelDescription, minimumConfidence: Float, rules: RecognitionRules.Labels = RecognitionRules.Labels()
    ) {
        self.rules = rules
        labels = model.labels
        strideSeconds = Double(model.strideFrames) / model.framesPerSecond
        onset = Double(minimumConfidence)
        offset = min(rules.keptAbove, onset)
    }

    /// Sets the labels of the predictions of one frame. Calls must be in order of time; after times that jump back
    /// everybody is a stranger.
    public mutating func smooth(_ predictions: [Prediction]) -> [Prediction] {
        guard let newest = predictions.map(\.end).max() else { return [] }
        beliefs = beliefs.filter { newest >= $0.value.end && newest - $0.value.end <= rules.memorySeconds }
        return predictions.map { prediction in
            guard let track = prediction.track else { return prediction }
            guard prediction.probabilities.count == labels.count else {
                // A window in which the person was hardly seen tells nothing: what was believed of them stands.
                var unseen = prediction
                unseen.belief = beliefs[track]?.probabilities.map { Float($0) } ?? []
                return unseen
            }
            var belief = updated(beliefs[track], with: prediction)
            let best = labels.indices.max { belief.probabilities[$0] < belief.probabilities[$1] } ?? 0
            let isKept = belief.shown.map { belief.probabilities[$0] >= offset } ?? false
            if belief.probabilities[best] >= onset {
                belief.shown = best
            } else if !isKept {
                belief.shown = nil
            }
            beliefs[track] = belief
            var shown = prediction
            shown.label = belief.shown.map { labels[$0] } ?? PseudoLabel.lowConfidence.rawValue
            shown.belief = belief.probabilities.map { Float($0) }
            shown.confidence = Float(belief.probabilities[belief.shown ?? best])
            return shown
        }
    }

    /// The belief after a window: first the person may have changed what they do, then the window speaks.
    private func updated(_ belief: Belief?, with prediction: Prediction) -> Belief {
        let count = Double(labels.count)
        // A poor view and an unknown motion tell nothing about what the person does.
        let tells = prediction.rejection == nil || prediction.rejection == .unsure
        // Nothing overlaps with the first window.
        let power = !tells ? 0 : belief == nil ? 1 : rules.evidence
        let support = prediction.probabilities.map { pow(max(Double($0), rules.leastProbability), power) }
        var probabilities = support
        if let belief, count > 1 {
            let strides = max(1, ((prediction.end - belief.end) / strideSeconds).rounded())
            let stay = pow(rules.stay, strides)
            probabilities = zip(belief.probabilities, support).map { before, support in
                (stay * before + (1 - stay) * (1 - before) / (count - 1)) * support
            }
        }
        let sum = probabilities.reduce(0, +)
        return Belief(probabilities: probabilities.map { $0 / sum }, shown: belief?.shown, end: prediction.end)
    }
}
