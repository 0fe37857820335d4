import Actions
import Poses
import Testing

@Suite struct MotionTraceTests {
    /// A person who stands still, moves from `start` to `end`, and stands still again; seen at 30 Hz for 8 s.
    private func trace(movingFrom start: Double, to end: Double) -> MotionTrace {
        var trace = MotionTrace()
        for index in 0..<240 {
            let time = Double(index) / 30
            let moved = Float(max(0, min(time, end) - start))
            let keypoints = Joint.allCases.map { joint in
                // Wrists and ankles move to and fro by a trunk's length a second.
                let isFar = [.leftWrist, .rightWrist, .leftAnkle, .rightAnkle].contains(joint)
                let swing = isFar ? abs(moved.truncatingRemainder(dividingBy: 1) - 0.5) : 0
                let isHip = joint == .leftHip || joint == .rightHip
                return Keypoint(x: 0.5 + swing, y: isHip ? 0.6 : 0.3, confidence: 0.9)
            }
            trace.add(
                TrackedFrame(
                    index: index, time: time, image: nil, widthPixels: 100, heightPixels: 100,
                    tracks: [Track(id: 1, pose: Pose(keypoints: keypoints))], prominent: 1))
        }
        return trace
    }

    private func predictions(_ labels: [String]) -> [Prediction] {
        labels.enumerated().map { index, label in
            Prediction(
                track: 1, start: Double(index), end: Double(index) + 2, label: label, confidence: 0.9,
                probabilities: [], poseShare: 1, frames: 30)
        }
    }

    @Test func `a segment's ends are moved to where the motion begins and ends`() throws {
        let finder = SegmentFinder(exercises: ["jack"], stepSeconds: 1)
        let labels = ["none", "jack", "jack", "jack", "jack", "none", "none"]
        let found = try #require(
            finder.segments(in: predictions(labels), motion: trace(movingFrom: 1.9, to: 5.1)).first)
        #expect(abs(found.start - 1.9) < 0.15 && abs(found.end - 5.1) < 0.15)
    }

    @Test func `an exercise that fills the recording keeps its ends`() throws {
        let finder = SegmentFinder(exercises: ["jack"], stepSeconds: 1)
        let found = try #require(
            finder.segments(
                in: predictions(Array(repeating: "jack", count: 7)), motion: trace(movingFrom: 0, to: 8)
            ).first)
        #expect(found.start < 0.1 && found.end > 7.8)
    }
}
