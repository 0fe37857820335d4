import Poses
import SyntheticMotion
import Testing
import Training

/// Tests of each motion without a camera: bodies keep their shape, and exercises match their names.
@Suite struct SyntheticMotionTests {
    private static let names = SyntheticMotion.catalogue.map(\.name)
    private static let bones: [(Joint, Joint)] = [
        (.leftShoulder, .leftElbow), (.leftElbow, .leftWrist), (.leftHip, .leftKnee), (.leftKnee, .leftAnkle),
        (.rightShoulder, .rightElbow), (.rightElbow, .rightWrist), (.rightHip, .rightKnee), (.rightKnee, .rightAnkle),
        (.leftHip, .rightHip), (.leftEye, .rightEye),
    ]

    private func kind(_ name: String) throws -> MotionKind {
        try #require(SyntheticMotion.catalogue.first { $0.name == name })
    }

    private func films(_ name: String, seeds: Range<UInt64>) throws -> [[Skeleton]] {
        let kind = try kind(name)
        return seeds.map { SyntheticMotion.film(kind, seed: $0) }
    }

    private func hip(_ skeleton: Skeleton) -> Float { (skeleton[.leftHip].y + skeleton[.rightHip].y) / 2 }

    /// An angle in degrees; 180 is straight.
    private func knee(_ skeleton: Skeleton) -> Float {
        func angle(_ hip: Joint, _ knee: Joint, _ ankle: Joint) -> Float {
            let (a, b) = (skeleton[hip] - skeleton[knee], skeleton[ankle] - skeleton[knee])
            let cosine = (a * b).sum() / ((a * a).sum() * (b * b).sum()).squareRoot()
            return 90 - 180 / .pi * asin(min(max(cosine, -1), 1))
        }
        return min(angle(.leftHip, .leftKnee, .leftAnkle), angle(.rightHip, .rightKnee, .rightAnkle))
    }

    /// An approximation by a series; tests need no more than a tenth of a degree.
    private func asin(_ x: Float) -> Float {
        let (a, b): (Float, Float) = (x.magnitude, (1 - x.magnitude).squareRoot())
        // Abramowitz and Stegun 4.4.45, error below 7e-5.
        let angle = Float.pi / 2 - b * (1.570_728_8 + a * (-0.212_114_4 + a * (0.074_261 - 0.018_729_3 * a)))
        return x < 0 ? -angle : angle
    }

    @Test(arguments: names) func `bones keep their length and joints stay near the floor`(name: String) throws {
        for film in try films(name, seeds: 1..<13) {
            for (from, to) in Self.bones {
                let lengths = film.map { (($0[from] - $0[to]) * ($0[from] - $0[to])).sum().squareRoot() }
                let (shortest, longest) = (try #require(lengths.min()), try #require(lengths.max()))
                #expect(longest - shortest < 1e-4, "\(from) to \(to)")
                #expect((0.02...0.7).contains(longest), "\(from) to \(to)")
            }
            let heights = film.flatMap(\.joints).map(\.y)
            let areSound = heights.allSatisfy { $0.isFinite && $0 > -0.15 && $0 < 3.2 }
            let lowest = heights.min() ?? 0, highest = heights.max() ?? 0
            #expect(areSound, "heights from \(lowest) m to \(highest) m")
        }
    }

    @Test(arguments: names) func `nothing jumps from one place to another`(name: String) throws {
        for film in try films(name, seeds: 1..<13) {
            let steps = zip(film, film.dropFirst()).flatMap { before, after in
                zip(before.joints, after.joints).map { (($1 - $0) * ($1 - $0)).sum().squareRoot() }
            }
            // A punch or a serve reaches 10 m/s, a third of a metre in a frame.
            #expect(try #require(steps.max()) < 0.6)
        }
    }

    @Test func `every label of the shipped model has a motion, and no motion another label`() {
        #expect(Set(SyntheticMotion.catalogue.map(\.label)) == Set(MotionKind.labels))
        #expect(Set(Self.names).count == Self.names.count)
    }

    @Test func `squats bend the knees and stretch them again`() throws {
        for film in try films("squat", seeds: 1..<41) {
            let angles = film.map(knee)
            #expect(try #require(angles.min()) < 135)
            #expect(try #require(angles.min()) > 20)
        }
        let deepest = try films("squat", seeds: 1..<41).map { $0.map(knee).min() ?? 180 }.sorted()
        // The renderer's squats reach 70° at their deepest.
        #expect(deepest[10] < 75 && deepest[30] > 60)
    }

    @Test func `burpees go from standing to the floor`() throws {
        let ranges = try films("burpee", seeds: 1..<41).map { film in
            let hips = film.map(hip)
            return (hips.min() ?? 0) / (hips.max() ?? 1)
        }
        #expect(ranges.allSatisfy { $0 < 0.6 })
    }

    @Test func `jumping jacks open arms and legs together`() throws {
        for film in try films("jumping_jack", seeds: 1..<41) {
            let feet = film.map { abs($0[.leftAnkle].x - $0[.rightAnkle].x) }
            let hands = film.map { $0[.leftWrist].y + $0[.rightWrist].y }
            let means = (feet.reduce(0, +) / Float(feet.count), hands.reduce(0, +) / Float(hands.count))
            let together = zip(feet, hands).map { ($0 - means.0) * ($1 - means.1) }.reduce(0, +)
            #expect(together > 0)
        }
    }

    @Test func `lunges lead with the left as often as with the right`() throws {
        let leads = try films("lunge", seeds: 1..<61).map { film in
            let lowest = film.min { hip($0) < hip($1) }
            return lowest.map { $0[.leftAnkle].z > $0[.rightAnkle].z } ?? false
        }
        #expect((15...45).contains(leads.count { $0 }))
    }

    @Test(arguments: ["squat", "push_up", "sit_up", "jumping_jack"])
    func `repetitions begin where the movement rests`(name: String) throws {
        let kind = try kind(name)
        for seed in 1..<9 as Range<UInt64> {
            let clip = SyntheticMotion.clip(kind, seed: seed, options: .exact)
            let film = SyntheticMotion.film(kind, seed: seed)
            #expect(clip.repetitions.allSatisfy { $0 >= 0 && $0 < 6 })
            #expect(clip.repetitions == clip.repetitions.sorted())
            for (start, end) in zip(clip.repetitions, clip.repetitions.dropFirst()) {
                let frames = film[Int(start * 30)...Int(end * 30)]
                // Between the extremes the neck or the hands must be elsewhere.
                let neck = frames.map { $0[.neck].y }, hand = frames.map { $0[.leftWrist].y }
                let ways = [neck, hand].map { ($0.max() ?? 0) - ($0.min() ?? 0) }
                #expect(try #require(ways.max()) > 0.05)
            }
        }
    }
}
