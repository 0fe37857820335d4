import Actions
import NeuralNet
import Poses

extension ActionClassifier {
    /// Measures the classifier on clips with known labels.
    ///
    /// Clips whose label the model lacks count as `other` if the model has that label; otherwise they are rejected.
    ///
    /// - Returns: the figures by window and by clip, and the rejected clips with reasons.
    /// - Throws: `ModelFileError` when the model's weights do not fit it.
    public func evaluate(
        on clips: [LabelledClip]
    ) throws(ModelFileError) -> (windows: Evaluation, clips: ClipEvaluation, rejected: [RejectedClip]) {
        let (scored, rejected) = try score(clips)
        let answers = scored.flatMap { clip in
            let label = description.labels.firstIndex(of: clip.label) ?? description.labels.firstIndex(of: "other") ?? 0
            return clip.windows.map { (label, $0.probabilities.map { Float.logarithm(max($0, 1e-12)) }) }
        }
        let evaluation = Evaluation.measure(
            outputs: answers.map(\.1), labels: answers.map(\.0), names: description.labels, temperature: 1,
            minimumConfidence: thresholds.minimumConfidence)
        return (evaluation, ClipEvaluation(scored, model: description), rejected)
    }

    /// Classifies every window of the clips.
    func score(
        _ clips: [LabelledClip]
    ) throws(ModelFileError) -> (scored: [ScoredClip], rejected: [RejectedClip]) {
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
        var scored: [ScoredClip] = []
        for clip in dataset.clips { scored.append(try score(clip)) }
        return (scored, dataset.rejected)
    }

    private func score(_ clip: LabelledClip) throws(ModelFileError) -> ScoredClip {
        var score = ScoredClip(name: clip.name, label: clip.label, seconds: clip.seconds)
        var person = PersonRecognition(
            track: 1, PersonRecognition.Settings(description, minimumConfidence: thresholds.minimumConfidence))
        for window in clip.windows(of: description) {
            let change = person.receive([window], [try predict(window)], at: window.end)
            score.sets += change.sets.filter { !$0.isOpen }
            for prediction in change.predictions where !prediction.probabilities.isEmpty {
                score.windows.append((prediction.probabilities, prediction.label, (window.start + window.end) / 2))
            }
        }
        score.sets += person.end(.sourceEnded).sets
        return score
    }
}

extension LabelledClip {
    /// The windows that recognition would gather from the clip. A shorter clip gives one window that is partly empty.
    ///
    /// - Precondition: the clip is at the model's rate.
    func windows(of model: ModelDescription) -> [PoseWindow] {
        let starts = stride(from: 0, through: max(frames - model.windowFrames, 0), by: model.strideFrames)
        return starts.map { start in
            let end = min(start + model.windowFrames, frames)
            var window = Array(keypoints[start * KeypointFrame.count..<end * KeypointFrame.count])
            window += [Float](repeating: 0, count: model.windowFrames * KeypointFrame.count - window.count)
            let context = Array(
                keypoints[max(start - model.contextFrames, 0) * KeypointFrame.count..<start * KeypointFrame.count])
            let posed = (0..<model.windowFrames).count { KeypointFrame.hasPose(window, frame: $0) }
            return PoseWindow(
                track: 1, start: Double(start) / rate, end: Double(start + model.windowFrames) / rate,
                keypoints: window, context: context, posedFrames: posed, aspect: aspect)
        }
    }
}

extension LabelledClip {
    /// What a model takes a part of the clip for: the label with the highest mean probability over the part's windows.
    ///
    /// - Returns: `nil` if the part is too short or shows nobody.
    /// - Throws: `ModelFileError` when the model's weights do not fit it.
    public func answer(
        of classifier: ActionClassifier, from start: Double, to end: Double
    ) throws(ModelFileError) -> (label: String, confidence: Double)? {
        guard let part = cut(from: start, to: end, name: name), let label = classifier.description.labels.first else {
            return nil
        }
        let clips = try classifier.evaluate(on: [part.with(label: label)]).clips
        return clips.verdicts.first.map { ($0.answer, $0.confidence) }
    }
}
