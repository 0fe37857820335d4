import Testing
import Training

@Suite struct BatchMakerTests {
    private func maker(balance: Float) -> BatchMaker {
        var parameters = TrainingParameters()
        parameters.classBalance = balance
        parameters.batchSize = 30
        parameters.windowsPerClip = 3
        // 10 clips of jack, 80 of none, 10 of squat: 300 windows in an epoch.
        let clips = ToyClips.all(perLabel: 10) + (10..<80).map { ToyClips.clip($0, label: "none", frames: 60) }
        return BatchMaker(clips: clips, labels: ToyClips.labels, parameters: parameters)
    }

    private func windows(balance: Float) -> [Int] {
        let maker = maker(balance: balance)
        let plan = maker.plan(epoch: 0)
        #expect(plan.count == maker.batchSize * maker.batchesPerEpoch)
        var counts = [0, 0, 0]
        for clip in plan { counts[clip < 10 ? 0 : clip >= 20 && clip < 30 ? 2 : 1] += 1 }
        return counts
    }

    @Test func `balance moves the labels' shares from the clips' shares towards equal ones`() {
        #expect(windows(balance: 0) == [30, 240, 30])
        #expect(windows(balance: 1) == [100, 100, 100])
        let between = windows(balance: 0.5)
        // A label with 10 clips gets the windows of 30.
        #expect((80...85).contains(between[0]) && between.reduce(0, +) == 300)
    }

    @Test func `all clips of a label are used equally often`() {
        let maker = maker(balance: 1)
        var uses: [Int: Int] = [:]
        for epoch in 0..<12 {
            for clip in maker.plan(epoch: epoch) { uses[clip, default: 0] += 1 }
        }
        // 1200 windows from 80 clips, 1200 from 10 and 1200 from 10 are whole rounds.
        for clip in 0..<100 { #expect(uses[clip] == (clip < 10 || (20..<30).contains(clip) ? 120 : 15)) }
    }

    @Test func `a batch depends on its index alone`() {
        let maker = maker(balance: 0.5)
        let plan = maker.plan(epoch: 2)
        let first = maker.batch(1, of: plan, epoch: 2), again = maker.batch(1, of: plan, epoch: 2)
        #expect(first.features == again.features && first.labels == again.labels)
        #expect(first.features != maker.batch(1, of: plan, epoch: 3).features)
        #expect(first.features.shape == [30, 120, 110])
    }

    @Test func `values are prefetched in order, each once`() {
        let next = Prefetch { $0 < 100 ? $0 * $0 : nil }
        var values: [Int] = []
        while let value = next() { values.append(value) }
        #expect(values == (0..<100).map { $0 * $0 })
    }
}
