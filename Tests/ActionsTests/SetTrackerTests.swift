import Actions
import Foundation
import NeuralNet
import Testing

@Suite struct SetTrackerTests {
    private let settings = SetTracker.Settings(
        labels: ["lunge", "none", "squat"], exercises: ["lunge", "squat"], rateHz: 30)

    private func prediction(_ window: PoseWindow, _ label: String, _ confidence: Float = 0.95) -> Prediction {
        let rest = (1 - confidence) / 2
        return Prediction(
            track: window.track, start: window.start, end: window.end, label: label, confidence: confidence,
            probabilities: settings.labels.map { $0 == label ? confidence : rest }, poseShare: 1, frames: 10)
    }

    private static let model = ModelDescription(
        name: "example", labels: ["lunge", "none", "squat"], countedLabels: ["lunge", "squat"], joints: [],
        featureVersion: 1, network: NetworkSize(labels: 3))

    private static let labels = LabelSmoother.Settings(model, minimumConfidence: 0.6)

    /// Every state of every set, with each window labelled by its middle.
    private func sets(
        _ keypoints: [Float], basis: CountingBasis? = nil, confidence: Float = 0.95,
        expecting: ExpectedExercises = ExpectedExercises(),
        _ label: (Double) -> String
    ) -> [ExerciseSet] {
        var settings = settings
        settings.bases = basis.map { ["squat": $0] } ?? [:]
        var tracker = SetTracker(track: 1, settings)
        tracker.expected = expecting
        var smoother = LabelSmoother(Self.labels)
        let told = StickFigure.windows(keypoints).flatMap { window in
            let shown = smoother.smooth(prediction(window, label(window.start + 1), confidence))
            return [tracker.update(window, shown), tracker.pass(to: window.end)]
        }
        return (told + [tracker.close()]).compactMap(\.self)
    }

    @Test func `a set is reported with all its repetitions, and ends with the motion`() throws {
        let poses = StickFigure.squatting(seconds: 22) { StickFigure.depth($0, rest: 4, period: 2, count: 6) }
        let told = sets(poses) { (4...16).contains($0) ? "squat" : "none" }
        let first = try #require(told.first), last = try #require(told.last)
        #expect(first.isOpen && first.repetitions.count == 2 && first.end < 10)
        #expect(!last.isOpen && last.repetitions.count == 6 && last.label == "squat" && last.number == 1)
        #expect(abs(last.start - 4) < 0.4 && abs(last.end - 16) < 0.4)
        #expect(told.count { !$0.isOpen } == 1)
    }

    @Test func `a set that a workout expects is reported from its first repetition on`() throws {
        let poses = StickFigure.squatting(seconds: 22) { StickFigure.depth($0, rest: 4, period: 2, count: 6) }
        func told(_ people: [Int: String] = [:], anybody: Set<String> = []) -> [ExerciseSet] {
            var expected = ExpectedExercises()
            (expected.ofPeople, expected.ofAnybody) = (people, anybody)
            return sets(poses, expecting: expected) { (4...16).contains($0) ? "squat" : "none" }
        }
        for states in [told([1: "squat"]), told(anybody: ["squat"])] {
            let first = try #require(states.first)
            #expect(first.isOpen && first.repetitions.count == 1 && first.end < 7)
        }
        // What is expected of somebody else needs two, and the set is the same in the end.
        #expect(told([2: "squat"]).first?.repetitions.count == 2)
        #expect(told([1: "lunge"], anybody: ["squat"]).first?.repetitions.count == 2)
        #expect(told([1: "squat"]).last == told().last)
    }

    @Test func `a count with doubtful repetitions has a wider margin`() throws {
        func set(_ depths: [Float], seconds: Double = 26) throws -> ExerciseSet {
            let poses = StickFigure.squatting(seconds: seconds) {
                StickFigure.depth($0, rest: 0, period: 2, count: depths.count)
                    * depths[min(Int($0 / 2), depths.count - 1)]
            }
            return try #require(sets(poses) { $0 < 2 * Double(depths.count) ? "squat" : "none" }.last)
        }
        let even = try set([Float](repeating: 1, count: 12))
        #expect(even.repetitions.count == 12 && even.margin == 1)
        // Two repetitions are shallower. At some depth only stricter limits leave them out.
        let depths = stride(from: Float(0.4), through: 0.7, by: 0.03)
        let uneven = try depths.map { ($0, try set([1, 1, 1, $0, 1, 1, 1, $0, 1, 1, 1, 1])) }
        #expect(uneven.allSatisfy { abs(12 - $0.1.repetitions.count) <= $0.1.margin ?? 0 })
        let doubtful = try #require(uneven.first { $0.1.repetitions.count == 12 && $0.1.margin == 3 }?.0)
        // What was settled long ago stays doubtful.
        let long = try set([1, 1, 1, doubtful, 1] + [Float](repeating: 1, count: 55), seconds: 124)
        #expect(long.margin == 2, "\(long.repetitions.count) \(long.margin ?? 0)")
    }

    @Test func `a pause makes two sets`() {
        let poses = StickFigure.squatting(seconds: 30) {
            StickFigure.depth($0, rest: 1, period: 2, count: 4) + StickFigure.depth($0, rest: 18, period: 2, count: 5)
        }
        let ended = sets(poses) { (1...9).contains($0) || (18...28).contains($0) ? "squat" : "none" }
            .filter { !$0.isOpen }
        #expect(ended.map(\.number) == [1, 2])
        #expect(ended.map(\.repetitions.count) == [4, 5])
    }

    @Test func `a breather does not end the set`() {
        let poses = StickFigure.squatting(seconds: 30) {
            StickFigure.depth($0, rest: 1, period: 2, count: 4) + StickFigure.depth($0, rest: 12.5, period: 2, count: 5)
        }
        let told = sets(poses) { (1...9).contains($0) || (12.5...22.5).contains($0) ? "squat" : "none" }
        let ended = told.filter { !$0.isOpen }
        #expect(ended.map(\.repetitions.count) == [9])
        #expect(ended.allSatisfy { abs($0.end - 22.5) < 0.4 })
    }

    @Test func `motions that are not alike make no set`() {
        let poses = (0..<480).flatMap { frame -> [Float] in
            let time = Double(frame) / 30
            let amount = StickFigure.depth(time, rest: 0, period: 0.8, count: 20)
            return Int(time / 0.8) % 2 == 0 ? StickFigure.pose(squat: amount) : StickFigure.pose(arms: amount)
        }
        // Both lower the hips or raise the wrists, which is what this direction shows.
        var weights = [Float](repeating: 0, count: CountingFeatures.shapeChannels)
        (weights[4], weights[19]) = (0.5, -1.3)
        #expect(sets(poses, basis: CountingBasis(weights: weights)) { _ in "squat" }.isEmpty)
    }

    @Test func `another exercise ends the set and begins its own`() {
        let poses = StickFigure.squatting(seconds: 24) { StickFigure.depth($0, rest: 0, period: 2, count: 12) }
        let ended = sets(poses) { $0 < 12 ? "squat" : "lunge" }.filter { !$0.isOpen }
        #expect(ended.map(\.label) == ["squat", "lunge"])
        #expect(ended.reduce(0) { $0 + $1.repetitions.count } == 12)
    }

    @Test func `the first and the last repetition belong to a set that is longer than the buffer, too`() {
        let poses = StickFigure.squatting(seconds: 124) { StickFigure.depth($0, rest: 4, period: 2, count: 55) }
        let ended = sets(poses) { (6.5...111.5).contains($0) ? "squat" : "none" }.filter { !$0.isOpen }
        #expect(ended.map(\.repetitions.count) == [55])
        #expect(ended.allSatisfy { abs($0.start - 4) < 0.4 && abs($0.end - 114) < 0.4 })
    }

    @Test func `what another exercise begins with is not added to the set before`() {
        let poses = StickFigure.squatting(seconds: 40) { StickFigure.depth($0, rest: 0, period: 2, count: 20) }
        let ended = sets(poses) { $0 < 20 ? "squat" : "lunge" }.filter { !$0.isOpen }
        #expect(ended.map(\.label) == ["squat", "lunge"] && ended.reduce(0) { $0 + $1.repetitions.count } == 20)
        #expect(abs((ended.first?.end ?? 0) - 20) <= 2, "\(ended.first?.end ?? 0)")
    }

    @Test func `a moment in which the person is hardly seen takes no repetition back`() {
        let poses = StickFigure.squatting(seconds: 20) { StickFigure.depth($0, rest: 0, period: 2, count: 10) }
        var (tracker, smoother) = (SetTracker(track: 1, settings), LabelSmoother(Self.labels))
        let told = StickFigure.windows(poses).compactMap { window -> ExerciseSet? in
            let isSeen = !(11...13).contains(window.start)
            let unseen = Prediction(
                track: 1, start: window.start, end: window.end, label: PseudoLabel.noPerson.rawValue, confidence: 0,
                probabilities: [], poseShare: 0.5, frames: 10)
            return tracker.update(window, smoother.smooth(isSeen ? prediction(window, "squat") : unseen))
        }
        let (counts, confidence) = (told.map(\.repetitions.count), told.map(\.confidence))
        #expect(counts.last == 10 && zip(counts, counts.dropFirst()).allSatisfy { $1 >= $0 }, "\(counts)")
        #expect(confidence.dropFirst(3).allSatisfy { $0 > 0.95 }, "\(confidence)")
    }

    @Test func `one whole repetition that is sure is a set, told at its end`() throws {
        let poses = StickFigure.squatting(seconds: 16) { StickFigure.depth($0, rest: 4, period: 3, count: 1) }
        let told = sets(poses) { (4...7).contains($0) ? "squat" : "none" }
        let only = try #require(told.first)
        #expect(told.count == 1 && !only.isOpen && only.repetitions.count == 1)
        #expect(abs(only.start - 4) < 0.8 && abs(only.end - 7) < 0.8, "\(only.start) to \(only.end)")
        #expect(only.confidence > 0.8)
    }

    @Test func `windows that are hardly sure make no set of one repetition`() {
        let poses = StickFigure.squatting(seconds: 16) { StickFigure.depth($0, rest: 4, period: 3, count: 1) }
        #expect(sets(poses, confidence: 0.65) { (4...7).contains($0) ? "squat" : "none" }.isEmpty)
    }

    @Test func `a single window makes no set`() {
        let poses = StickFigure.squatting(seconds: 20) { StickFigure.depth($0, rest: 0, period: 2, count: 10) }
        #expect(sets(poses) { (8...8.3).contains($0) ? "squat" : "none" }.isEmpty)
    }

    @Test func `a quick near miss is less sure than the exercise`() {
        func confidence(period: Double, windows: Float) -> Double {
            let poses = StickFigure.squatting(seconds: 20) { StickFigure.depth($0, rest: 0, period: period, count: 30) }
            return sets(poses, confidence: windows) { _ in "squat" }.last?.confidence ?? 0
        }
        #expect(confidence(period: 2.5, windows: 0.95) > 0.95)
        #expect(confidence(period: 2.5, windows: 0.95) > confidence(period: 2.5, windows: 0.75))
        #expect(confidence(period: 0.7, windows: 0.7) == 0, "it is not reported")
    }

    @Test func `the first and the last repetition belong to the set where no window points to them`() {
        let poses = StickFigure.squatting(seconds: 24) { StickFigure.depth($0, rest: 4, period: 2, count: 6) }
        let ended = sets(poses) { (6.5...13.5).contains($0) ? "squat" : "none" }.filter { !$0.isOpen }
        #expect(ended.map(\.repetitions.count) == [6])
        #expect(ended.allSatisfy { abs($0.start - 4) < 0.4 && abs($0.end - 16) < 0.4 })
    }

    /// Somebody who stays at a depth, with a sway of 0.8 % of the picture's height and the jitter of a detector.
    private func hold(seconds: Double, depth: Float, jitter: Float, sway: Float, seed: UInt64) -> [Float] {
        var random = RandomSource(seed: seed)
        let body = StickFigure.pose(squat: depth)
        var errors = [Float](repeating: 0, count: body.count)
        return (0..<Int(seconds * 30)).flatMap { frame -> [Float] in
            let time = Float(frame) / 30
            let height = sway * (sin(2 * .pi * time / 3.7) + 0.5 * sin(2 * .pi * time / 2.3 + 1))
            return body.indices.map { place -> Float in
                guard place % 3 != 2 else { return body[place] }
                errors[place] = 0.7 * errors[place] + 0.72 * jitter * random.normal()
                return body[place] + errors[place] + (place % 3 == 1 ? height : 0)
            }
        }
    }

    @Test(arguments: [Float(0), 0.5, 1], [(Float(0.002), Float(0.004)), (0.004, 0.008), (0.006, 0.008)])
    func `who holds still sways and is seen with jitter, and makes no set`(depth: Float, noise: (Float, Float)) {
        let poses = hold(seconds: 60, depth: depth, jitter: noise.0, sway: noise.1, seed: 3)
        let told = sets(poses) { _ in "squat" }
        #expect(told.isEmpty, "\(told.last?.repetitions.count ?? 0) repetitions")
    }

    @Test func `after a hold the repetitions count`() {
        let poses =
            hold(seconds: 20, depth: 0, jitter: 0.004, sway: 0.008, seed: 5)
            + StickFigure.squatting(seconds: 13) { StickFigure.depth($0, rest: 0, period: 2, count: 6) }
        let ended = sets(poses) { $0 > 20 ? "squat" : "none" }.filter { !$0.isOpen }
        #expect(ended.map(\.repetitions.count) == [6])
    }

    /// The sets of a person who squats, and whose windows show these labels at their middle. Lunges are held.
    private func heldSets(seconds: Double, label: (Double) -> String) -> [ExerciseSet] {
        let poses = StickFigure.squatting(seconds: seconds) { StickFigure.depth($0, rest: 0, period: 2, count: 60) }
        var settings = settings
        settings.held = ["lunge"]
        var tracker = SetTracker(track: 1, settings)
        let told = StickFigure.windows(poses).map { window in
            tracker.update(window, prediction(window, label(window.start + 1)))
        }
        return (told + [tracker.close()]).compactMap(\.self).filter { !$0.isOpen }
    }

    @Test func `an exercise that is held is timed, and ends the set of another one`() throws {
        let ended = heldSets(seconds: 44) { $0 < 12 ? "squat" : "lunge" }
        #expect(ended.map(\.label) == ["squat", "lunge"] && (5...7).contains(ended.first?.repetitions.count ?? 0))
        let held = try #require(ended.last)
        #expect(held.repetitions.isEmpty && abs(held.start - 12) < 1 && abs(held.end - 44) < 1)
        #expect(held.number == 2 && held.confidence >= 0.7)
    }

    @Test func `a posture that is given up ends its set, and a short one is none`() {
        let broken = heldSets(seconds: 40) { (16...21).contains($0) ? "none" : "lunge" }
        #expect(broken.map(\.number) == [1, 2])
        #expect(
            zip(broken, [0...16, 21...40]).allSatisfy {
                abs($0.start - $1.lowerBound) < 1 && abs($0.end - $1.upperBound) < 1
            })
        #expect(heldSets(seconds: 20) { (10...11.5).contains($0) ? "lunge" : "none" }.isEmpty)
        // A moment in which the classifier errs is no break.
        #expect(heldSets(seconds: 30) { (14...14.5).contains($0) ? "none" : "lunge" }.map(\.number) == [1])
    }

    @Test func `a single misclassified window changes nothing`() {
        let poses = StickFigure.squatting(seconds: 20) { StickFigure.depth($0, rest: 0, period: 2, count: 10) }
        let ended = sets(poses) { (9.9...10.1).contains($0) ? "lunge" : "squat" }.filter { !$0.isOpen }
        #expect(ended.map(\.repetitions.count) == [10])
    }

    @Test func `no repetition is lost in a set longer than the buffer that is recounted`() throws {
        let poses = StickFigure.squatting(seconds: 130) { StickFigure.depth($0, rest: 1, period: 2, count: 64) }
        let told = sets(poses) { _ in "squat" }
        let last = try #require(told.last)
        #expect(last.repetitions.count == 64)
        let counts = told.map(\.repetitions.count)
        #expect(zip(counts, counts.dropFirst()).allSatisfy { $1 >= $0 })
    }

    @Test func `a set ends when the person leaves`() {
        let poses = StickFigure.squatting(seconds: 10) { StickFigure.depth($0, rest: 0, period: 2, count: 5) }
        var tracker = SetTracker(track: 1, settings)
        for window in StickFigure.windows(poses) {
            _ = tracker.update(window, prediction(window, "squat"))
        }
        // Somebody hidden is known again for ten seconds.
        #expect(tracker.pass(to: 19.5) == nil)
        let ended = tracker.pass(to: 20.5)
        #expect(ended?.isOpen == false && ended?.repetitions.count == 5)
        #expect(tracker.close() == nil)
    }

    @Test(arguments: [2.0, 5, 8]) func `a set goes on after its person was hidden`(hidden: Double) {
        let poses = StickFigure.squatting(seconds: 10) { StickFigure.depth($0, rest: 0, period: 2, count: 5) }
        let windows = StickFigure.windows(poses)
        let later = windows.map { window in
            PoseWindow(
                track: 1, start: window.start + 10 + hidden, end: window.end + 10 + hidden,
                keypoints: window.keypoints, posedFrames: 60, aspect: 1)
        }
        // The first windows after the return are partly empty, and nothing can be told from them.
        let empty = PoseWindow(
            track: 1, start: 8.5 + hidden, end: 10.5 + hidden, keypoints: [Float](repeating: 0, count: 60 * 54),
            posedFrames: 15, aspect: 1)
        var tracker = SetTracker(track: 1, settings)
        let first = windows.map { tracker.update($0, prediction($0, "squat")) }
        let partly = tracker.update(empty, prediction(empty, "none"))
        let second = later.map { tracker.update($0, prediction($0, "squat")) }
        let told = (first + [partly] + second + [tracker.close()]).compactMap(\.self)
        #expect(told.allSatisfy { $0.number == 1 } && told.count { !$0.isOpen } == 1)
        #expect((9...10).contains(told.last?.repetitions.count ?? 0), "\(told.last?.repetitions.count ?? 0)")
    }

    @Test func `unsure windows neither begin a set nor end it`() {
        let poses = StickFigure.squatting(seconds: 20) { StickFigure.depth($0, rest: 0, period: 2, count: 10) }
        func ended(_ isUnsure: (Double) -> Bool) -> ExerciseSet? {
            var tracker = SetTracker(track: 1, settings)
            for window in StickFigure.windows(poses) {
                let sure = prediction(window, "squat")
                let unsure = Prediction(
                    track: 1, start: window.start, end: window.end, label: PseudoLabel.lowConfidence.rawValue,
                    confidence: 0.95, probabilities: sure.probabilities, poseShare: 1, frames: 10)
                _ = tracker.update(window, isUnsure(window.start) ? unsure : sure)
            }
            return tracker.close()
        }
        #expect(ended { _ in true } == nil)
        #expect(ended { $0 > 8 }?.repetitions.count == 10)
    }
}
