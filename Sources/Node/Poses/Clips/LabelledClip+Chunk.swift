extension LabelledClip {
    /// The clip of some seconds of joints, without label; `nil` where nobody is seen.
    package init?(_ chunk: PoseChunk, rate: Double = 30) {
        var recorder = ClipRecorder(rate: rate)
        for frame in chunk.frames {
            recorder.add(frame.pose, at: Double(frame.milliseconds) / 1000, aspect: chunk.aspect)
        }
        guard let clip = recorder.clip() else { return nil }
        self = clip
    }

    /// The clip without this many seconds at both ends, as long as the rest lasts as long as they do.
    package func trimmed(seconds: Double) -> LabelledClip {
        let margin = Int(seconds * rate)
        guard frames >= 4 * margin else { return self }
        return LabelledClip(
            name: name, label: label, group: group, rate: rate, aspect: aspect,
            keypoints: Array(keypoints[(margin * KeypointFrame.count)..<((frames - margin) * KeypointFrame.count)]))
    }
}
