extension Pose {
    /// Selects the 18 joints from BlazePose's 33 landmarks. The neck is the middle of the shoulders.
    ///
    /// A joint's confidence is the landmark's visibility.
    init(_ landmarks: Landmarks) {
        var keypoints = [Keypoint](repeating: .missing, count: Joint.allCases.count)
        for (joint, index) in Self.landmarkIndices {
            let point = landmarks.points[index]
            keypoints[joint.rawValue] = Keypoint(x: point.x, y: point.y, confidence: min(max(point.visibility, 0), 1))
        }
        keypoints[Joint.neck.rawValue] = .middle(
            of: keypoints[Joint.leftShoulder.rawValue], and: keypoints[Joint.rightShoulder.rawValue])
        self.init(keypoints: keypoints)
    }

    /// A pose without any joint.
    static let nobody = Pose(keypoints: Array(repeating: .missing, count: Joint.allCases.count))

    /// The index of each joint among BlazePose's 33 landmarks.
    private static let landmarkIndices: [(Joint, Int)] = [
        (.nose, 0), (.leftEye, 2), (.rightEye, 5), (.leftEar, 7), (.rightEar, 8), (.leftShoulder, 11),
        (.rightShoulder, 12), (.leftElbow, 13), (.rightElbow, 14), (.leftWrist, 15), (.rightWrist, 16),
        (.leftHip, 23), (.rightHip, 24), (.leftKnee, 25), (.rightKnee, 26), (.leftAnkle, 27), (.rightAnkle, 28),
    ]
}
