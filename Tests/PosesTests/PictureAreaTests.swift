import Poses
import Testing

@Suite struct PictureAreaTests {
    /// A U: the notch at the top is outside.
    private let notched = PictureArea(corners: [
        [0.2, 0.2], [0.4, 0.2], [0.4, 0.6], [0.6, 0.6], [0.6, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8],
    ])

    @Test(arguments: [
        (0.3, 0.3, true), (0.5, 0.7, true), (0.7, 0.5, true), (0.5, 0.4, false), (0.1, 0.5, false), (0.9, 0.5, false),
        (0.5, 0.1, false), (0.5, 0.9, false),
    ])
    func `a point lies inside or outside, also in a notch`(x: Float, y: Float, isInside: Bool) {
        #expect(notched.contains([x, y]) == isInside)
        let reversed = PictureArea(corners: notched.corners.reversed())
        #expect(reversed.contains([x, y]) == isInside)
    }

    @Test func `too few corners and strange numbers enclose nothing`() {
        #expect(!PictureArea(corners: []).contains([0.5, 0.5]))
        #expect(!PictureArea(corners: [[0, 0], [1, 1]]).contains([0.5, 0.5]))
        #expect(!notched.contains([.nan, 0.5]) && !notched.contains([.infinity, 0.5]))
        #expect(!PictureArea(corners: [[.nan, 0], [1, 0], [1, 1]]).contains([0.9, 0.1]))
    }

    private func pose(_ joints: [Joint: SIMD3<Float>]) -> Pose {
        var keypoints = [Keypoint](repeating: Keypoint(x: 0, y: 0, confidence: 0), count: 18)
        for (joint, value) in joints {
            keypoints[joint.rawValue] = Keypoint(x: value.x, y: value.y, confidence: value.z)
        }
        return Pose(keypoints: keypoints)
    }

    @Test func `feet are the middle of the ankles, or the lower edge of what is seen`() throws {
        let both = pose([.leftAnkle: [0.4, 0.9, 1], .rightAnkle: [0.6, 0.8, 1], .nose: [0.1, 0.1, 1]])
        let feet = try #require(both.feet)
        #expect(abs(feet.x - 0.5) < 1e-5 && abs(feet.y - 0.85) < 1e-5)
        #expect(pose([.leftAnkle: [0.4, 0.9, 1], .rightAnkle: [0.6, 0.8, 0.4]]).feet == [0.4, 0.9])
        #expect(
            pose([.leftHip: [0.25, 0.5, 1], .rightHip: [0.75, 0.5, 1], .nose: [0.5, 0.25, 1]]).feet == [0.5, 0.5])
        #expect(pose([.leftAnkle: [0.4, 0.9, 0.4]]).feet == nil)
    }
}
