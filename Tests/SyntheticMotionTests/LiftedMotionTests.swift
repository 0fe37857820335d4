import Foundation
import Poses
import SyntheticMotion
import Testing

/// The lifting of joints into space, beside the generator's own motions, whose joints in space are known.
@Suite struct LiftedMotionTests {
    /// A clip of a motion as an exact camera sees it, and its joints in space.
    private func seen(_ motion: String, yaw: Float, seed: UInt64) throws -> SyntheticClip {
        var options = SyntheticOptions.exact
        (options.yawDegrees, options.distanceMetres) = (yaw, 6)
        let kind = try #require(SyntheticMotion.catalogue.first { $0.name == motion })
        return SyntheticMotion.clip(kind, seed: seed, options: options)
    }

    /// The angle at the middle joint, degrees.
    private func angle(_ a: SIMD3<Float>, _ b: SIMD3<Float>, _ c: SIMD3<Float>) -> Float {
        let (u, v) = (a - b, c - b)
        let cosine = (u * v).sum() / max(((u * u).sum() * (v * v).sum()).squareRoot(), 1e-6)
        return acos(min(max(cosine, -1), 1)) * 180 / .pi
    }

    private static let bends: [(Joint, Joint, Joint)] = [
        (.leftHip, .leftKnee, .leftAnkle), (.rightHip, .rightKnee, .rightAnkle),
        (.leftShoulder, .leftElbow, .leftWrist), (.rightShoulder, .rightElbow, .rightWrist),
        (.neck, .leftHip, .leftKnee), (.neck, .rightHip, .rightKnee),
    ]

    /// The mean difference of the joints' angles from the true ones, lifted and as they look in the picture, degrees.
    private func errors(_ motion: String, yaw: Float) throws -> (lifted: Float, flat: Float) {
        var (lifted, flat, count): (Float, Float, Float) = (0, 0, 0)
        for seed in 1...4 {
            let made = try seen(motion, yaw: yaw, seed: UInt64(seed))
            let motion = try #require(LiftedMotion(made.clip))
            #expect(motion.film.count == made.film.count)
            for (frame, (mine, truth)) in zip(motion.film, made.film).enumerated() {
                for (a, b, c) in Self.bends {
                    let true3 = angle(truth[a], truth[b], truth[c])
                    func point(_ joint: Joint) -> SIMD3<Float> {
                        let index = frame * KeypointFrame.count + 3 * joint.rawValue
                        return SIMD3(made.clip.keypoints[index] * made.clip.aspect, made.clip.keypoints[index + 1], 0)
                    }
                    lifted += abs(angle(mine[a], mine[b], mine[c]) - true3)
                    flat += abs(angle(point(a), point(b), point(c)) - true3)
                    count += 1
                }
            }
        }
        return (lifted / count, flat / count)
    }

    @Test(arguments: ["squat", "push_up", "sit_up", "jumping_jack", "lunge"])
    func `lifted joints bend more like the true ones than the picture's do, from all sides`(_ motion: String) throws {
        var (lifted, flat): (Float, Float) = (0, 0)
        for yaw: Float in [0, 30, 60, 90] {
            let error = try errors(motion, yaw: yaw)
            lifted += error.lifted / 4
            flat += error.flat / 4
        }
        // In a jumping jack seen from the side the arms come to the camera and go from it alike.
        if motion != "jumping_jack" { #expect(lifted < flat, "\(motion): \(lifted)°, in the picture \(flat)°") }
        #expect(lifted < 18, "\(motion): \(lifted)°")
    }

    @Test func `clips are filmed by other bodies and cameras, the same for the same seed`() throws {
        let motion = try #require(LiftedMotion(seen("squat", yaw: 30, seed: 5).clip.with(label: "wall_ball")))
        let clips = motion.clips(count: 6, seed: 3)
        #expect(clips.count == 6 && clips.allSatisfy { $0.label == "wall_ball" && $0.frames == 180 })
        #expect(Set(clips.map(\.keypoints)).count == 6)
        #expect(clips.allSatisfy { $0.posedShare > 0.9 && $0.keypoints.allSatisfy(\.isFinite) })
        #expect(motion.clips(count: 6, seed: 3).map(\.keypoints) == clips.map(\.keypoints))
        #expect(motion.clips(count: 6, seed: 4).map(\.keypoints) != clips.map(\.keypoints))
    }

    @Test func `what was never seen is mirrored or hangs down, and without shoulders nothing is lifted`() throws {
        var clip = try seen("squat", yaw: 30, seed: 5).clip
        func hide(_ joints: [Joint]) {
            for frame in 0..<clip.frames {
                for joint in joints {
                    let place = frame * KeypointFrame.count + 3 * joint.rawValue
                    for part in 0..<3 { clip.keypoints[place + part] = 0 }
                }
            }
        }
        hide([.leftElbow, .leftWrist, .rightAnkle])
        #expect(LiftedMotion(clip)?.film.allSatisfy { $0.joints.allSatisfy { ($0 * $0).sum().isFinite } } == true)
        hide([.leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle])
        let film = try #require(LiftedMotion(clip)).film
        #expect(film.allSatisfy { $0[.leftKnee].y < $0[.leftHip].y && $0[.leftHip].y < $0[.leftShoulder].y })
        hide([.leftShoulder, .rightShoulder])
        #expect(LiftedMotion(clip) == nil)
        let short = try #require(seen("squat", yaw: 30, seed: 5).clip.cut(from: 0, to: 0.2, name: "short"))
        #expect(LiftedMotion(short) == nil)
    }
}
