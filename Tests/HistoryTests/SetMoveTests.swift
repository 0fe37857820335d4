import Actions
import Contract
import Foundation
import History
import Testing

/// What corrections move between the labels of a session: one row for each case.
@Suite struct SetMoveTests {
    /// At 10 frames a second: 10 s of squats with 12 repetitions in two sets, and 5 s of lunges in one.
    private static let actions = [
        ActionTotal(label: "squat", frames: 100, seconds: 10, reps: 12, meanConfidence: 0.9),
        ActionTotal(label: "lunge", frames: 50, seconds: 5, reps: 5, meanConfidence: 0.6),
        ActionTotal(label: "other", frames: 30, seconds: 3, reps: nil, meanConfidence: 0.5),
    ].map(SessionBody.Action.init(total:))

    private static let sets = [set(1, "squat", 0...4, 7), set(2, "squat", 20...28, 5), set(3, "lunge", 40...45, 5)]

    private static func set(_ number: Int, _ label: String, _ time: ClosedRange<Double>, _ reps: Int) -> SessionSet {
        SessionSet(
            number: number, label: label, start: Fixture.noon + time.lowerBound, end: Fixture.noon + time.upperBound,
            reps: reps)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let corrections: [Int: SetCorrection]
        /// Label, frames, seconds, repetitions and confidence.
        let expected: [String]
        var testDescription: String { name }
    }

    private static func right(_ label: String, _ reps: Int) -> SetCorrection { SetCorrection(label: label, reps: reps) }

    static let cases = [
        Case(
            name: "nothing", corrections: [:],
            expected: ["squat 100 10.0 12 0.9", "lunge 50 5.0 5 0.6", "other 30 3.0 - 0.5"]),
        Case(
            name: "only the count", corrections: [1: right("squat", 9)],
            expected: ["squat 100 10.0 14 0.9", "lunge 50 5.0 5 0.6", "other 30 3.0 - 0.5"]),
        Case(
            name: "to a label that is there", corrections: [1: right("lunge", 7)],
            expected: ["squat 60 6.0 5 0.9", "lunge 90 9.0 12 0.6", "other 30 3.0 - 0.5"]),
        Case(
            name: "to a new label", corrections: [1: right("burpee", 6)],
            expected: ["squat 60 6.0 5 0.9", "lunge 50 5.0 5 0.6", "other 30 3.0 - 0.5", "burpee 40 4.0 6 -"]),
        Case(
            name: "to a label without repetitions", corrections: [1: right("other", 0)],
            expected: ["squat 60 6.0 5 0.9", "lunge 50 5.0 5 0.6", "other 70 7.0 - 0.5"]),
        Case(
            name: "a set that never was", corrections: [1: right("none", 0)],
            expected: ["squat 60 6.0 5 0.9", "lunge 50 5.0 5 0.6", "other 30 3.0 - 0.5"]),
        Case(
            name: "both sets move at most what was recognised, and the label is gone",
            corrections: [1: right("burpee", 7), 2: right("plank", 0)],
            expected: ["lunge 50 5.0 5 0.6", "other 30 3.0 - 0.5", "burpee 40 4.0 7 -", "plank 60 6.0 - -"]),
        Case(
            name: "two labels that were mixed up", corrections: [1: right("lunge", 7), 3: right("squat", 5)],
            expected: ["squat 110 11.0 10 0.9", "lunge 40 4.0 7 -", "other 30 3.0 - 0.5"]),
        Case(
            name: "of a set that is not there", corrections: [9: right("lunge", 7)],
            expected: ["squat 100 10.0 12 0.9", "lunge 50 5.0 5 0.6", "other 30 3.0 - 0.5"]),
    ]

    @Test(arguments: cases) func `frames, seconds and repetitions follow the sets`(each: Case) {
        let moves = SetMove.list(Self.sets, each.corrections, actions: Self.actions, framesPerSecond: 10)
        let found = SetMove.apply(moves, to: Self.actions).map { action in
            let reps = action.reps.map(String.init) ?? "-"
            let confidence = action.meanConfidence.map { "\($0)" } ?? "-"
            return "\(action.label) \(action.frames) \(action.seconds) \(reps) \(confidence)"
        }
        #expect(found == each.expected)
    }

    /// What is left of lunges after their only set of three seconds, of five seconds in all, or of a minute.
    @Test func `a rest at the edges of corrected sets goes along, an exercise of its own stays`() {
        let sets = Self.sets.prefix(2) + [Self.set(3, "lunge", 40...43, 5)]
        func left(_ seconds: Double, _ correction: SetCorrection) -> [String] {
            var actions = Self.actions
            (actions[1].frames, actions[1].seconds) = (Int(seconds * 10), seconds)
            let moves = SetMove.list(Array(sets), [3: correction], actions: actions, framesPerSecond: 10)
            return SetMove.apply(moves, to: actions).filter { $0.label != "other" }.map {
                "\($0.label) \($0.frames) \($0.seconds)"
            }
        }
        #expect(left(5, Self.right("burpee", 5)) == ["squat 100 10.0", "burpee 50 5.0"])
        #expect(left(5, Self.right("none", 0)) == ["squat 100 10.0"])
        #expect(left(5, Self.right("lunge", 4)) == ["squat 100 10.0", "lunge 50 5.0"])
        #expect(left(60, Self.right("burpee", 5)) == ["squat 100 10.0", "lunge 570 57.0", "burpee 30 3.0"])
    }

    @Test func `a frame rate that is none moves no frames`() {
        for rate in [0, -1, 1e-300] {
            let moves = SetMove.list(
                Self.sets, [1: Self.right("lunge", 7)], actions: Self.actions, framesPerSecond: rate)
            #expect(moves.map(\.frames) == [0] && moves.map(\.seconds) == [0])
        }
    }
}
