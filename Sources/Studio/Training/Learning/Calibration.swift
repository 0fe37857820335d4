import Actions
import Poses

/// Calibrates a model's confidences for clips of a certain place. Fitted after training; no weight changes.
public struct Calibration: Sendable, Codable, Equatable {
    /// Calibration error of the clips' answers before (see ``ClipEvaluation/calibrationError``).
    public let errorBefore: Double
    /// Calibration error of the clips' answers afterwards.
    public let errorAfter: Double
    /// The fitted softmax temperature.
    public let temperature: Float
    /// The distance that one in two hundred correctly recognised windows of an exercise exceeds.
    public let maximumDistance: Float?
    /// Number of clips used.
    public let clips: Int

    enum CodingKeys: String, CodingKey {
        case temperature, clips
        case errorBefore = "error_before"
        case errorAfter = "error_after"
        case maximumDistance = "max_distance"
    }
}

extension ActionClassifier {
    /// Fits the temperature with the lowest log loss of whole clips, and the distance limit for unknown motion.
    ///
    /// Whole clips are used because the windows of one clip are nearly equal. Labels that are no exercise count as one
    /// (see ``ClipEvaluation``).
    ///
    /// - Throws: ``TrainingError/tooFewClips(found:needed:)``, or `ModelFileError`.
    public func calibration(on clips: [LabelledClip]) throws -> Calibration {
        let scored = try score(clips).scored
        let before = ClipEvaluation(scored, model: description)
        guard before.verdicts.count >= 20 else {
            throw TrainingError.tooFewClips(found: before.verdicts.count, needed: 20)
        }
        var best = (loss: Double.infinity, temperature: Float(1), error: before.calibrationError)
        // Outside this range, so few clips would not be reliable evidence.
        for step in 0...30 {
            let ratio = Float.exponential(-0.69 + 1.38 * Float(step) / 30)
            let figures = ClipEvaluation(scored.map { $0.tempered(by: ratio) }, model: description)
            guard figures.logLoss < best.loss else { continue }
            best = (figures.logLoss, description.temperature * ratio, figures.calibrationError)
        }
        return Calibration(
            errorBefore: before.calibrationError, errorAfter: best.error, temperature: best.temperature,
            maximumDistance: try maximumDistance(on: clips), clips: before.verdicts.count)
    }

    private func maximumDistance(on clips: [LabelledClip]) throws -> Float? {
        let counted = Set(description.countedLabels)
        let known = Dataset(clips: clips.filter { counted.contains($0.label) })
            .prepared(rate: description.framesPerSecond, windowFrames: description.windowFrames)
        var distances: [Float] = []
        for clip in known.clips {
            for window in clip.windows(of: description) {
                if let distance = try distance(of: window, ifAnswered: clip.label) { distances.append(distance) }
            }
        }
        guard distances.count >= 100 else { return thresholds.maximumDistance }
        return distances.sorted()[distances.count * 199 / 200]
    }
}
