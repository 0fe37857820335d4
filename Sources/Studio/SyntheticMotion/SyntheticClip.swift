import Poses

/// A synthetic clip with its ground truth.
public struct SyntheticClip: Sendable {
    /// The clip with its label.
    public var clip: LabelledClip
    /// Starts of the repetitions in seconds since the clip's start, without those that began before it.
    public let repetitions: [Double]
    /// The side that works in each of ``repetitions``; `nil` where both do.
    public let sides: [BodySide?]
    /// The frames that show the labelled motion. The others show how it begins or ends.
    public let exerciseFrames: Range<Int>
    /// The joints in space, a skeleton for each frame.
    package let film: [Skeleton]

    /// The joints in space, `[frames][18][3]`: metres in the order of `Joint`, y up.
    public var jointsInSpace: [[[Float]]] { film.map { $0.joints.map { [$0.x, $0.y, $0.z] } } }
}
