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
        /// The runs in ten seconds at 10 Hz, when a run takes so many milliseconds and all the time is used.
        func runs(from start: Double, milliseconds: Int) -> Int {
            (0..<100).reduce(0) { sum, frame in
                let runs = min(budget.runs(at: start + Double(frame) / 10, load: 0.8), 20)
                budget.add(.milliseconds(milliseconds * runs), runs: runs)
                return sum + runs
            }
        }
        _ = runs(from: 0.1, milliseconds: 10)
        // Eight seconds of ten may be used.
        #expect((780...820).contains(runs(from: 10.1, milliseconds: 10)))
        _ = runs(from: 20.1, milliseconds: 500)
        #expect((15...17).contains(runs(from: 30.1, milliseconds: 500)))
    }
}
