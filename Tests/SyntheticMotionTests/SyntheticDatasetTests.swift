import Poses
import SyntheticMotion
import Testing
import Training

/// Tests of synthetic clips, which look like a detector's output.
@Suite struct SyntheticDatasetTests {
    private func kind(_ name: String) throws -> MotionKind {
        try #require(SyntheticMotion.catalogue.first { $0.name == name })
    }

    @Test func `the same seed gives the same clips, another seed others`() {
        let mix = ["squat": 3, "none": 9]
        let clips = SyntheticDataset.clips(perLabel: mix, seed: 7)
        let again = SyntheticDataset.clips(perLabel: mix, seed: 7)
        #expect(clips.map(\.clip.keypoints) == again.map(\.clip.keypoints))
        #expect(clips.map(\.repetitions) == again.map(\.repetitions))
        #expect(clips[0].clip.keypoints != SyntheticDataset.clips(perLabel: mix, seed: 8)[0].clip.keypoints)
        #expect(clips.count { $0.clip.label == "squat" } == 3 && clips.count == 12)
    }

    @Test func `more clips of one label leave those of another as they were`() {
        let few = SyntheticDataset.clips(perLabel: ["lunge": 2, "squat": 2], seed: 1)
        let more = SyntheticDataset.clips(perLabel: ["lunge": 5, "squat": 2], seed: 1)
        #expect(few.suffix(2).map(\.clip.keypoints) == more.suffix(2).map(\.clip.keypoints))
        #expect(few.prefix(2).map(\.clip.keypoints) == more.prefix(2).map(\.clip.keypoints))
    }

    @Test func `a mix holds about as many clips as were asked for, of every label`() {
        let mix = SyntheticDataset.balanced(total: 2400)
        #expect(Set(mix.keys) == Set(MotionKind.labels))
        #expect(abs(mix.values.reduce(0, +) - 2400) <= 8)
    }

    @Test(arguments: SyntheticMotion.catalogue.map(\.name))
    func `clips are finite, 30 a second, and show somebody`(name: String) throws {
        let kind = try kind(name)
        for seed in 1..<7 as Range<UInt64> {
            let clip = SyntheticMotion.clip(kind, seed: seed).clip
            #expect(clip.rate == 30 && clip.frames == 180 && clip.label == kind.label)
            #expect((0.5...1.8).contains(clip.aspect))
            let isSound = stride(from: 0, to: clip.keypoints.count, by: 3).allSatisfy { index in
                let (x, y, confidence) = (clip.keypoints[index], clip.keypoints[index + 1], clip.keypoints[index + 2])
                let isPlaced = confidence > 0 || (x == 0 && y == 0)
                return x.isFinite && y.isFinite && (0...1).contains(confidence) && isPlaced
            }
            #expect(isSound)
            #expect(clip.posedShare > 0)
        }
    }

    @Test func `from the front a person's left is at the picture's right`() throws {
        var options = SyntheticOptions.exact
        for (yaw, sign) in [(Float(0), Float(1)), (180, -1)] {
            options.yawDegrees = yaw
            for seed in 1..<20 as Range<UInt64> {
                let clip = SyntheticMotion.clip(try kind("jumping_jack"), seed: seed, options: options).clip
                let left = clip.keypoints[3 * Joint.leftShoulder.rawValue]
                let right = clip.keypoints[3 * Joint.rightShoulder.rawValue]
                #expect((left - right) * sign > 0)
                #expect(clip.keypoints[3 * Joint.nose.rawValue + 1] < clip.keypoints[3 * Joint.leftAnkle.rawValue + 1])
            }
        }
    }

    @Test func `without cuts nearly every joint is inside the picture`() throws {
        for name in ["squat", "burpee", "push_up", "sit_up", "lunge", "jumping_jack"] {
            for seed in 1..<9 as Range<UInt64> {
                let keypoints = SyntheticMotion.clip(try kind(name), seed: seed, options: .exact).clip.keypoints
                let points = stride(from: 0, to: keypoints.count, by: 3)
                let inside = points.count { (0...1).contains(keypoints[$0]) && (0...1).contains(keypoints[$0 + 1]) }
                #expect(Double(inside) > 0.95 * Double(keypoints.count / 3), "\(name) \(seed)")
            }
        }
    }

    @Test func `at least seven tenths of a clip show its exercise when it begins or ends there`() throws {
        var options = SyntheticOptions()
        options.transitionShare = 1
        for name in ["squat", "burpee", "push_up", "sit_up", "lunge", "jumping_jack"] {
            for seed in 1..<21 as Range<UInt64> {
                let clip = SyntheticMotion.clip(try kind(name), seed: seed, options: options)
                #expect(clip.exerciseFrames.count >= 126 && clip.exerciseFrames.upperBound <= 180)
            }
        }
    }

    @Test func `quick motions end, however long they are watched`() throws {
        for seed in 1..<9 as Range<UInt64> {
            let clip = SyntheticMotion.clip(try kind("high_knees"), seed: seed, seconds: 120)
            #expect(clip.clip.frames == 3600 && clip.repetitions.count < 1200)
        }
    }

    @Test func `noise moves joints, but not far`() throws {
        let kind = try kind("squat")
        let noisy = SyntheticOptions(noise: 1, cutShare: 0, slowShare: 0, transitionShare: 0)
        var distances: [Float] = []
        for seed in 1..<30 as Range<UInt64> {
            let exact = SyntheticMotion.clip(kind, seed: seed, options: .exact).clip
            let seen = SyntheticMotion.clip(kind, seed: seed, options: noisy).clip
            for index in stride(from: 0, to: exact.keypoints.count, by: 3) where seen.keypoints[index + 2] > 0.5 {
                let x = (seen.keypoints[index] - exact.keypoints[index]) * exact.aspect
                let y = seen.keypoints[index + 1] - exact.keypoints[index + 1]
                distances.append((x * x + y * y).squareRoot())
            }
        }
        distances.sort()
        // A trunk is about a fifth of the picture's height: the median error is some hundredths of a trunk.
        #expect((0.002...0.03).contains(distances[distances.count / 2]))
    }

    @Test func `clips are made fast`() {
        let clock = ContinuousClock()
        let mix = SyntheticDataset.balanced(total: 160)
        let duration = clock.measure { _ = SyntheticDataset.clips(perLabel: mix, seed: 3) }
        // Machines differ, so only print the speed. A release build on two cores makes about a thousand a second.
        print("160 synthetic clips of 6 s took \(duration)")
    }
}
