import Actions
import Foundation
import Poses
import Testing

/// The whole chain after the poses, with a classifier that always answers squat.
@Suite struct RecognitionChainTests {
    private func chain(zones: [Zone] = []) throws -> RecognitionChain {
        let classifier = try ModelFileExample(labels: ["lunge", "squat", "none"], biases: [0, 9, 0]).classifier()
        return RecognitionChain(
            classifier: classifier, subjects: .everyone, zones: zones, camera: "rack1",
            origin: Date(timeIntervalSince1970: 0))
    }

    /// Frames of somebody who squats every two seconds.
    private func frames(from start: Double, seconds: Double) -> [TrackedFrame] {
        (0..<Int(seconds * 30)).map { index in
            let depth = StickFigure.depth(Double(index) / 30, rest: 0, period: 2, count: 1000)
            let values = StickFigure.pose(squat: depth)
            let keypoints = stride(from: 0, to: values.count, by: 3).map {
                Keypoint(x: values[$0], y: values[$0 + 1], confidence: values[$0 + 2])
            }
            return TrackedFrame(
                index: index, time: start + Double(index) / 30, image: nil, widthPixels: 480, heightPixels: 640,
                tracks: [Track(id: 1, pose: Pose(keypoints: keypoints))], prominent: 1)
        }
    }

    private func moments(
        _ frames: [TrackedFrame], zones: [Zone] = [], endsSessions: @escaping () -> Bool = { false }
    ) async throws -> (moments: [RecognitionChain.FrameResult], ended: [SessionEvent]) {
        var chain = try chain(zones: zones)
        let moments = try frames.map { try chain.receive($0, endsSessions: endsSessions()) }
        return (moments, chain.close(.sourceEnded))
    }

    private func endings(_ events: [SessionEvent]) -> [Session.EndReason] {
        events.compactMap { if case .ended(let session) = $0 { session.endReason } else { nil } }
    }

    private func zone(_ name: String, x: ClosedRange<Float>) -> Zone {
        Zone(
            name: name,
            area: PictureArea(corners: [
                [x.lowerBound, 0.5], [x.upperBound, 0.5], [x.upperBound, 1], [x.lowerBound, 1],
            ]))
    }

    /// The same frames with the person further to the right.
    private func moved(_ frames: [TrackedFrame], by distance: Float) -> [TrackedFrame] {
        frames.map { frame in
            let pose = Pose(
                keypoints: frame.tracks[0].pose.keypoints.map {
                    Keypoint(x: $0.x + distance, y: $0.y, confidence: $0.confidence)
                })
            return TrackedFrame(
                index: frame.index, time: frame.time, image: nil, widthPixels: 480, heightPixels: 640,
                tracks: [Track(id: 1, pose: pose)], prominent: 1)
        }
    }

    @Test func `each person has a label, sets and a session of their own`() async throws {
        let one = frames(from: 0, seconds: 12), other = moved(one, by: 0.25)
        let both = zip(one, other).map { frame, second in
            // The second one comes later and leaves earlier.
            TrackedFrame(
                index: frame.index, time: frame.time, image: nil, widthPixels: 480, heightPixels: 640,
                tracks: frame.tracks
                    + ((2...8).contains(frame.time) ? [Track(id: 2, pose: second.tracks[0].pose)] : []),
                prominent: 1)
        }
        let (moments, ended) = try await moments(both)
        let last = Dictionary(
            (moments.flatMap(\.events) + ended).map { ($0.session.track, $0.session) }, uniquingKeysWith: { $1 })
        #expect(last.mapValues { $0.sets.map(\.number) } == [1: [1], 2: [1]])
        #expect((5...6).contains(last[1]?.sets.first?.reps ?? 0) && (2...3).contains(last[2]?.sets.first?.reps ?? 0))
        for moment in moments {
            #expect(moment.predictions.map(\.track) == moment.windows.map(\.track))
        }
        #expect(Set(moments.flatMap(\.sets).map(\.track)) == [1, 2])
    }

    @Test func `people have the zone of their feet, the first of two that overlap`() async throws {
        let zones = [zone("rack-1", x: 0.4...0.6), zone("floor", x: 0...1)]
        let (moments, ended) = try await moments(frames(from: 0, seconds: 8), zones: zones)
        #expect(moments.allSatisfy { $0.frame.tracks.map(\.zone) == ["rack-1"] })
        guard case .ended(let session)? = ended.last else { Issue.record("\(ended)"); return }
        #expect(session.zone == "rack-1" && session.sets.map(\.zone) == ["rack-1"])
        let beside = try await self.moments(frames(from: 0, seconds: 8), zones: [zone("mat", x: 0...0.3)])
        #expect(beside.moments.allSatisfy { $0.frame.tracks.map(\.zone) == [nil] })
    }

    @Test func `a step over a line changes no zone, a second beyond it does`() async throws {
        let zones = [zone("left", x: 0.3...0.6), zone("right", x: 0.6...0.9)]
        let here = frames(from: 0, seconds: 4), there = moved(here, by: 0.25)
        // Half a second, then back, then for good.
        let frames = Array(here[..<30] + there[30..<45] + here[45..<60] + there[60...])
        let seen = try await moments(frames, zones: zones).moments.map { $0.frame.tracks[0].zone }
        #expect(seen[..<88].allSatisfy { $0 == "left" } && seen[92...].allSatisfy { $0 == "right" })
    }

    @Test func `timestamps that restart end the session, and the next one has its own times`() async throws {
        let (moments, ended) = try await moments(frames(from: 500, seconds: 8) + frames(from: 0, seconds: 8))
        #expect(moments.compactMap(\.jump).map(\.isBackward) == [true])
        let jump = try #require(moments.first { $0.jump != nil })
        #expect(endings(jump.events) == [.sourceEnded])
        #expect(endings(ended) == [.sourceEnded])
        let sessions = (moments.flatMap(\.events) + ended).compactMap { event -> Session? in
            if case .ended(let session) = event { session } else { nil }
        }
        #expect(sessions.map { $0.start.timeIntervalSince1970.rounded() } == [500, 0])
        #expect(sessions.allSatisfy { $0.end > $0.start && $0.end.timeIntervalSince($0.start) < 9 })
    }

    @Test(arguments: [1e7, 1e9])
    func `a jump forward ends the session for its idle time, and recognition goes on`(jump: Double) async throws {
        let (moments, ended) = try await moments(frames(from: 0, seconds: 8) + frames(from: jump, seconds: 8))
        #expect(moments.compactMap(\.jump).map(\.isBackward) == [false])
        #expect(endings(moments.flatMap(\.events)) == [.left])
        #expect(endings(ended) == [.sourceEnded])
        let counted = moments.flatMap(\.predictions).filter(\.isModelLabel).reduce(0) { $0 + $1.frames }
        #expect((340...400).contains(counted), "\(counted) frames")
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e19, -1e300])
    func `a frame with an invalid timestamp gets that of the frame before it`(time: Double) async throws {
        let mad = frames(from: time, seconds: 1 / 30.0)
        let (moments, ended) = try await moments(mad + frames(from: 0, seconds: 4) + mad + frames(from: 4, seconds: 4))
        #expect(moments.count == 242 && moments.allSatisfy { $0.jump == nil && $0.frame.time.isFinite })
        #expect(moments[121].frame.time == moments[120].frame.time)
        #expect(endings(ended) == [.sourceEnded])
        var gatherer = WindowGatherer(.init())
        #expect(mad.allSatisfy { gatherer.gather($0).isEmpty && gatherer.jump == nil })
    }

    @Test func `sessions end before the next frame on request`() async throws {
        var asked = 0
        let (moments, _) = try await moments(frames(from: 0, seconds: 12)) {
            asked += 1
            return asked == 200
        }
        let asking = try #require(moments.firstIndex { $0.endedSessions })
        #expect(asking == 199 && moments.filter(\.endedSessions).count == 1)
        #expect(endings(moments[asking].events) == [.stopped])
        // Further exercise begins another session.
        let started = moments.flatMap(\.events).filter { if case .started = $0 { true } else { false } }
        #expect(started.count == 2)
    }
}
