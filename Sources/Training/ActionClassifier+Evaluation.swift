import Actions
import NeuralNet

extension ActionClassifier {
    /// Measures the classifier, as it stands in its file, on clips it should know the answers to.
    ///
    /// Clips of labels that the model does not have count as `other` if it has that label, else they are set aside.
    ///
    /// - Returns: the figures by window and by clip, and the clips that could not be used with the reasons.
    public func evaluate(
        on clips: [LabelledClip]
    ) throws(ModelFileError) -> (windows: Evaluation, clips: ClipEvaluation, rejected: [RejectedClip]) {
        let known = Set(description.labels)
        var dataset = Dataset(clips: [])
        for clip in clips {
            if known.contains(clip.label) || known.contains("other") {
                dataset.clips.append(clip)
            } else {
                dataset.rejected.append(RejectedClip(name: clip.name, reason: "the model has no label '\(clip.label)'"))
            }
        }
        dataset = dataset.prepared(rate: description.framesPerSecond, windowFrames: description.windowFrames)
        var outputs: [[Float]] = []
        var labels: [Int] = []
        var scored: [(name: String, label: String, windows: [(probabilities: [Float], outcome: String)])] = []
        for clip in dataset.clips {
            let label = known.contains(clip.label) ? clip.label : "other"
            var windows: [(probabilities: [Float], outcome: String)] = []
            for window in clip.windows(of: description) {
                let prediction = try predict(window)
                guard !prediction.probabilities.isEmpty else { continue }
                windows.append((prediction.probabilities, prediction.label))
                outputs.append(prediction.probabilities.map { Float.logarithm(max($0, 1e-12)) })
                labels.append(description.labels.firstIndex(of: label) ?? 0)
            }
            scored.append((clip.name, clip.label, windows))
        }
        let evaluation = Evaluation.measure(
            outputs: outputs, labels: labels, names: description.labels, temperature: 1,
            minimumConfidence: thresholds.minimumConfidence)
        return (evaluation, ClipEvaluation(scored, model: description), dataset.rejected)
    }

}

extension LabelledClip {
    /// The windows that recognition would gather from it; one that is partly empty if it is shorter than a window.
    ///
    /// - Precondition: the clip is at the model's rate.
    func windows(of model: ModelDescription) -> [PoseWindow] {
        let starts = stride(from: 0, through: max(frames - model.windowFrames, 0), by: model.strideFrames)
        return starts.map { start in
            let end = min(start + model.windowFrames, frames)
            var window = Array(keypoints[start * KeypointFrame.count..<end * KeypointFrame.count])
            window += [Float](repeating: 0, count: model.windowFrames * KeypointFrame.count - window.count)
            let posed = (0..<model.windowFrames).count { KeypointFrame.hasPose(window, frame: $0) }
            return PoseWindow(
                track: 1, start: Double(start) / rate, end: Double(start + model.windowFrames) / rate,
                keypoints: window, posedFrames: posed, aspect: aspect)
        }
    }
}
