import Actions
import Agent
import Testing

struct CountedSetsTests {
    private func repetition(_ extreme: Double) -> Repetition {
        Repetition(start: extreme - 0.5, extreme: extreme, end: extreme + 0.5)
    }

    private func set(
        _ number: Int, _ extremes: [Double], label: String = "squat", track: Int = 1, isOpen: Bool = false
    ) -> ExerciseSet {
        ExerciseSet(
            track: track, number: number, label: label, start: (extremes.first ?? 0) - 0.5,
            end: (extremes.last ?? 0) + 0.5, repetitions: extremes.map(repetition), isOpen: isOpen)
    }

    private func segment(_ start: Double, _ end: Double, label: String = "squat", track: Int = 1) -> ActionSegment {
        ActionSegment(track: track, label: label, start: start, end: end)
    }

    private func extremes(_ dealt: CountedSets) -> [[Double]] { dealt.repetitions.map { $0.map(\.extreme) } }

    @Test func `a stretch has the repetitions of the sets in it, and one without a set has none`() {
        let states = [
            set(1, [1, 2], isOpen: true), set(1, [1, 2, 3]), set(2, [12, 14]),
            set(1, [2, 4, 6], label: "lunge", track: 2),
        ]
        let segments = [segment(0.8, 3.5), segment(11, 15), segment(30, 32), segment(0, 7, label: "lunge", track: 2)]
        let dealt = CountedSets(states, in: segments)
        #expect(extremes(dealt) == [[1, 2, 3], [12, 14], [], [2, 4, 6]] && dealt.rest.isEmpty)
    }

    @Test func `no repetition is lost or counted twice`() {
        // A set over two stretches, repetitions outside of both, and a set in none.
        let states = [set(1, [0.2, 2, 5, 8, 20]), set(2, [40, 42]), set(3, [60], isOpen: true)]
        let dealt = CountedSets(states, in: [segment(1, 3), segment(4, 7)])
        #expect(extremes(dealt) == [[0.2, 2], [5, 8]])
        #expect(dealt.rest.map { $0.repetitions.map(\.extreme) } == [[20], [40, 42], [60]])
        #expect(dealt.rest[0].start == 19.5 && dealt.rest[0].end == 20.5)
    }

    @Test func `after a jump back the sets are numbered anew, and both count`() {
        let dealt = CountedSets([set(1, [1, 2]), set(1, [3, 4])], in: [segment(0, 5)])
        #expect(extremes(dealt) == [[1, 2, 3, 4]])
    }
}
