import Foundation
import Poses

/// The renderer's truth beside a clip: exact joints, segments and repetitions.
struct GroundTruth: Decodable {
    let width: Int
    let height: Int
    let fps: Double
    let people: [Person]
    let data: [Frame]

    struct Person: Decodable {
        let segments: [Segment]
        let repetitions: [Repetition]
    }

    struct Repetition: Decodable {
        let exercise: String
        let start: Double
        let end: Double
        /// Which side works, `left` or `right`, where they work in turn.
        let side: String?
    }

    struct Segment: Decodable {
        let start: Double
        let end: Double
        let label: String
    }

    struct Frame: Decodable {
        let t: Double
        let people: [Figure]
    }

    /// BlazePose's 33 landmarks as [x, y in pixels, depth, in frame, occluded].
    struct Figure: Decodable { let landmarks: [Landmark] }

    /// Only the position; the rest of the list is not read.
    struct Landmark: Decodable {
        let place: SIMD2<Double>

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            place = SIMD2(try list.decode(Double.self), try list.decode(Double.self))
        }
    }

    init(clip: String) throws {
        let file = Program.clips.appending(path: clip + ".json")
        self = try JSONDecoder().decode(GroundTruth.self, from: Data(contentsOf: file, options: .alwaysMapped))
    }

    static let indices: [Joint: Int] = [
        .nose: 0, .leftEye: 2, .rightEye: 5, .leftEar: 7, .rightEar: 8, .leftShoulder: 11, .rightShoulder: 12,
        .leftElbow: 13, .rightElbow: 14, .leftWrist: 15, .rightWrist: 16, .leftHip: 23, .rightHip: 24, .leftKnee: 25,
        .rightKnee: 26, .leftAnkle: 27, .rightAnkle: 28,
    ]

    /// A joint's true position in pixels.
    func point(_ joint: Joint, frame: Int, person: Int) -> SIMD2<Double> {
        let landmarks = data[frame].people[person].landmarks
        guard joint != .neck else { return (landmarks[11].place + landmarks[12].place) / 2 }
        return landmarks[Self.indices[joint] ?? 0].place
    }

    /// Writes the true joints as a pose stream, so that everything after the pose networks can be tested without them.
    ///
    /// - Parameters:
    ///   - times: how often the clip is repeated, so that a node under test does not reach its end.
    ///   - breadth: how broad people look, such as 0.5 for another camera that sees them rather from the side.
    func writePoseStream(to url: URL, times: Int = 1, breadth: Double = 1) throws {
        let writer = try PoseStreamWriter(
            url, header: PoseStreamHeader(rateHz: fps, width: width, height: height, source: "truth"))
        let length = (data.last?.t ?? 0) + 1 / fps
        for turn in 0..<times * data.count {
            let index = turn % data.count
            let tracks = people.indices.map { person in
                Track(
                    id: person + 1,
                    pose: Pose(
                        keypoints: Joint.allCases.map { joint in
                            let point = self.point(joint, frame: index, person: person)
                            return Keypoint(
                                x: Float(0.5 + (point.x / Double(width) - 0.5) * breadth),
                                y: Float(point.y / Double(height)), confidence: 0.95)
                        }))
            }
            try writer.write(
                TrackedFrame(
                    index: turn, time: data[index].t + Double(turn / data.count) * length, image: nil,
                    widthPixels: width, heightPixels: height,
                    tracks: tracks, prominent: nil))
        }
        try writer.finish()
    }
}
