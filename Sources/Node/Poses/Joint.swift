/// The 18 body joints of a pose, in the order of Apple Vision's key-point array. Every file format relies on the order.
public enum Joint: Int, CaseIterable, Sendable {
    case nose, neck
    case rightShoulder, rightElbow, rightWrist
    case leftShoulder, leftElbow, leftWrist
    case rightHip, rightKnee, rightAnkle
    case leftHip, leftKnee, leftAnkle
    case rightEye, leftEye, rightEar, leftEar

    /// The name used in files and messages: `right_shoulder`.
    public var name: String { Self.names[rawValue] }

    /// All names in order, as in the header of a pose stream.
    public static let names = [
        "nose", "neck", "right_shoulder", "right_elbow", "right_wrist", "left_shoulder", "left_elbow", "left_wrist",
        "right_hip", "right_knee", "right_ankle", "left_hip", "left_knee", "left_ankle", "right_eye", "left_eye",
        "right_ear", "left_ear",
    ]

    /// The joint on the other side of the body. `nose` and `neck` mirror themselves.
    public var mirrored: Joint { Self.mirror[rawValue] }

    private static let mirror: [Joint] = [
        .nose, .neck, .leftShoulder, .leftElbow, .leftWrist, .rightShoulder, .rightElbow, .rightWrist,
        .leftHip, .leftKnee, .leftAnkle, .rightHip, .rightKnee, .rightAnkle, .leftEye, .rightEye, .leftEar, .rightEar,
    ]
}
