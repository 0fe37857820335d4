import Poses
import Testing

@Suite struct TrackerTests {
    /// A standing figure with its centre at (x, 0.5) and the height `size`.
    private func figure(x: Float, size: Float = 0.5) -> Pose {
        let offsets: [(Float, Float)] = [
            (0, -0.5), (0, -0.35), (-0.08, -0.35), (-0.12, -0.2), (-0.12, -0.05), (0.08, -0.35), (0.12, -0.2),
            (0.12, -0.05), (-0.05, 0), (-0.05, 0.25), (-0.05, 0.5), (0.05, 0), (0.05, 0.25), (0.05, 0.5),
            (-0.02, -0.52), (0.02, -0.52), (-0.04, -0.51), (0.04, -0.51),
        ]
        return Pose(keypoints: offsets.map { Keypoint(x: x + $0.0 * size, y: 0.5 + $0.1 * size, confidence: 0.9) })
    }

    private func frame(_ index: Int, _ poses: [Pose]) -> PosedFrame {
        PosedFrame(
            index: index, time: Double(index) / 30, image: nil, widthPixels: 640, heightPixels: 480, poses: poses)
    }

    @Test func `a person keeps their number while they move`() {
        var tracker = Tracker()
        for i in 0..<60 {
            let tracks = tracker.follow(frame(i, [figure(x: 0.2 + Float(i) * 0.01)])).tracks
            #expect(tracks.map(\.id) == [1])
        }
    }

    @Test func `two people keep their numbers when their order changes`() {
        var tracker = Tracker()
        _ = tracker.follow(frame(0, [figure(x: 0.2), figure(x: 0.8)]))
        let tracks = tracker.follow(frame(1, [figure(x: 0.8), figure(x: 0.2)])).tracks
        #expect(tracks.map(\.id) == [1, 2])
        #expect(tracks.first.map { $0.pose.root.x < 0.5 } == true)
    }

    @Test func `two people who cross keep their numbers`() {
        var tracker = Tracker()
        var last: TrackedFrame?
        for i in 0...60 {
            let x = 0.2 + Float(i) * 0.01
            // In the middle, one person hides the other for six frames.
            let poses = abs(x - 0.5) < 0.03 ? [figure(x: x)] : [figure(x: x), figure(x: 1 - x, size: 0.45)]
            last = tracker.follow(frame(i, poses))
        }
        #expect(last?.tracks.first { $0.pose.root.x > 0.5 }?.id == 1)
        #expect(last?.tracks.first { $0.pose.root.x < 0.5 }?.id == 2)
    }

    @Test("scenario 23: two people who swap places keep their numbers, or get new ones; they are never merged")
    func swapPlaces() {
        // They swap slowly, at a run, and with one hidden behind the other for a while.
        for (step, hidden) in [(Float(0.01), Float(0.03)), (0.03, 0), (0.02, 0.05)] {
            var tracker = Tracker()
            var left: [Int] = [], right: [Int] = []
            for i in 0...Int(0.6 / step) {
                let x = 0.2 + Float(i) * step
                let poses = abs(x - 0.5) < hidden ? [figure(x: x)] : [figure(x: x), figure(x: 1 - x, size: 0.45)]
                let tracks = tracker.follow(frame(i, poses)).tracks
                #expect(Set(tracks.map(\.id)).count == tracks.count)
                if let first = tracks.first(where: { abs($0.pose.root.x - x) < 0.02 }) { left.append(first.id) }
                if let second = tracks.first(where: { abs($0.pose.root.x - 1 + x) < 0.02 }) { right.append(second.id) }
            }
            // The person from the left never has the other one's number afterwards.
            #expect(left.first == 1 && right.first == 2)
            #expect(left.last != 2 && right.last != 1, "\(step)")
        }
    }

    @Test func `a track survives two missed frames`() {
        var tracker = Tracker()
        _ = tracker.follow(frame(0, [figure(x: 0.5)]))
        _ = tracker.follow(frame(1, []))
        _ = tracker.follow(frame(2, []))
        #expect(tracker.follow(frame(3, [figure(x: 0.5)])).tracks.map(\.id) == [1])
    }

    @Test func `a person who returns after the grace time gets a new number`() {
        var tracker = Tracker(Tracker.Settings(graceSeconds: 0.5))
        _ = tracker.follow(frame(0, [figure(x: 0.5)]))
        #expect(tracker.follow(frame(30, [figure(x: 0.5)])).tracks.map(\.id) == [2])
    }

    @Test func `the largest person is prominent`() {
        var tracker = Tracker()
        #expect(tracker.follow(frame(0, [figure(x: 0.2, size: 0.3), figure(x: 0.7, size: 0.6)])).prominent == 2)
    }

    @Test func `two people of similar size do not flicker`() {
        var tracker = Tracker()
        let chosen = (0..<120).map { i in
            let wobble: Float = i % 2 == 0 ? 0.02 : -0.02
            return tracker.follow(frame(i, [figure(x: 0.25, size: 0.5 + wobble), figure(x: 0.75, size: 0.5 - wobble)]))
                .prominent
        }
        #expect(Set(chosen).count == 1)
    }

    @Test func `someone much nearer takes over after half a second`() {
        var tracker = Tracker()
        for i in 0..<30 { _ = tracker.follow(frame(i, [figure(x: 0.25, size: 0.3)])) }
        let chosen = (30..<90).map { i in
            tracker.follow(frame(i, [figure(x: 0.25, size: 0.3), figure(x: 0.7, size: 0.7)])).prominent
        }
        #expect(chosen[5] == 1)
        #expect(chosen[30] == 2)
    }
}
