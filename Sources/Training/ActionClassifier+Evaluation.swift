import Actions

extension ActionClassifier {
    /// Measures the classifier, as it stands in its file, on clips it should know the answers to.
    ///
    /// Clips of labels that the model does not have count as `other` if it has that label, else they are set aside.
    ///
    /// - Returns: the figures, and the clips that could not be used with the reasons.
    public func evaluate(on clips: [LabelledClip]) -> (evaluation: Evaluation, rejected: [RejectedClip]) {
        var parameters = TrainingParameters()
        parameters.windowFrames = description.windowFrames
        let known = Set(description.labels)
        var dataset = Dataset(clips: [])
        for clip in clips {
            if known.contains(clip.label) {
                dataset.clips.append(clip)
            } else if known.contains("other") {
                dataset.clips.append(clip.with(label: "other"))
            } else {
                dataset.rejected.append(RejectedClip(name: clip.name, reason: "the model has no label '\(clip.label)'"))
            }
        }
        dataset = dataset.prepared(rate: description.framesPerSecond, windowFrames: description.windowFrames)
        let windows = ScoredWindows(clips: dataset.clips, labels: description.labels, parameters: parameters)
        let evaluation = Evaluation.measure(
            outputs: windows.outputs(of: network), labels: windows.labels, names: description.labels,
            temperature: description.temperature, minimumConfidence: thresholds.minimumConfidence)
        return (evaluation, dataset.rejected)
    }
}
