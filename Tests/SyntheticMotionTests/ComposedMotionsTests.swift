import Poses
import SyntheticMotion
import Testing

/// Composed motions are all different, and none of them is an exercise.
@Suite struct ComposedMotionsTests {
    private static let seeds: Range<UInt64> = 1..<201

    private func films(_ name: String) throws -> [[Skeleton]] {
        let kind = try #require(SyntheticMotion.catalogue.first { $0.name == "composed_\(name)" })
        return Self.seeds.map { SyntheticMotion.film(kind, seed: $0) }
    }

    private func range(_ values: [Float]) -> Float { (values.max() ?? 0) - (values.min() ?? 0) }

    private func distance(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float { ((a - b) * (a - b)).sum().squareRoot() }

    /// The distance of hand and shoulder; bending the elbow shortens it.
    private func reach(_ film: [Skeleton], _ shoulder: Joint, _ wrist: Joint) -> [Float] {
        film.map { distance($0[shoulder], $0[wrist]) }
    }

    @Test(arguments: ["standing", "kneeling", "seated"])
    func `nobody goes down as in a squat or a lunge`(name: String) throws {
        for (seed, film) in zip(Self.seeds, try films(name)) {
            let hips = film.map { ($0[.leftHip].y + $0[.rightHip].y) / 2 }
            let leg =
                distance(film[0][.leftHip], film[0][.leftKnee]) + distance(film[0][.leftKnee], film[0][.leftAnkle])
            // A squat of 55° lowers them by a fifth of the leg, and both knees bend; from the knees to the heels it is more.
            let largest: Float = name == "kneeling" ? 0.33 : 0.2
            #expect(range(hips) < largest * leg, "seed \(seed)")
        }
    }

    @Test(arguments: ["standing", "kneeling", "seated"])
    func `no arm is stretched over the head, as in a press or a raise`(name: String) throws {
        for (seed, film) in zip(Self.seeds, try films(name)) {
            for (shoulder, wrist) in [(Joint.leftShoulder, Joint.leftWrist), (.rightShoulder, .rightWrist)] {
                // Seen from the chest, so that a bow with arms that are held up is none.
                let heights = film.map { skeleton in
                    let hips = (skeleton[.leftHip] + skeleton[.rightHip]) / 2
                    let up = (skeleton[.neck] - hips) / distance(skeleton[.neck], hips)
                    return ((skeleton[wrist] - skeleton[shoulder]) * up).sum()
                }
                let reach = reach(film, shoulder, wrist)
                #expect(range(heights) < 0.62 || range(reach) < 0.2, "seed \(seed): \(range(heights)), \(range(reach))")
            }
        }
    }

    @Test func `no trunk comes up from the floor, and arms seldom fold below a straight body as in a push-up`() throws {
        for (seed, film) in zip(Self.seeds, try films("supine")) {
            #expect(range(film.map { $0[.neck].y }) < 0.15, "seed \(seed)")
        }
        let folding = try films("plank").count { film in
            let film = film.filter { max($0[.leftWrist].y, $0[.rightWrist].y) < 0.1 }
            let arms = zip(reach(film, .leftShoulder, .leftWrist), reach(film, .rightShoulder, .rightWrist))
            let shorter = arms.map { min($0, $1) }
            // In a pike the shoulders come down to the hands, too, but the hips rise.
            return zip(film, shorter).contains { skeleton, reach in
                let hips = (skeleton[.leftHip] + skeleton[.rightHip]) / 2
                return reach < 0.6 * (shorter.max() ?? 1) && hips.y < skeleton[.neck].y
            }
        }
        // Where the trunk turns to a side, one shoulder comes near its hand.
        #expect(folding <= 20, "\(folding) of \(Self.seeds.count)")
    }

    @Test func `each clip is a motion of its own, and something moves`() throws {
        var seen: Set<[Int]> = []
        let kinds = SyntheticMotion.catalogue.filter { $0.name.hasPrefix("composed_") }
        #expect(kinds.count >= 7)
        for kind in kinds {
            for seed in Self.seeds {
                let film = SyntheticMotion.film(kind, seed: seed)
                let ways = Joint.allCases.map { joint in
                    (0..<3).map { axis in range(film.map { $0[joint][axis] }) }.max() ?? 0
                }
                #expect((ways.max() ?? 0) > 0.02, "\(kind.name), seed \(seed)")
                seen.insert(ways.map { Int(($0 * 10).rounded()) })
            }
        }
        #expect(seen.count > 1000, "\(seen.count) of \(kinds.count * Self.seeds.count)")
    }
}
