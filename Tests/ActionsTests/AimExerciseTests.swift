import Actions
import Foundation
import Poses
import Records
import Testing

@Suite struct AimExerciseTests {
    private static let exercises = ["squat", "lunge", "push_up", "sit_up", "jumping_jack", "burpee", "my own"]

    private func advice(_ figure: AimFigure, references: Set<String> = []) -> AimAdvice {
        var adviser = AimAdviser(exercises: Self.exercises, references: references, rules: .usual)
        for index in 0..<20 { adviser.watch(figure.frame(index, [figure.pose()])) }
        return adviser.advice
    }

    private func exercises(
        _ figure: AimFigure, references: Set<String> = []
    ) -> [String: AimAdvice.Exercise] {
        let all = advice(figure, references: references).exercises
        #expect(all.map(\.label) == Self.exercises)
        return Dictionary(uniqueKeysWithValues: all.map { ($0.label, $0) })
    }

    @Test func `a whole body is enough for everything that has rules`() throws {
        for turnDegrees in [0, 90] as [Float] {
            let found = exercises(AimFigure(turnDegrees: turnDegrees))
            #expect(found.values.allSatisfy { $0.recognised })
            #expect(found.filter(\.value.judged).count == 6)
        }
        let own = try #require(exercises(AimFigure())["my own"])
        #expect(!own.judged && own.reason == "Only the rhythm is judged. Record a coach's reference to judge the form.")
        let coached = try #require(exercises(AimFigure(), references: ["my own"])["my own"])
        #expect(coached.judged && coached.reason == nil)
    }

    @Test func `one side of the body is enough`() {
        let left: Set<Joint> = [.leftShoulder, .leftElbow, .leftWrist, .leftHip, .leftKnee, .leftAnkle]
        let found = exercises(AimFigure(turnDegrees: 90, hidden: left))
        #expect(found.values.allSatisfy { $0.recognised } && found["squat"]?.judged == true)
    }

    @Test func `without feet squats are not recognised, jumping jacks are`() {
        let found = exercises(AimFigure(shift: [0, 0.22]))
        #expect(found["squat"]?.recognised == false && found["squat"]?.reason == "It needs the ankles in view.")
        #expect(found["lunge"]?.recognised == false && found["burpee"]?.recognised == false)
        #expect(found["jumping_jack"]?.recognised == true && found["jumping_jack"]?.judged == true)
        #expect(found["push_up"]?.recognised == true)
        #expect(found["my own"]?.recognised == false)
    }

    @Test func `without arms jumping jacks are not recognised, and push-ups are not judged`() {
        let found = exercises(AimFigure(hidden: [.leftElbow, .rightElbow, .leftWrist, .rightWrist]))
        #expect(found["jumping_jack"]?.reason == "It needs the elbows or wrists in view.")
        let pushUp = found["push_up"]
        #expect(pushUp?.recognised == true && pushUp?.judged == false)
        #expect(
            pushUp?.reason
                == "To judge the range of motion, the shoulders and wrists of one side must be in view.")
        #expect(found["squat"]?.judged == true)
    }

    @Test func `without a head sit-ups are not recognised`() {
        let head: Set<Joint> = [.nose, .leftEye, .rightEye, .leftEar, .rightEar]
        #expect(exercises(AimFigure(hidden: head))["sit_up"]?.reason == "It needs the head in view.")
        // From behind the ears are seen.
        #expect(exercises(AimFigure(hidden: [.nose, .leftEye, .rightEye]))["sit_up"]?.recognised == true)
    }

    @Test func `what is not judged from a view is said`() {
        let front = exercises(AimFigure()), side = exercises(AimFigure(turnDegrees: 90))
        #expect(
            front["lunge"]?.reason == "From the front, this is not judged: upright trunk.")
        #expect(front["squat"]?.reason == "From the front, this is not judged: upright trunk.")
        #expect(side["squat"]?.reason == "From the side, this is not judged: left and right alike.")
        #expect(front["push_up"]?.reason == nil && side["lunge"]?.reason == nil)
    }

    @Test func `nothing is promised while the picture lies on its side`() {
        let across = exercises(AimFigure(tiltDegrees: 90))
        #expect(across.values.allSatisfy { !$0.recognised && !$0.judged && $0.reason?.contains("upright") == true })
    }

    @Test func `people of a few pixels are not recognised`() {
        let tiny = exercises(AimFigure(scale: 0.15, picture: (640, 480)))
        #expect(tiny.values.allSatisfy { !$0.recognised && $0.reason == "You are too small in the picture." })
    }

    @Test func `the JSON has every key, and null for what is unknown`() throws {
        let advice = AimAdviser(exercises: ["squat"]).advice
        let text = try JSONText.encode(advice)
        #expect(
            text == """
                {"advice":[{"code":"no_picture","message":"No picture has come yet. Wait, or see whether the camera is \
                online."}],"brightness":null,"exercises":[{"judged":false,"label":"squat",\
                "reason":"Nobody is in view.","recognised":false}],"joints":[],"people":0,"size":null,"view":"unknown"}
                """)
        #expect(try JSONDecoder().decode(AimAdvice.self, from: Data(text.utf8)) == advice)
        let seen = self.advice(AimFigure(turnDegrees: 90))
        let again = try JSONDecoder().decode(AimAdvice.self, from: Data(try JSONText.encode(seen).utf8))
        #expect(again == seen)
        #expect(try JSONText.encode(seen).contains(#""reason":null"#))
        #expect(try JSONText.encode(seen).contains(#"{"name":"left_ankle","state":"seen"}"#))
    }
}
