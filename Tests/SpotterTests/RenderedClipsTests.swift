import Foundation
import Poses
import TestSupport
import Testing

/// Runs the bundled clips through the whole program and compares the actions with the renderer's exact truth.
@Suite(.enabled(if: Program.hasPoseModels, "the pose networks are not fetched: make models"))
struct RenderedClipsTests {
    static let exercises = [
        "jumping_jack_front", "jumping_jack_45", "squat_front", "squat_45", "lunge_front", "lunge_45", "burpee_front",
        "burpee_45", "demo",
    ]
    static let negatives = ["walk_stand", "stand_45"]

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private struct Answer: Decodable {
        let segments: [Segment]
        let windows: [Window]
        let frames: Int
        let reps: [String: Int]

        struct Segment: Decodable {
            let track: Int
            let label: String
            let start_s: Double
            let end_s: Double
            let reps: Int
            let repetitions: [Repetition]
        }
        struct Repetition: Decodable {
            let start_s: Double
            let extreme_s: Double
            let end_s: Double
        }
        struct Window: Decodable {
            let track: Int?
            let label: String
            let start_s: Double
            let end_s: Double
        }
    }

    private func classify(_ clip: String, _ more: [String] = []) throws -> Answer {
        let file = Program.clips.appending(path: clip + ".mp4").path
        let process = try Program.start(["classify", file, "--json"] + more)
        let data = process.output.wholeBytes()
        try #require(process.wait() == 0)
        return try JSONDecoder().decode(Answer.self, from: data)
    }

    /// The label at a time: that of the segment around it.
    private func label(_ segments: [Answer.Segment], at time: Double) -> String? {
        segments.first { $0.start_s <= time && time < $0.end_s }?.label
    }

    private func check(_ found: [Answer.Segment], against truth: [GroundTruth.Segment], _ clip: String) {
        let moments = stride(from: 0.05, to: truth.last?.end ?? 0, by: 0.1)
        // Within a shorter pause every window also shows what was before it, whose label may stay.
        let shortestPause = 1.5
        for (index, segment) in truth.enumerated() {
            let before = index > 0 && segment.end - segment.start < shortestPause ? truth[index - 1].label : nil
            let inside = moments.filter { segment.start <= $0 && $0 < segment.end }
            let isExercise = !["idle", "walk"].contains(segment.label)
            let right = inside.filter { moment in
                let label = label(found, at: moment)
                // A second between exercises has no label; its edges are known to a quarter of a second.
                return isExercise
                    ? label == segment.label
                    : label == nil || label == "other" || label == before || moment - segment.start < 0.25
                        || segment.end - moment < 0.25
            }
            let share = Double(right.count) / Double(max(inside.count, 1))
            #expect(share >= 0.9, "\(clip): \(segment.label) \(segment.start)…\(segment.end) s is right in \(share)")
        }
    }

    @Test(arguments: exercises + negatives)
    func `every clip is classified correctly`(clip: String) throws {
        check(try classify(clip).segments, against: try #require(GroundTruth(clip: clip).people.first).segments, clip)
    }

    @Test(arguments: exercises + negatives)
    func `every repetition is counted, none twice`(clip: String) throws {
        let answer = try classify(clip)
        let truth = try #require(GroundTruth(clip: clip).people.first).repetitions
        #expect(answer.reps == Dictionary(grouping: truth, by: \.exercise).mapValues(\.count))
        let found = answer.segments.flatMap(\.repetitions)
        for (found, real) in zip(found, truth) {
            #expect(real.start < found.extreme_s && found.extreme_s < real.end)
        }
    }

    @Test func `two people are two tracks with their own exercises`() throws {
        let truth = try GroundTruth(clip: "two_people")
        let answer = try classify("two_people", ["--subjects", "everyone"])
        #expect(Set(answer.windows.compactMap(\.track)).count == 2)
        for person in truth.people {
            let exercise = try #require(person.segments.first { $0.label != "idle" })
            let track = try #require(answer.segments.first { $0.label == exercise.label }?.track)
            check(
                answer.segments.filter { $0.track == track }, against: person.segments, "two_people \(exercise.label)")
            #expect(answer.reps[exercise.label] == person.repetitions.count)
        }
    }

    @Test(arguments: exercises + negatives + ["two_people"])
    func `estimated joints lie near the true ones`(clip: String) throws {
        let truth = try GroundTruth(clip: clip)
        let file = folder.file("a.poses.jsonl")
        let result = try Program.run(
            "poses", Program.clips.appending(path: clip + ".mp4").path, "-o", file.path)
        try #require(result.status == 0, "\(result.messages)")
        let reader = try PoseStreamReader(file)
        var errors: [Double] = []
        var detected = 0
        var wanted = 0
        var index = 0
        let trunk = truth.data.indices.map { frame in Self.trunk(truth, frame: frame, person: 0) }.max() ?? 1
        while let frame = try reader.next(), index < truth.data.count {
            for person in truth.people.indices {
                wanted += 1
                let own = frame.tracks.map { Self.error($0.pose, truth, frame: index, person: person) }
                guard let error = own.min(), error < trunk else { continue }
                detected += 1
                errors.append(error / trunk)
            }
            index += 1
        }
        #expect(index >= truth.data.count - 1)
        let mean = errors.reduce(0, +) / Double(max(errors.count, 1))
        #expect(Double(detected) >= 0.99 * Double(wanted), "\(clip): \(detected) of \(wanted)")
        #expect(mean <= 0.10, "\(clip): mean error \(mean) trunk lengths")
        print(
            "joints of \(clip): \(detected)/\(wanted) seen, mean error \((mean * 1000).rounded() / 1000) trunk lengths")
    }

    private static let body: [Joint] = [
        .leftShoulder, .rightShoulder, .leftElbow, .rightElbow, .leftWrist, .rightWrist, .leftHip, .rightHip,
        .leftKnee, .rightKnee, .leftAnkle, .rightAnkle,
    ]

    private static func trunk(_ truth: GroundTruth, frame: Int, person: Int) -> Double {
        let at = { (joint: Joint) in truth.point(joint, frame: frame, person: person) }
        let step = (at(.leftShoulder) + at(.rightShoulder) - at(.leftHip) - at(.rightHip)) / 2
        return (step * step).sum().squareRoot()
    }

    /// Mean distance of the 12 body joints in pixels.
    private static func error(_ pose: Pose, _ truth: GroundTruth, frame: Int, person: Int) -> Double {
        let distances = body.map { joint -> Double in
            let seen = SIMD2(Double(pose[joint].x) * Double(truth.width), Double(pose[joint].y) * Double(truth.height))
            let step = seen - truth.point(joint, frame: frame, person: person)
            return (step * step).sum().squareRoot()
        }
        return distances.reduce(0, +) / Double(distances.count)
    }
}
