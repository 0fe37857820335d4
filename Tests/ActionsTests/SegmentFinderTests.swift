import Actions
import Testing

@Suite struct SegmentFinderTests {
    private let finder = SegmentFinder(exercises: ["squat", "lunge"], stepSeconds: 1)

    private func predictions(_ labels: [String], track: Int = 1) -> [Prediction] {
        labels.enumerated().map { index, label in
            Prediction(
                track: track, start: Double(index), end: Double(index) + 2, label: label, confidence: 0.9,
                probabilities: [], poseShare: 1, frames: 30)
        }
    }

    @Test func `a run of one label is a segment between the middles of its windows`() {
        let segments = finder.segments(in: predictions(["none", "squat", "squat", "squat", "none"]))
        #expect(segments == [ActionSegment(track: 1, label: "squat", start: 1.5, end: 4.5)])
    }

    @Test func `the first and the last window also cover their outer halves`() {
        #expect(
            finder.segments(in: predictions(["squat", "squat"]))
                == [ActionSegment(track: 1, label: "squat", start: 0, end: 3)])
    }

    @Test func `one misclassified window does not split a segment`() {
        let segments = finder.segments(in: predictions(["squat", "squat", "low_confidence", "squat", "squat"]))
        #expect(segments.count == 1)
    }

    @Test func `a single window is not a segment, and neither are labels without an exercise`() {
        #expect(finder.segments(in: predictions(["none", "squat", "none", "other", "other"])).isEmpty)
    }

    @Test func `a breather does not split a segment, a longer pause or another exercise does`() {
        func labels(_ pause: [String]) -> [String] {
            finder.segments(in: predictions(["squat", "squat"] + pause + ["squat", "squat"])).map(\.label)
        }
        #expect(labels(["none", "none", "other", "none"]) == ["squat"])
        #expect(labels(Array(repeating: "none", count: 5)) == ["squat", "squat"])
        #expect(labels(["lunge", "lunge"]) == ["squat", "lunge", "squat"])
    }

    @Test func `two exercises one after the other are two segments`() {
        let segments = finder.segments(in: predictions(["squat", "squat", "lunge", "lunge"]))
        #expect(segments.map(\.label) == ["squat", "lunge"])
        #expect(segments[0].end == segments[1].start)
    }
}
