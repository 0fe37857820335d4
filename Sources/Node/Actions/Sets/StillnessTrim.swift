import Poses

/// Cuts off the time before a person begins and after they have finished.
public enum StillnessTrim {
    /// Speeds below this count as standing still, in trunk lengths per second.
    static let stillSpeed: Float = 0.35
    /// Time kept on each side, so that the first and last repetition stay complete.
    static let marginSeconds = 0.3

    /// The clip from the first to the last motion; `nil` when that is less than a second.
    public static func trimmed(_ clip: LabelledClip) -> LabelledClip? {
        var trace = MotionTrace()
        for frame in 0..<clip.frames { trace.add(clip.trackedFrame(frame)) }
        let moving = trace.speeds(of: LabelledClip.track).filter { $0.speed > stillSpeed }
        guard let first = moving.first?.time, let last = moving.last?.time, last - first >= 1 else { return nil }
        return clip.cut(from: max(first - marginSeconds, 0), to: last + marginSeconds, name: clip.name)
    }
}
