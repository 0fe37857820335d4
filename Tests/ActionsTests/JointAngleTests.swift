import Actions
import Foundation
import Poses
import Testing

/// A person in space who bends the knees, seen from any side by a camera far away.
private struct Sitter {
    var yawDegrees: Float
    /// The bend of the knees at the lowest point, in degrees.
    var bend: Float

    /// One repetition of four seconds between two seconds of standing, at 30 Hz.
    var stretch: PoseStretch {
        let keypoints = (0..<180).flatMap { frame -> [Float] in
            let time = Float(frame) / 30
            let share = time < 1 || time > 5 ? 0 : (1 - cos((time - 1) / 4 * 2 * .pi)) / 2
            return pose(bend * share)
        }
        return PoseStretch(start: 0, rate: 30, aspect: 1, keypoints: keypoints)
    }

    private func pose(_ bend: Float) -> [Float] {
        // The shin leans forward by half of the bend, the thigh backward; the trunk leans as far as the shin.
        let lean = bend / 2 * .pi / 180
        let ankle = SIMD2<Float>(0, 0), knee = ankle + SIMD2(sin(lean), cos(lean)) * 0.45
        let hip = knee + SIMD2(-sin(lean), cos(lean)) * 0.45, neck = hip + SIMD2(sin(lean), cos(lean)) * 0.5
        var values = [Float](repeating: 0, count: 54)
        func put(_ joint: Joint, _ place: SIMD2<Float>, aside: Float) {
            // Forwards in the body becomes a part to the side in the picture.
            let yaw = yawDegrees * .pi / 180
            let x = place.x * sin(yaw) + aside * cos(yaw)
            values.replaceSubrange(
                joint.rawValue * 3..<joint.rawValue * 3 + 3, with: [0.5 + 0.4 * x, 0.9 - 0.4 * place.y, 1])
        }
        put(.neck, neck, aside: 0)
        put(.nose, neck + SIMD2(0.05, 0.2), aside: 0)
        for (side, aside) in [(false, Float(-1)), (true, 1)] {
            func own(_ joint: Joint) -> Joint { side ? joint.mirrored : joint }
            put(own(.rightShoulder), neck, aside: aside * 0.18)
            put(own(.rightElbow), neck - SIMD2(0, 0.28), aside: aside * 0.2)
            put(own(.rightWrist), neck - SIMD2(0, 0.5), aside: aside * 0.2)
            put(own(.rightHip), hip, aside: aside * 0.103)
            put(own(.rightKnee), knee, aside: aside * 0.103)
            put(own(.rightAnkle), ankle, aside: aside * 0.103)
        }
        return values
    }

    var measures: RepetitionMeasures {
        let span = RepetitionSpan(Repetition(start: 1, extreme: 3, end: 5), stretch)
        let wanted: [FormMeasurement] = [
            .kneeFlexion, .hipFlexion, .trunkLean, .loweringSeconds, .raisingSeconds, .holdSeconds,
        ]
        return span.measures(wanted.map { ($0, $0.views) }, BodyMeasures(stretch))
    }
}

@Suite struct JointAngleTests {
    @Test(arguments: [0, 20, 45, 70, 90] as [Float], [60, 90, 110] as [Float])
    func `the bend of knees and hips is right from every side`(yaw: Float, bend: Float) throws {
        let measures = Sitter(yawDegrees: yaw, bend: bend).measures
        let knee = try #require(measures[.kneeFlexion]), hip = try #require(measures[.hipFlexion])
        #expect(abs(knee.value - Double(bend)) < 6, "\(knee.value)")
        #expect(abs(hip.value - Double(bend)) < 6, "\(hip.value)")
        #expect((4...10).contains(knee.uncertainty))
    }

    @Test(arguments: [180, 150] as [Float])
    func `from behind, a deep squat has no bend, and a slight one has`(yaw: Float) {
        let deep = Sitter(yawDegrees: yaw, bend: 110).measures
        #expect(deep[.kneeFlexion] == nil && deep.missing[.kneeFlexion] == .foreshortened)
        #expect(deep[.hipFlexion] == nil)
        let slight = Sitter(yawDegrees: yaw, bend: 40).measures
        #expect(abs((slight[.kneeFlexion]?.value ?? 0) - 40) < 6)
    }

    @Test func `the view is said, and what cannot be seen from it has no reading`() {
        let front = Sitter(yawDegrees: 0, bend: 90).measures, side = Sitter(yawDegrees: 90, bend: 90).measures
        #expect(front.view == .front && front[.trunkLean] == nil && front.missing[.trunkLean] == .view)
        #expect(side.view == .side && abs((side[.trunkLean]?.value ?? 0) - 45) < 4)
    }

    @Test func `a lean forward that is seen from half the side is corrected`() throws {
        let lean = try #require(Sitter(yawDegrees: 45, bend: 90).measures[.trunkLean])
        #expect(abs(lean.value - 45) < 6, "\(lean.value)")
    }

    @Test func `down, held and up add up to the repetition`() throws {
        let measures = Sitter(yawDegrees: 90, bend: 90).measures
        let parts = [FormMeasurement.loweringSeconds, .holdSeconds, .raisingSeconds].compactMap { measures[$0]?.value }
        #expect(parts.count == 3 && abs(parts.reduce(0, +) - 4) < 0.01)
        #expect(abs(parts[0] - parts[2]) < 0.1 && parts[1] > 0.5)
    }

    @Test func `somebody of a few pixels, or without knees, has no reading`() {
        let whole = Sitter(yawDegrees: 90, bend: 90).stretch
        var hidden = whole.keypoints
        for frame in 0..<whole.frames { for joint in [9, 12] { hidden[frame * 54 + 3 * joint + 2] = 0.2 } }
        let span = RepetitionSpan(Repetition(start: 1, extreme: 3, end: 5), whole)
        func measured(_ keypoints: [Float]) -> RepetitionMeasures {
            let stretch = PoseStretch(start: 0, rate: 30, aspect: 1, keypoints: keypoints)
            return span.measures([(.kneeFlexion, FormMeasurement.kneeFlexion.views)], BodyMeasures(stretch))
        }
        #expect(measured(hidden).missing[.kneeFlexion] == .jointsUnseen)
        let small = whole.keypoints.enumerated().map { $0 % 3 == 2 ? $1 : 0.5 + ($1 - 0.5) * 0.1 }
        #expect(measured(small).missing[.kneeFlexion] == .tooSmall)
    }
}
