import Actions

/// Cuts off the time before somebody begins and after they have ended.
public enum StillnessTrim {
    /// Slower than this is standing still, trunk lengths per second.
    static let stillSpeed: Float = 0.35
    /// Kept on either side, lest the first and last repetition lose their edges.
    static let marginSeconds = 0.3

    /// The clip from the first to the last motion; `nil` when there is less than a second of it.
    public static func trimmed(_ clip: LabelledClip) -> LabelledClip? {
        var trace = MotionTrace()
        for frame in 0..<clip.frames { trace.add(clip.trackedFrame(frame)) }
        let moving = trace.speeds(of: LabelledClip.track).filter { $0.speed > stillSpeed }
        guard let first = moving.first?.time, let last = moving.last?.time, last - first >= 1 else { return nil }
        return clip.cut(from: max(first - marginSeconds, 0), to: last + marginSeconds, name: clip.name)
    }
}
