import Actions
import Capture
import Foundation
import Poses
import Records
import Testing

@Suite struct AimAdviceTests {
    private static let exercises = ["squat", "lunge", "push_up", "sit_up", "jumping_jack", "burpee", "my own"]

    /// The advice after `count` frames of the poses at 20 Hz.
    private func advice(
        _ figure: AimFigure = AimFigure(), count: Int = 50, brightness: UInt8 = 110, references: Set<String> = [],
        poses: ((Int) -> [Pose])? = nil
    ) -> AimAdvice {
        var adviser = AimAdviser(exercises: Self.exercises, references: references)
        let image = figure.image(brightness)
        for index in 0..<count {
            adviser.watch(figure.frame(index, poses?(index) ?? [figure.pose()], image: image))
        }
        return adviser.advice
    }

    private func codes(_ advice: AimAdvice) -> [AimAdvice.Code] { advice.advice.map(\.code) }

    @Test(
        arguments: [
            ("front", AimFigure(), [.good]),
            ("from the side", AimFigure(turnDegrees: 90), [.good]),
            ("the far arm is hidden", AimFigure(turnDegrees: 90, hidden: [.leftElbow, .leftWrist]), [.good]),
            ("turned by half", AimFigure(turnDegrees: 45), [.good]),
            ("feet cut off", AimFigure(shift: [0, 0.22]), [.feetOutside]),
            ("feet cut off", AimFigure(shift: [0, 0.22], hidden: AimFigure.legs), [.feetOutside, .jointsHidden]),
            ("head cut off", AimFigure(shift: [0, -0.24]), [.headOutside]),
            ("at the left edge", AimFigure(shift: [-0.5, 0]), [.sideOutside]),
            ("far away", AimFigure(scale: 0.35), [.tooSmall]),
            ("near", AimFigure(scale: 1.25), [.tooLarge]),
            ("much too near", AimFigure(scale: 2), [.feetOutside, .headOutside]),
            ("the camera lies on its side", AimFigure(tiltDegrees: 90), [.turnUpright]),
            ("the camera lies on its other side", AimFigure(shift: [0, 0.4], tiltDegrees: -90), [.turnUpright]),
            ("the camera is upside down", AimFigure(tiltDegrees: 180), [.turnUpright]),
            ("something hides the legs", AimFigure(hidden: AimFigure.legs), [.jointsHidden]),
            ("an upright picture", AimFigure(picture: (480, 640)), [.good]),
            ("a wide picture", AimFigure(picture: (1280, 720)), [.good]),
        ] as [(String, AimFigure, [AimAdvice.Code])])
    func `the advice names what is wrong`(name: String, figure: AimFigure, expected: [AimAdvice.Code]) {
        let advice = advice(figure)
        #expect(codes(advice) == expected, "\(name): \(advice.advice)")
        #expect(advice.people == 1 && advice.joints.count == 13)
    }

    @Test func `the person's height is estimated, in a squat as well`() throws {
        #expect(abs(try #require(advice().size) - 0.6) < 0.03)
        #expect(advice(AimFigure(squat: 0.9)).size == advice().size)
        let small = advice(AimFigure(scale: 0.35))
        #expect(
            small.advice[0].message == "Come closer. You fill 26 % of the picture's height. "
                + "Below 32 % people may be found only while they move.")
        #expect(advice(AimFigure(hidden: [.leftHip, .rightHip])).size == nil)
    }

    @Test func `feet outside mean tilting the camera, or stepping back if the person does not fit`() {
        let low = advice(AimFigure(shift: [0, 0.22])).advice[0].message
        #expect(low == "Tilt the camera down, or step back, until your feet are in the picture.")
        let near = advice(AimFigure(scale: 2)).advice[0].message
        #expect(near == "Step back, or tilt the camera down, until your feet are in the picture.")
    }

    @Test func `joints are seen, unsure or outside`() {
        let advice = advice(AimFigure(shift: [0, 0.22], hidden: [.rightWrist]))
        let states = Dictionary(uniqueKeysWithValues: advice.joints.map { ($0.name, $0.state) })
        #expect(states["nose"] == .seen && states["right_wrist"] == .unsure && states["left_ankle"] == .outside)
    }

    @Test func `hands that leave the picture only at times are outside as well`() {
        let figure = AimFigure(shift: [0, -0.14])
        var raised = figure.pose().keypoints
        for joint in [Joint.leftWrist, .rightWrist] { raised[joint.rawValue].y = -0.05 }
        let often = advice(figure, poses: { [$0 % 20 < 6 ? Pose(keypoints: raised) : figure.pose()] })
        #expect(codes(often) == [.headOutside])
        #expect(often.advice[0].message == "Tilt the camera up, or step back, until your whole body is in the picture.")
        #expect(codes(advice(figure, poses: { [$0 == 40 ? Pose(keypoints: raised) : figure.pose()] })) == [.good])
    }

    @Test func `light is judged by the picture, and not without one`() {
        #expect(codes(advice(brightness: 10)) == [.tooDark])
        #expect(codes(advice(brightness: 254)) == [.tooBright])
        #expect(advice(brightness: 110).brightness == 0.43)
        var adviser = AimAdviser(exercises: [])
        for index in 0..<20 { adviser.watch(AimFigure().frame(index, [AimFigure().pose()])) }
        #expect(adviser.advice.brightness == nil && codes(adviser.advice) == [.good])
    }

    @Test func `in YUYV and NV12 black is 16 and white 235`() {
        func brightness(_ luma: UInt8, _ layout: Image.Layout) -> Double? {
            let pixels = 64 * 48
            let bytes =
                if case .nv12 = layout {
                    [UInt8](repeating: luma, count: pixels) + [UInt8](repeating: 128, count: pixels / 2)
                } else {
                    (0..<pixels).flatMap { _ -> [UInt8] in [luma, 128] }
                }
            let image = Image(widthPixels: 64, heightPixels: 48, layout: layout, bytes: bytes)
            var adviser = AimAdviser(exercises: [])
            adviser.watch(AimFigure(picture: (64, 48)).frame(0, [], image: image))
            return adviser.advice.brightness
        }
        for layout in [Image.Layout.yuyv(isFullRange: false), .nv12(isFullRange: false)] {
            #expect(brightness(16, layout) == 0 && brightness(235, layout) == 1)
        }
        #expect(brightness(51, .yuyv(isFullRange: true)) == 0.2 && brightness(51, .nv12(isFullRange: true)) == 0.2)
    }

    @Test func `nobody and no picture are told apart`() {
        let nobody = advice(poses: { _ in [] })
        #expect(codes(nobody) == [.nobodyInView] && nobody.people == 0 && nobody.joints.isEmpty)
        #expect(nobody.view == .unknown && nobody.size == nil)
        #expect(nobody.exercises.allSatisfy { !$0.recognised && !$0.judged && $0.reason != nil })
        #expect(codes(AimAdviser(exercises: Self.exercises).advice) == [.noPicture])
        #expect(codes(advice(brightness: 10, poses: { _ in [] })) == [.nobodyInView, .tooDark])
    }

    @Test func `two people are one too many`() {
        let other = AimFigure(scale: 0.6, shift: [0.25, 0])
        let advice = advice(poses: { _ in [AimFigure().pose(), other.pose()] })
        #expect(codes(advice) == [.severalPeople] && advice.people == 2 && advice.view == .front)
    }

    @Test func `joints that jump are unsteady, somebody who bounces is not`() {
        let figure = AimFigure()
        let shaking = advice(poses: { [figure.pose(offset: [$0.isMultiple(of: 2) ? 0.03 : 0, 0])] })
        #expect(codes(shaking) == [.unsteady])
        let bouncing = advice(poses: { [figure.pose(offset: [0, 0.03 * Float(sin(Double($0) / 20 * 4 * .pi))])] })
        #expect(codes(bouncing) == [.good])
        let flickering = advice(poses: { $0 % 5 == 0 ? [] : [figure.pose()] })
        #expect(codes(flickering) == [.unsteady])
    }

    @Test func `at most three hints are given, the most important first`() {
        let figure = AimFigure(scale: 2, hidden: [.leftWrist, .rightWrist])
        let advice = advice(figure, brightness: 10, poses: { _ in [figure.pose(), figure.pose(offset: [0.1, 0])] })
        #expect(codes(advice) == [.severalPeople, .tooDark, .feetOutside])
    }

    @Test func `only the newest two seconds count, and a new start forgets everything`() {
        #expect(codes(advice(count: 200, poses: { $0 < 150 ? [] : [AimFigure().pose()] })) == [.good])
        var adviser = AimAdviser(exercises: [])
        let figure = AimFigure()
        for index in 100..<140 { adviser.watch(figure.frame(index, [])) }
        adviser.watch(figure.frame(0, [figure.pose()]))
        #expect(adviser.advice.people == 1)
        var upright = figure
        upright.picture = (480, 640)
        adviser.watch(upright.frame(1, []))
        #expect(adviser.advice.people == 0)
    }

    @Test func `numbers that are not finite are missing joints`() {
        for bad in [Float.nan, .infinity, -.infinity, 1e30] {
            var keypoints = AimFigure().pose().keypoints
            for joint in [Joint.leftWrist, .rightWrist] { keypoints[joint.rawValue].x = bad }
            keypoints[Joint.leftHip.rawValue].y = bad
            keypoints[Joint.nose.rawValue].confidence = .nan
            let advice = advice(poses: { _ in [Pose(keypoints: keypoints)] })
            #expect(codes(advice) == [.jointsHidden], "\(bad)")
            let nowhere = Pose(keypoints: Array(repeating: Keypoint(x: bad, y: bad, confidence: bad), count: 18))
            let lost = self.advice(poses: { _ in [nowhere] })
            #expect(codes(lost) == [.jointsHidden] && lost.view == .unknown && lost.size == nil)
        }
        var adviser = AimAdviser(exercises: [])
        let frame = AimFigure().frame(0, [])
        adviser.watch(
            TrackedFrame(
                index: 0, time: .nan, image: nil, widthPixels: 0, heightPixels: 0, tracks: frame.tracks, prominent: nil)
        )
        #expect(codes(adviser.advice) == [.noPicture])
    }
}
