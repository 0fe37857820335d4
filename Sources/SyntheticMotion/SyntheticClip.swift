import Poses

/// A synthetic clip with its ground truth.
public struct SyntheticClip: Sendable {
    /// The clip with its label.
    public var clip: LabelledClip
    /// Starts of the repetitions in seconds since the clip's start, without those that began before it.
    public let repetitions: [Double]
    /// The frames that show the labelled motion. The others show how it begins or ends.
    public let exerciseFrames: Range<Int>
}
