import Testing

import Poses

@Suite struct PaceTests {
    private func pose(_ x: Float) -> Pose {
        Pose(keypoints: (0..<18).map { Keypoint(x: x + Float($0 % 3) * 0.05, y: Float($0) / 40, confidence: 0.9) })
    }

    /// The share of the frames in which somebody is looked at who moves at a speed, at 30 Hz for five seconds.
    private func share(speed: Float, somethingMoves: Bool = false) -> Double {
        var (pace, last, looks) = (Pace(), pose(0.2), 0)
        for frame in 0..<150 where pace.isDue(at: Double(frame) / 30, somethingMoves: somethingMoves) {
            let new = pose(0.2 + speed * Float(frame) / 30)
            pace.look(from: last, to: new, at: Double(frame) / 30, aspect: 1)
            last = new
            looks += 1
        }
        return Double(looks) / 150
    }

    @Test func `whoever moves is looked at in every frame, whoever rests five times a second`() {
        #expect(share(speed: 0.3) == 1)
        #expect((0.15...0.4).contains(share(speed: 0.001)))
    }

    @Test func `motion where somebody rests is looked at at once`() {
        #expect(share(speed: 0, somethingMoves: true) == 1)
    }

    @Test func `a network that takes as long as two frames runs in every second one`() {
        var budget = FrameBudget()
        var runs = 0
        for frame in 0..<100 {
            guard budget.runs(at: Double(frame) / 10, load: 0.5) > 0 else { continue }
            budget.add(.milliseconds(100), runs: 1)
            runs += 1
        }
        #expect((48...52).contains(runs))
    }

    @Test func `a network runs no more often than there is time for`() {
        var budget = FrameBudget()
        #expect(budget.runs(at: 0, load: 0.8) == .max)
        var looks = 0
        for frame in 1..<100 {
            budget.add(.milliseconds(40), runs: 4)
            looks = budget.runs(at: Double(frame) / 10, load: 0.8)
        }
        // A look takes 10 ms, and 80 of 100 ms may be used.
        #expect((7...9).contains(looks))
        for frame in 0..<100 {
            budget.add(.milliseconds(500), runs: 1)
            looks = budget.runs(at: 10 + Double(frame) / 10, load: 0.8)
        }
        #expect(looks <= 1)
    }
}
