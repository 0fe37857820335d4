/// A synthetic clip and what is known about it.
public struct SyntheticClip: Sendable {
    public var clip: LabelledClip
    /// When each repetition begins, seconds since the clip's begin; those that began before are left out.
    public let repetitions: [Double]
    /// The frames in which the clip's label is done; the rest shows how it begins or ends.
    public let exerciseFrames: Range<Int>
}
