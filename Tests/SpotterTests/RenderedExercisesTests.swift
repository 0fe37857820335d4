import Foundation
import TestSupport
import Testing

/// Runs the small clips, two views of each of thirteen more exercises, through the whole program.
///
/// The table says what is true with the shipped model. When a known issue is gone the test fails: mend the table.
@Suite(.enabled(if: Program.hasPoseModels, "the pose networks are not fetched: make models"))
struct RenderedExercisesTests {
    /// How well a clip is counted.
    enum Count: Sendable {
        /// To within one, in one set.
        case right
        /// Known to be wrong.
        case wrong
        /// The model hesitates between two exercises; how the video is encoded decides whether there is a set.
        case uncertain
    }

    struct Clip: Sendable, CustomTestStringConvertible {
        let name: String
        let count: Count

        init(_ name: String, _ count: Count = .right) { (self.name, self.count) = (name, count) }

        var testDescription: String { name }
    }

    static let clips = [
        Clip("biceps_curl_front"), Clip("biceps_curl_45"), Clip("shoulder_press_front", .wrong),
        Clip("shoulder_press_45", .uncertain), Clip("arm_raise_front"), Clip("arm_raise_45"), Clip("deadlift_front"),
        Clip("deadlift_60"), Clip("row_front"), Clip("row_60"), Clip("kettlebell_swing_front"),
        Clip("kettlebell_swing_60"), Clip("calf_raise_front"), Clip("calf_raise_45"), Clip("high_knees_front"),
        Clip("high_knees_45"), Clip("step_up_45"), Clip("step_up_75"), Clip("plank_side"), Clip("plank_45"),
        Clip("mountain_climber_side"), Clip("mountain_climber_45"), Clip("glute_bridge_side"),
        Clip("glute_bridge_45"), Clip("leg_raise_side"), Clip("leg_raise_60"),
    ]

    private struct Answer: Decodable {
        let windows: [Window]
        let segments: [Segment]
        let sets: [FoundSet]
        let reps: [String: Int]

        struct Window: Decodable { let label: String }
        struct Segment: Decodable { let repetitions: [Repetition] }
        struct Repetition: Decodable { let side: String? }
        struct FoundSet: Decodable { let label: String }

        /// The sides of the repetitions, where they are told.
        var sides: [String] { segments.flatMap(\.repetitions).compactMap(\.side) }

        /// The share of the windows that show a label.
        func share(of label: String) -> Double {
            Double(windows.count { $0.label == label }) / Double(max(windows.count, 1))
        }
    }

    private func classify(_ clip: String) throws -> Answer {
        let file = Program.clips.appending(path: clip + ".mp4").path
        let process = try Program.start(["classify", file, "--json"])
        let data = process.output.wholeBytes()
        try #require(process.wait() == 0)
        return try JSONDecoder().decode(Answer.self, from: data)
    }

    @Test(arguments: clips)
    func `each small clip shows its exercise, with the number of repetitions to within one`(clip: Clip) throws {
        let truth = try #require(GroundTruth(clip: clip.name).people.first)
        let label = try #require(truth.segments.first { $0.label != "idle" }?.label)
        let answer = try classify(clip.name)
        #expect(answer.share(of: label) > 0.5)
        let count = {
            #expect(answer.sets.map(\.label) == [label])
            #expect(abs(answer.reps[label, default: 0] - truth.repetitions.count) <= 1, "\(answer.reps)")
        }
        switch clip.count {
        case .right: count()
        case .wrong: withKnownIssue("repetitions are lost") { count() }
        case .uncertain: withKnownIssue("there may be no set", isIntermittent: true) { count() }
        }
    }

    @Test(arguments: [
        "biceps_curl_front", "biceps_curl_45", "row_front", "row_60", "step_up_45", "step_up_75",
    ])
    func `the working side is told where the sides work in turn, and nowhere else`(clip: String) throws {
        let truth = try #require(GroundTruth(clip: clip).people.first)
        let sides = try classify(clip).sides
        let check = { #expect(sides == truth.repetitions.compactMap(\.side)) }
        if clip == "row_60" {
            withKnownIssue("of two arms only the near one is seen") { check() }
        } else {
            check()
        }
    }
}
