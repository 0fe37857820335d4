import Actions
import Foundation
import Poses
import Testing

/// Squats whose ways up take known times, seen by cameras of several rates.
@Suite struct RaisingSpeedTests {
    /// A camera's frames of a person who squats, one repetition after the other.
    private struct Camera {
        var rate: Double
        /// Seconds of the way up of each repetition; the way down takes one second.
        var waysUp: [Double]
        /// The error of a joint, as a share of the picture.
        var noise: Float = 0.003
        /// A frame is stamped later than it was taken, by up to so many frames.
        var lateness = 0.0
        var seed: UInt64 = 1

        private static let downSeconds = 1.0, restSeconds = 0.6

        private var seconds: Double {
            1 + waysUp.reduce(0) { $0 + $1 + Self.downSeconds + Self.restSeconds } + 1
        }

        private func depth(_ time: Double) -> Float {
            var begin = 1.0
            for way in waysUp {
                let passed = time - begin
                if passed < 0 { return 0 }
                if passed < Self.downSeconds { return Float((1 - cos(.pi * passed / Self.downSeconds)) / 2) }
                if passed < Self.downSeconds + way {
                    return Float((1 + cos(.pi * (passed - Self.downSeconds) / way)) / 2)
                }
                begin += Self.downSeconds + way + Self.restSeconds
            }
            return 0
        }

        /// The repetitions as the node finds and measures them.
        func repetitions() -> [Repetition] {
            var random = Lottery(state: seed)
            var gatherer = WindowGatherer(.init(subjects: .prominent))
            var buffer = PoseBuffer(rate: 30)
            // The frames fall anywhere between the motion's moments.
            let offset = Double(random.next()) / rate
            for frame in 0..<Int(seconds * rate) {
                let shown = Double(frame) / rate
                let time = shown + lateness * Double(random.next()) / rate
                let values = StickFigure.pose(squat: depth(shown + offset)).enumerated().map { place, value in
                    place % 3 == 2 ? value : value + noise * (2 * random.next() - 1)
                }
                let track = Track(id: 1, pose: Pose(values))
                let tracked = TrackedFrame(
                    index: frame, time: time, image: nil, widthPixels: 100, heightPixels: 100, tracks: [track],
                    prominent: 1)
                gatherer.gather(tracked).forEach { buffer.add($0) }
            }
            let stretch = buffer.stretch(from: buffer.start, to: buffer.end)
            let features = CountingFeatures(stretch)
            let found = RepetitionCounter(basis: nil).repetitions(in: stretch, features)
            return FormScorer(label: "squat", rules: FormRules()).judged(found, in: stretch, features)
        }

        func speeds() -> [RepetitionMeasures.Reading] {
            repetitions().compactMap { $0.measures?[.raisingSpeed] }
        }
    }

    /// A sequence of numbers that only looks random.
    private struct Lottery {
        var state: UInt64

        /// From 0 to 1.
        mutating func next() -> Float {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(state >> 40) / Float(1 << 24)
        }
    }

    /// The ways up of a set that tires: the last one is half as fast as the first.
    private static let tiring = [0.6, 0.65, 0.7, 0.8, 0.9, 1.0, 1.2]

    /// The errors of many sets of a rate, and what they were said to be, as shares.
    private func errors(_ rate: Double, lateness: Double) throws -> (found: [Double], stated: [Double]) {
        var errors: [Double] = [], stated: [Double] = []
        for seed in 1...20 {
            let camera = Camera(rate: rate, waysUp: Self.tiring, lateness: lateness, seed: UInt64(seed))
            let speeds = camera.speeds()
            try #require(speeds.count == Self.tiring.count, "\(speeds)")
            let truth = Self.tiring.map { 1 / $0 }
            let scale = zip(speeds, truth).reduce(0) { $0 + $1.0.value / $1.1 } / Double(truth.count)
            for (speed, truth) in zip(speeds, truth) {
                errors.append(speed.value / (truth * scale) - 1)
                stated.append(speed.uncertainty / speed.value)
            }
        }
        return (errors, stated)
    }

    @Test(arguments: [10.0, 15, 30], [0.0, 0.5, 1])
    func `the speed of each repetition is right within what it states, at every rate`(
        rate: Double, lateness: Double
    ) throws {
        let (errors, stated) = try errors(rate, lateness: lateness)
        let found = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
        let mean = stated.reduce(0, +) / Double(stated.count)
        let within = Double(zip(errors, stated).count { abs($0) <= 1.65 * $1 }) / Double(errors.count)
        #expect(found <= mean, "\(found) is more than the stated \(mean)")
        #expect(within > 0.9, "\(within)")
    }

    @Test func `a way up is measured where the body rises, and what stays level has no speed`() throws {
        let speeds = Camera(rate: 30, waysUp: [0.5, 1, 2], noise: 0).speeds()
        try #require(speeds.count == 3)
        #expect(abs(speeds[0].value / speeds[1].value - 2) < 0.1 && abs(speeds[1].value / speeds[2].value - 2) < 0.1)
        let still = StickFigure.stretch((0..<150).flatMap { _ in StickFigure.pose() })
        let span = RepetitionSpan(Repetition(start: 1, extreme: 2, end: 3), still)
        let measures = span.measures([(.raisingSpeed, FormMeasurement.raisingSpeed.views)], BodyMeasures(still))
        #expect(measures[.raisingSpeed] == nil)
    }

    @Test func `arms that go up and down have the speed of the hands`() throws {
        let arms = (0..<300).flatMap { frame -> [Float] in
            let time = Double(frame) / 30
            return StickFigure.pose(arms: StickFigure.depth(time, rest: 1, period: 2, count: 4))
        }
        let stretch = StickFigure.stretch(arms)
        let features = CountingFeatures(stretch)
        let found = FormScorer(label: "any arms", rules: FormRules()).judged(
            RepetitionCounter(basis: nil).repetitions(in: stretch, features), in: stretch, features)
        let speeds = found.compactMap { $0.measures?[.raisingSpeed]?.value }
        #expect(speeds.count == 4)
        #expect((speeds.max() ?? 0) < 1.1 * (speeds.min() ?? 0), "\(speeds)")
    }
}
