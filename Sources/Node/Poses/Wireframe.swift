/// How a pose is drawn: which joints are connected, and the confidence they need.
public enum Wireframe {
    /// Joints below this confidence are not drawn, unless configured otherwise.
    public static let minimumConfidence: Float = 0.5

    /// The lines of the figure: arms, legs, and the trunk from the neck to the hips.
    public static let connections: [(Joint, Joint)] = [
        (.leftShoulder, .leftElbow), (.leftElbow, .leftWrist), (.leftHip, .leftKnee), (.leftKnee, .leftAnkle),
        (.rightShoulder, .rightElbow), (.rightElbow, .rightWrist), (.rightHip, .rightKnee), (.rightKnee, .rightAnkle),
        (.leftShoulder, .neck), (.rightShoulder, .neck), (.leftShoulder, .leftHip), (.rightShoulder, .rightHip),
        (.leftHip, .rightHip),
    ]
}
