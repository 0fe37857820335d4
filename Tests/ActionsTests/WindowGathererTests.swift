import Actions
import Poses
import Testing

@Suite struct WindowGathererTests {
    private let settings = WindowGatherer.Settings(window: 6, stride: 2, rateHz: 10, subjects: .everyone)

    /// A frame in which person 1 stands at x = time.
    private func frame(at time: Double, people: [Int] = [1], prominent: Int? = nil) -> TrackedFrame {
        let tracks = people.map { id in
            Track(
                id: id,
                pose: Pose(
                    keypoints: Array(repeating: Keypoint(x: Float(time), y: Float(id), confidence: 1), count: 18)))
        }
        return TrackedFrame(
            index: 0, time: time, image: nil, widthPixels: 200, heightPixels: 100, tracks: tracks,
            prominent: prominent ?? people.first)
    }

    private func xs(_ window: PoseWindow) -> [Float] {
        stride(from: 0, to: window.keypoints.count, by: 54).map { window.keypoints[$0] }
    }

    @Test func `the first window comes when it is full, then one every stride`() {
        var gatherer = WindowGatherer(settings)
        let counts = (0..<12).map { gatherer.gather(frame(at: Double($0) / 10)).count }
        #expect(counts == [0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1])
    }

    @Test func `a window carries its times and the picture's aspect ratio`() throws {
        var gatherer = WindowGatherer(settings)
        let windows = (0..<8).flatMap { gatherer.gather(frame(at: 5 + Double($0) / 10)) }
        let second = try #require(windows.last)
        #expect(abs(second.start - 5.2) < 1e-9 && abs(second.end - 5.8) < 1e-9)
        #expect(second.aspect == 2 && second.track == 1 && second.posedFrames == 6)
        for (x, expected) in zip(xs(second), [5.2, 5.3, 5.4, 5.5, 5.6, 5.7] as [Float]) {
            #expect(abs(x - expected) < 1e-4)
        }
    }

    @Test(arguments: [5.0, 7.0, 10.0, 13.0, 30.0])
    func `a camera of another rate gives the same windows`(rate: Double) throws {
        var gatherer = WindowGatherer(settings)
        let windows = (0..<Int(rate * 2)).flatMap { gatherer.gather(frame(at: Double($0) / rate)) }
        let first = try #require(windows.first)
        for (x, expected) in zip(xs(first), [0, 0.1, 0.2, 0.3, 0.4, 0.5] as [Float]) {
            #expect(abs(x - expected) < 1e-3)
        }
    }

    @Test func `a window carries what came before it, empty where the person was not in view`() {
        var settings = settings
        settings.context = 4
        var gatherer = WindowGatherer(settings)
        let windows = (0..<12).flatMap { gatherer.gather(frame(at: Double($0) / 10, people: $0 < 1 ? [] : [1])) }
        let contexts = windows.map { window in
            stride(from: 0, to: window.context.count, by: 54).map { window.context[$0] }
        }
        #expect(contexts[0] == [0, 0, 0, 0])
        #expect(zip(contexts[2], [0, 0.1, 0.2, 0.3] as [Float]).allSatisfy { abs($0 - $1) < 1e-4 })
        #expect(zip(contexts[3], [0.2, 0.3, 0.4, 0.5] as [Float]).allSatisfy { abs($0 - $1) < 1e-4 })
    }

    @Test func `frames without a pose are zeros`() throws {
        var gatherer = WindowGatherer(settings)
        let windows = (0..<6).flatMap { gatherer.gather(frame(at: Double($0) / 10, people: $0 < 2 ? [] : [1])) }
        let window = try #require(windows.first)
        #expect(window.posedFrames == 4)
        #expect(window.keypoints.prefix(108).allSatisfy { $0 == 0 })
    }

    @Test func `nothing is invented across a long gap`() throws {
        var gatherer = WindowGatherer(settings)
        var windows = gatherer.gather(frame(at: 0))
        windows += gatherer.gather(frame(at: 0.5))
        #expect(windows.first?.posedFrames == 2)
    }

    @Test func `with nobody in view there is still a window, without a person`() throws {
        var gatherer = WindowGatherer(settings)
        let windows = (0..<6).flatMap { gatherer.gather(frame(at: Double($0) / 10, people: [])) }
        #expect(windows.map(\.track) == [nil])
        #expect(windows.first?.posedFrames == 0)
    }

    @Test func `each person has separate windows`() {
        var gatherer = WindowGatherer(settings)
        let windows = (0..<6).flatMap { gatherer.gather(frame(at: Double($0) / 10, people: [1, 2])) }
        #expect(windows.map(\.track) == [1, 2])
        #expect(windows.map { $0.keypoints[1] } == [1, 2])
    }

    @Test func `only the prominent person has windows when so configured`() {
        var only = settings
        only.subjects = .prominent
        var gatherer = WindowGatherer(only)
        let windows = (0..<6).flatMap { gatherer.gather(frame(at: Double($0) / 10, people: [1, 2], prominent: 2)) }
        #expect(windows.map(\.track) == [2])
    }

    @Test func `a frame after a pause completes every window it passes`() {
        var gatherer = WindowGatherer(settings)
        _ = gatherer.gather(frame(at: 0))
        #expect(gatherer.gather(frame(at: 1.0)).count == 3)
    }

    @Test func `people who left are forgotten`() {
        var gatherer = WindowGatherer(settings)
        for i in 0..<10 { _ = gatherer.gather(frame(at: Double(i) / 10, people: [1])) }
        let late = (10..<60).flatMap { gatherer.gather(frame(at: Double($0) / 10, people: [2])) }
        #expect(late.last?.track == 2)
        #expect(late.suffix(10).allSatisfy { $0.track == 2 })
    }
}

/// Sources with a low rate, and sources with jumps in their timestamps.
@Suite struct WindowGathererTimeTests {
    private let settings = WindowGatherer.Settings(window: 60, stride: 10, rateHz: 30, subjects: .everyone)

    private func frame(at time: Double) -> TrackedFrame {
        let pose = Pose(keypoints: Array(repeating: Keypoint(x: Float(time), y: 0.5, confidence: 1), count: 18))
        return TrackedFrame(
            index: 0, time: time, image: nil, widthPixels: 200, heightPixels: 100, tracks: [Track(id: 1, pose: pose)],
            prominent: 1)
    }

    @Test(arguments: [4.3, 3.8, 3, 2.5, 2])
    func `the frames of a slow camera are interpolated over its own interval`(rate: Double) throws {
        var gatherer = WindowGatherer(settings)
        let windows = (0..<Int(rate * 10)).flatMap { gatherer.gather(frame(at: Double($0) / rate)) }
        let last = try #require(windows.last)
        #expect(last.posedFrames == 60, "\(last.posedFrames) of 60 frames hold a pose at \(rate) Hz")
    }

    @Test func `a lost frame of a fast camera does not widen the interpolation`() throws {
        var gatherer = WindowGatherer(settings)
        let times = (0..<120).filter { !(60..<70).contains($0) }.map { Double($0) / 30 }
        let windows = times.flatMap { gatherer.gather(frame(at: $0)) }
        #expect(windows.contains { (49...51).contains($0.posedFrames) }, "\(windows.map(\.posedFrames))")
    }

    @Test(arguments: [1e7, 1e9, -1e9, -5.0])
    func `after a jump in the timestamps windows start over, at no cost`(jump: Double) throws {
        var gatherer = WindowGatherer(settings)
        for index in 0..<90 { _ = gatherer.gather(frame(at: Double(index) / 30)) }
        let begin = ContinuousClock.now
        var windows: [PoseWindow] = []
        var jumps = 0
        for index in 0..<90 {
            windows += gatherer.gather(frame(at: jump + Double(index) / 30))
            jumps += gatherer.jump == nil ? 0 : 1
        }
        #expect(jumps == 1)
        #expect(windows.count == 4)
        #expect(windows.allSatisfy { $0.start >= jump - 1e-3 && $0.posedFrames >= 59 })
        // Processing every tick in between would take hours; any limit below that would do.
        #expect(ContinuousClock.now - begin < .seconds(60))
    }

    @Test func `frames slightly out of order do not count as a jump`() {
        var gatherer = WindowGatherer(settings)
        for time in [0, 0.033, 0.066, 0.05, 0.1, 0.133] {
            _ = gatherer.gather(frame(at: time))
            #expect(gatherer.jump == nil)
        }
    }
}
