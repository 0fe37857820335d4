import Actions
import NeuralNet
import Testing
import Training

@Suite struct WindowSamplerTests {
    private let clip = ToyClips.clip(3, label: "jack")

    private func window(_ augmentations: Set<Augmentation>, seed: UInt64 = 1) -> [Float] {
        WindowSampler(frames: 60, augmentations: augmentations, framesPerSecond: 30).window(of: clip, seed: seed)
    }

    @Test func `without augmentation the window is the clip's middle, in picture heights`() throws {
        let sampler = WindowSampler(frames: 60, augmentations: [], framesPerSecond: 30)
        let middle = sampler.plainWindow(of: clip, start: 15)
        #expect(window([]) == middle)
        #expect(middle[0] == clip.keypoints[15 * 54] * clip.aspect)
        #expect(middle[1] == clip.keypoints[15 * 54 + 1])
    }

    @Test(arguments: Augmentation.allCases.filter { $0 != .splice && $0 != .arrival })
    func `each augmentation changes some windows, leaves them finite, and repeats itself`(kind: Augmentation) {
        let plain = window([])
        let windows = (0..<40 as Range<UInt64>).map { window([kind], seed: $0) }
        #expect(windows.contains { $0 != plain })
        #expect(windows.allSatisfy { $0.count == 60 * 54 && $0.allSatisfy(\.isFinite) })
        #expect(windows == (0..<40 as Range<UInt64>).map { window([kind], seed: $0) })
    }

    @Test func `switching one augmentation off leaves the draws of the others as they were`() {
        // The confidence factor is the same with and without the augmentations before it.
        let alone = window([.confidenceScale], seed: 5)
        let among = window([.confidenceScale, .rotation, .jitter], seed: 5)
        for index in stride(from: 2, to: alone.count, by: 3) { #expect(alone[index] == among[index]) }
    }

    @Test func `a flip changes sides and mirrors x`() throws {
        let plain = window([])
        let seed = try #require((0..<20 as Range<UInt64>).first { window([.flip], seed: $0) != plain })
        let flipped = window([.flip], seed: seed)
        let rightWrist = 4 * 3, leftWrist = 7 * 3
        #expect(flipped[rightWrist] == -plain[leftWrist])
        #expect(flipped[rightWrist + 1] == plain[leftWrist + 1])
        #expect(flipped[0] == -plain[0])
    }

    @Test func `half of the windows are flipped and a fifth lose the face`() {
        let plain = window([])
        let seeds = 0..<1000 as Range<UInt64>
        #expect((440...560).contains(seeds.count { window([.flip], seed: $0) != plain }))
        let faceless = seeds.count { seed in
            let window = window([.faceDropout], seed: seed)
            let face = (0..<60).flatMap { (frame: Int) -> [Float] in
                (14..<18).map { window[(frame * 18 + $0) * 3 + 2] }
            }
            return face.allSatisfy { $0 == 0 }
        }
        #expect((150...250).contains(faceless))
    }

    @Test func `dropped joints are zeros`() {
        for seed in 0..<50 as Range<UInt64> {
            let window = window([.jointDropout, .spanDropout, .faceDropout], seed: seed)
            for index in stride(from: 0, to: window.count, by: 3) where window[index + 2] == 0 {
                #expect(window[index] == 0 && window[index + 1] == 0)
            }
        }
    }

    @Test func `a window is taken where the person is`() {
        var clip = ToyClips.clip(2, label: "squat", frames: 300)
        for index in 0..<180 * 54 { clip.keypoints[index] = 0 }
        let sampler = WindowSampler(frames: 60, augmentations: Set(Augmentation.allCases), framesPerSecond: 30)
        let empty = (0..<200 as Range<UInt64>).count { seed in
            let window = sampler.window(of: clip, seed: seed)
            return (0..<60).count { frame in (0..<18).contains { window[(frame * 18 + $0) * 3 + 2] > 0 } } < 36
        }
        // About 40 % of the places are good, so 0.6⁴ = 13 % of the draws find none.
        #expect(empty < 50)
    }

    @Test func `a clip shorter than the window leaves it partly empty`() throws {
        let short = ToyClips.clip(1, label: "squat", frames: 40)
        let sampler = WindowSampler(frames: 60, augmentations: Set(Augmentation.allCases), framesPerSecond: 30)
        for seed in 0..<50 as Range<UInt64> {
            let window = sampler.window(of: short, seed: seed)
            let posed = (0..<60).count { frame in (0..<18).contains { window[(frame * 18 + $0) * 3 + 2] > 0 } }
            #expect((36...60).contains(posed))
        }
        #expect(sampler.plainWindow(of: short, start: 0).count == 60 * 54)
    }
}
