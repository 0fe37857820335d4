import Actions
import Poses
import Testing
import Training

@Suite struct ContextVariationTests {
    private let clip = ToyClips.clip(3, label: "jack", frames: 180)
    private let other = ToyClips.clip(5, label: "squat", frames: 180)

    private func window(_ augmentations: Set<Augmentation>, seed: UInt64) -> [Float] {
        WindowSampler(
            frames: 60, context: .init(frames: 60, step: 2), augmentations: augmentations, framesPerSecond: 30
        ).window(of: clip, after: other, seed: seed)
    }

    private func frame(_ index: Int, of window: [Float]) -> [Float] {
        Array(window[index * 54..<index * 54 + 54])
    }

    private func empty(_ window: [Float]) -> Int {
        (0..<60).prefix { !KeypointFrame.hasPose(window, frame: $0) }.count
    }

    @Test(arguments: [Augmentation.splice, .arrival])
    func `only what comes before the window changes, and repeats itself`(kind: Augmentation) {
        let plain = window([], seed: 1)
        let windows = (0..<40 as Range<UInt64>).map { window([kind], seed: $0) }
        #expect(windows.contains { $0 != plain } && windows.contains { $0 == plain })
        for window in windows {
            #expect(window.count == 120 * 54 && window.allSatisfy(\.isFinite))
            #expect(window.suffix(60 * 54) == plain.suffix(60 * 54))
        }
        #expect(windows == (0..<40 as Range<UInt64>).map { window([kind], seed: $0) })
    }

    @Test func `often nobody was there before, as at the first answer`() {
        let gone = (0..<400 as Range<UInt64>).count { empty(window([.arrival], seed: $0)) == 60 }
        #expect((80...160).contains(gone))
    }

    @Test func `another movement before joins the window in place and size`() throws {
        let plain = window([], seed: 1)
        var joined = 0
        for seed in 0..<60 as Range<UInt64> {
            let window = window([.splice], seed: seed)
            guard window != plain else { continue }
            // The first frame that is the clip's own again.
            let cut = (0..<60).first { self.frame($0, of: window) == self.frame($0, of: plain) } ?? 60
            guard cut > 0 else { continue }
            joined += 1
            let hip = Joint.rightHip.rawValue * 3
            let (before, after) = ((cut - 1) * 54 + hip, cut * 54 + hip)
            guard window[before + 2] > 0, window[after + 2] > 0 else { continue }
            #expect(abs(window[before] - window[after]) < 0.1 && abs(window[before + 1] - window[after + 1]) < 0.1)
        }
        #expect(joined > 10)
    }
}
