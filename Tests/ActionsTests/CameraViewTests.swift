import Actions
import Foundation
import Poses
import Testing

@Suite struct CameraViewTests {
    private func view(_ figure: AimFigure, count: Int = 10) -> CameraView {
        CameraView(of: (0..<count).map { _ in figure.pose() }, aspect: 640.0 / 480)
    }

    @Test(
        arguments: [
            (0, .front), (20, .front), (30, .front), (45, .turned), (55, .turned), (75, .side), (90, .side),
            (135, .turned), (180, .front),
        ] as [(Float, CameraView)])
    func `the view follows the turn of the body`(degrees: Float, view: CameraView) {
        #expect(self.view(AimFigure(turnDegrees: degrees)) == view)
        #expect(self.view(AimFigure(turnDegrees: degrees, tiltDegrees: 90)) == view)
        #expect(self.view(AimFigure(scale: 0.3, turnDegrees: degrees)) == view)
    }

    /// Median positions of shoulders and hips that the networks found in bundled clips of standing or walking people.
    /// `spotter poses CLIP` writes them.
    @Test(
        arguments: [
            ("stand_45", 0.75, [(0.46, 0.37), (0.59, 0.37), (0.48, 0.53), (0.56, 0.53)], .front),
            ("squat_front", 0.75, [(0.4326, 0.3888), (0.5739, 0.388), (0.4565, 0.5438), (0.5416, 0.5442)], .front),
            ("walk_stand", 4.0 / 3, [(0.505, 0.36), (0.52, 0.36), (0.502, 0.52), (0.511, 0.52)], .side),
            ("two_people", 4.0 / 3, [(0.63, 0.33), (0.73, 0.33), (0.66, 0.51), (0.71, 0.51)], .front),
        ] as [(String, Float, [(Float, Float)], CameraView)])
    func `people of the clips are seen as they stand`(
        clip: String, aspect: Float, points: [(Float, Float)], view: CameraView
    ) {
        var keypoints = [Keypoint](repeating: .missing, count: 18)
        for (joint, point) in zip([Joint.rightShoulder, .leftShoulder, .rightHip, .leftHip], points) {
            keypoints[joint.rawValue] = Keypoint(x: point.0, y: point.1, confidence: 1)
        }
        let pose = Pose(keypoints: keypoints)
        #expect(CameraView(of: [pose, pose, pose], aspect: aspect) == view)
    }

    @Test func `one missing joint, or somebody who bends, does not change the view`() {
        #expect(view(AimFigure(hidden: [.leftHip])) == .front)
        #expect(view(AimFigure(turnDegrees: 90, hidden: [.leftShoulder])) == .side)
        // A trunk that leans towards the camera looks short, so the shoulders look wide.
        let turned = AimFigure(turnDegrees: 45)
        let bent = turned.pose()
        var keypoints = bent.keypoints
        for joint in [Joint.rightShoulder, .leftShoulder] { keypoints[joint.rawValue].y += 0.08 }
        let poses = [turned.pose(), turned.pose(), bent, Pose(keypoints: keypoints), Pose(keypoints: keypoints)]
        #expect(CameraView(of: poses, aspect: 640.0 / 480) == .turned)
    }

    @Test func `without shoulders, without hips or with too few poses the view is unknown`() {
        #expect(view(AimFigure(hidden: [.leftShoulder, .rightShoulder])) == .unknown)
        #expect(view(AimFigure(hidden: [.leftHip, .rightHip])) == .unknown)
        #expect(view(AimFigure(hidden: [.leftHip, .leftShoulder])) == .unknown)
        #expect(view(AimFigure(), count: 2) == .unknown)
        #expect(view(AimFigure(scale: 0.001)) == .unknown)
        #expect(CameraView(of: [], aspect: 1) == .unknown)
        let lost = Pose(keypoints: Array(repeating: .missing, count: 18))
        let seldom = Array(repeating: lost, count: 4) + (0..<3).map { _ in AimFigure().pose() }
        #expect(CameraView(of: seldom, aspect: 1) == .unknown)
    }
}
