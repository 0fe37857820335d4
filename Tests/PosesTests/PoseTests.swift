import Poses
import Testing

@Suite struct PoseTests {
    @Test func `the joints are in Vision's order`() {
        #expect(Joint.allCases.map(\.name) == Joint.names)
        #expect(Joint.names.count == 18)
        #expect(Joint.rightHip.rawValue == 8 && Joint.leftAnkle.rawValue == 13 && Joint.leftEar.rawValue == 17)
    }

    @Test func `mirroring twice gives the same joint, and swaps left and right`() {
        for joint in Joint.allCases {
            #expect(joint.mirrored.mirrored == joint)
            #expect(joint.name.contains("left") == joint.mirrored.name.contains("right"))
        }
    }

    @Test func `the root is the middle of the hips, with the lower of their confidences`() {
        var points = [Keypoint](repeating: .missing, count: 18)
        points[Joint.leftHip.rawValue] = Keypoint(x: 0.6, y: 0.5, confidence: 0.9)
        points[Joint.rightHip.rawValue] = Keypoint(x: 0.4, y: 0.7, confidence: 0.7)
        let root = Pose(keypoints: points).root
        #expect(abs(root.x - 0.5) < 1e-6 && abs(root.y - 0.6) < 1e-6 && root.confidence == 0.7)
    }

    @Test func `without a hip there is no root`() {
        #expect(Pose(keypoints: [Keypoint](repeating: .missing, count: 18)).root == .missing)
    }

    @Test func `the area is that of the box around what was seen`() {
        var points = [Keypoint](repeating: .missing, count: 18)
        points[0] = Keypoint(x: 0.2, y: 0.1, confidence: 1)
        points[5] = Keypoint(x: 0.6, y: 0.6, confidence: 0.2)
        #expect(abs(Pose(keypoints: points).area - 0.2) < 1e-6)
        #expect(Pose(keypoints: [Keypoint](repeating: .missing, count: 18)).area == 0)
    }
}
