/// The ways in which training varies a clip. The raw value is the name in parameters, model files and commands.
///
/// Strong augmentation costs a little on clips like the training clips and gains much on new people. In our experiments
/// flip and crop alone reached a macro recall of 0.62 on real videos, all together 0.69.
public enum Augmentation: String, Sendable, Codable, CaseIterable {
    /// Swaps left and right in half of the windows.
    case flip
    /// Slows the movement down by up to 1.33 times or speeds it up by up to 1.35 times.
    case timeStretch = "time_stretch"
    /// Varies the speed within the window, by up to two frames.
    case timeWarp = "time_warp"
    /// Places the window anywhere in the clip instead of in its middle.
    case crop
    /// Rotates the picture, with a standard deviation of 4.6°.
    case rotation
    /// Stretches the person horizontally, with a standard deviation of 10 %, like a slight camera yaw.
    case xScale = "x_scale"
    /// Shears the picture, with a standard deviation of 5 %.
    case shear
    /// Adds noise to every position, up to 3 % of the body's extent.
    case jitter
    /// Adds a constant error per joint and window, with a standard deviation of 2 % of the body's extent.
    case jointBias = "joint_bias"
    /// Removes each joint for the whole window with a probability of 3 %.
    case jointDropout = "joint_dropout"
    /// Removes a body part throughout in 8 % of the windows, as if hidden by a rack, a weight or the picture's edge.
    case partDropout = "part_dropout"
    /// Removes 40 % of the joints for up to eleven frames in 40 % of the windows.
    case spanDropout = "span_dropout"
    /// Removes eyes and ears in 20 % of the windows, in 30 % of those the nose too.
    case faceDropout = "face_dropout"
    /// Multiplies the detector's confidences by 0.7 to 1.05.
    case confidenceScale = "confidence_scale"
    /// Reduces half of the windows to 8 to 30 frames per second, as on a loaded board.
    case rate
    /// Puts another clip before the movement in 40 % of the windows, as when a person begins or changes an exercise.
    case splice
    /// Leaves out the beginning of the context, often all of it, in half of the windows, as when a person comes into view.
    case arrival

    /// Number of this augmentation's random stream. Each has its own, so that switching one off does not change the
    /// others.
    var stream: UInt64 { UInt64(Self.allCases.firstIndex(of: self) ?? 0) + 1 }
}
