/// The ways in which training varies a clip, each by the name that stands in parameters, model files and commands.
///
/// Strong variation costs a little on clips like those trained on and gains much on strangers: in our experiments
/// flip and crop alone reached a macro recall of 0.62 on real videos, everything together 0.69.
public enum Augmentation: String, Sendable, Codable, CaseIterable {
    /// Left and right change sides, half of the time.
    case flip
    /// The movement is up to 1.33 times slower or 1.35 times faster.
    case timeStretch = "time_stretch"
    /// It hurries and hesitates within the window, by up to two frames.
    case timeWarp = "time_warp"
    /// The window lies anywhere in the clip; otherwise in its middle.
    case crop
    /// The picture is tilted, deviation 4.6°.
    case rotation
    /// The person is wider or narrower, deviation 10 %: a little camera yaw.
    case xScale = "x_scale"
    /// The picture is sheared, deviation 5 %.
    case shear
    /// Every position trembles, by up to 3 % of the body's extent.
    case jitter
    /// Every joint is off by the same for the whole window, deviation 2 % of the body's extent.
    case jointBias = "joint_bias"
    /// Each joint is missing for the whole window with 3 %.
    case jointDropout = "joint_dropout"
    /// In 8 % of the windows some body part is missing throughout: hidden by a rack, a weight, the picture's edge.
    case partDropout = "part_dropout"
    /// In 40 % of the windows 40 % of the joints are missing for up to eleven frames.
    case spanDropout = "span_dropout"
    /// Eyes and ears are missing in 20 % of the windows, in a third of those the nose too.
    case faceDropout = "face_dropout"
    /// The detector is less or a little more sure, by 0.7 to 1.05.
    case confidenceScale = "confidence_scale"
    /// Half of the windows are seen at 8 to 30 frames per second only, as from a loaded board.
    case rate

    /// Its own stream of random numbers, so that switching one off leaves the others as they were.
    var stream: UInt64 { UInt64(Self.allCases.firstIndex(of: self) ?? 0) + 1 }
}
