import Actions
import Agent
import Foundation
import History
import Poses
import Records
import TestSupport
import Testing

/// What of the cameras' joints reaches the history.
@Suite struct PoseKeeperTests {
    private let folder: TemporaryFolder
    private let store: Store
    private let writer: HistoryWriter

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(
            path: folder.file("spotter.db").path, settings: HistorySettings(timeZone: .gmt, keepPosesDays: 7))
        writer = try HistoryWriter(store: store, model: ModelStamp(id: "test@1", framesPerSecond: 30))
    }

    private func session(
        _ id: String, track: Int = 1, start: Double, origin: Date = SinkFixture.origin, sets: [SessionSet] = [],
        reason: Session.EndReason? = nil
    ) -> Session {
        Session(
            id: id, camera: "rack1", track: track, start: origin + start, end: origin + start + 5, endReason: reason,
            actions: [ActionTotal(label: "squat", frames: 30, seconds: 1, reps: 5, meanConfidence: 0.9)], sets: sets)
    }

    /// A frame in which each person's joints are where their number and the time say.
    private func result(
        at time: Double, people: [Int] = [1], events: [SessionEvent] = [], origin: Date = SinkFixture.origin,
        jump: TimeJump? = nil, links: [PersonLink] = []
    ) -> CameraResult {
        let tracks = people.map { id in
            Track(
                id: id,
                pose: Pose(
                    keypoints: (0..<18).map { _ in
                        Keypoint(x: Float(id) / 10, y: Float(time / 100), confidence: 1)
                    }))
        }
        let frame = TrackedFrame(
            index: 0, time: time, image: nil, widthPixels: 640, heightPixels: 480, tracks: tracks,
            prominent: people.first)
        return CameraResult(
            frameResult: RecognitionChain.FrameResult(frame: frame, events: events, links: links, jump: jump),
            origin: origin,
            wall: origin + time, now: .now)
    }

    /// Passes results on as a camera's pipeline does: to the history first.
    private func receive(_ result: CameraResult, by keeper: inout PoseKeeper) {
        for event in result.frameResult.events { writer.enqueue(event, now: result.now) }
        keeper.receive(result)
    }

    private func close(_ keeper: inout PoseKeeper, _ events: [SessionEvent] = []) {
        for event in events { writer.enqueue(event, now: .now) }
        keeper.close(SinkFixture.ending(events))
    }

    private struct Seen {
        /// Seconds since the origin.
        let times: [Double]
        let poses: [Pose]
        let pieces: [KeptPoses]
    }

    /// What the history has of a session.
    private func kept(_ id: String) throws -> Seen {
        _ = try writer.flush(now: .now, wall: SinkFixture.origin)
        var pieces: [KeptPoses] = []
        if let span = try store.query.keptSpan(ofSession: id) {
            try store.query.keptPoses(ofSession: id, in: span) { pieces.append($0) }
        }
        let origin = Timestamp.milliseconds(SinkFixture.origin)
        var (times, poses): ([Double], [Pose]) = ([], [])
        for piece in pieces {
            let chunk = try #require(PoseChunk(packed: piece.data))
            #expect(chunk.widthPixels == 640 && chunk.heightPixels == 480)
            times += chunk.frames.map { Double(piece.startMilliseconds - origin + Int64($0.milliseconds)) / 1000 }
            poses += chunk.frames.map(\.pose)
            #expect(times.last.map { Int64(($0 * 1000).rounded()) + origin } == piece.endMilliseconds)
        }
        return Seen(times: times, poses: poses, pieces: pieces)
    }

    @Test func `a session is kept from a second before its beginning, which was seconds ago, to its end`() throws {
        var keeper = PoseKeeper(writer: writer)
        for tenth in 0..<400 {
            let time = Double(tenth) / 10
            let events: [SessionEvent] =
                tenth == 80
                ? [.started(session("s1", start: 5))]
                : tenth == 300 ? [.ended(session("s1", start: 5, reason: .idle))] : []
            receive(result(at: time, events: events), by: &keeper)
        }
        let seen = try kept("s1")
        #expect(seen.times == (40..<300).map { Double($0) / 10 })
        #expect(seen.pieces.count == 3, "pieces of ten seconds")
        for (time, pose) in zip(seen.times, seen.poses) {
            #expect(abs(Double(pose[.nose].y) - time / 100) < 1e-4 && abs(pose[.nose].x - 0.1) < 1e-4)
        }
    }

    @Test func `a set that began before its session is kept, too`() throws {
        var keeper = PoseKeeper(writer: writer)
        let set = SessionSet(
            number: 1, label: "squat", start: SinkFixture.origin + 3, end: SinkFixture.origin + 8, reps: 3)
        for tenth in 0..<80 { receive(result(at: Double(tenth) / 10), by: &keeper) }
        receive(result(at: 8, events: [.started(session("s1", start: 5, sets: [set]))]), by: &keeper)
        close(&keeper, [.ended(session("s1", start: 5, sets: [set], reason: .stopped))])
        #expect(try kept("s1").times.first == 2)
        #expect(try kept("s1").times.last == 8, "the end of the camera ends the session")
    }

    @Test func `two people are kept apart, and one who leaves ends alone`() throws {
        var keeper = PoseKeeper(writer: writer)
        for tenth in 0..<300 {
            let events: [SessionEvent] =
                switch tenth {
                case 50: [.started(session("s1", track: 1, start: 2)), .started(session("s2", track: 2, start: 3))]
                case 250: [.ended(session("s1", track: 1, start: 2, reason: .left))]
                default: []
                }
            let people = [1, 2, 3].filter { $0 != 1 || tenth < 150 }
            receive(result(at: Double(tenth) / 10, people: people, events: events), by: &keeper)
        }
        close(&keeper, [.ended(session("s2", track: 2, start: 3, reason: .stopped))])
        let (first, second) = (try kept("s1"), try kept("s2"))
        #expect(first.times == (10..<150).map { Double($0) / 10 })
        #expect(second.times == (20..<300).map { Double($0) / 10 })
        #expect(first.poses.allSatisfy { abs($0[.nose].x - 0.1) < 1e-4 })
        #expect(second.poses.allSatisfy { abs($0[.nose].x - 0.2) < 1e-4 })
        #expect(first.pieces.count == 2 && second.pieces.count == 3)
    }

    @Test func `without a session nothing is kept, and who left is forgotten after fifteen seconds`() throws {
        var keeper = PoseKeeper(writer: writer)
        for tenth in 0..<300 { receive(result(at: Double(tenth) / 10, people: [1, 2]), by: &keeper) }
        #expect(keeper.remembered == 2 && !writer.hasPending)
        for tenth in 300..<460 { receive(result(at: Double(tenth) / 10, people: [2]), by: &keeper) }
        #expect(keeper.remembered == 1)
        // Person 2 is recognised late: no more than the memory can be kept.
        receive(result(at: 46, people: [2], events: [.started(session("s2", track: 2, start: 1))]), by: &keeper)
        close(&keeper, [.ended(session("s2", track: 2, start: 1, reason: .stopped))])
        let first = try #require(try kept("s2").times.first)
        #expect((25.5...31.5).contains(first), "\(first)")
    }

    @Test func `when the source's times jump back, old joints do not become part of a new session`() throws {
        var keeper = PoseKeeper(writer: writer)
        for tenth in 0..<100 {
            let events: [SessionEvent] = tenth == 50 ? [.started(session("s1", start: 2))] : []
            receive(result(at: 100 + Double(tenth) / 10, events: events), by: &keeper)
        }
        let jump = TimeJump(from: 110, to: 0)
        receive(
            result(at: 0, events: [.ended(session("s1", start: 2, reason: .sourceEnded))], jump: jump), by: &keeper)
        for tenth in 1..<60 {
            let events: [SessionEvent] = tenth == 50 ? [.started(session("s2", start: 0))] : []
            receive(result(at: Double(tenth) / 10, events: events), by: &keeper)
        }
        close(&keeper, [.ended(session("s2", start: 0, reason: .stopped))])
        #expect(try kept("s1").times.allSatisfy { $0 >= 100 } && kept("s1").times.count == 100)
        #expect(try kept("s2").times == (0..<60).map { Double($0) / 10 })
    }

    @Test func `a session keeps the clock it began with, as its sets do`() throws {
        var keeper = PoseKeeper(writer: writer)
        let moved = SinkFixture.origin + 3600
        for tenth in 0..<200 {
            let events: [SessionEvent] = tenth == 50 ? [.started(session("s1", start: 0))] : []
            receive(
                result(at: Double(tenth) / 10, events: events, origin: tenth < 120 ? SinkFixture.origin : moved),
                by: &keeper)
        }
        close(&keeper, [.ended(session("s1", start: 0, reason: .stopped))])
        #expect(try kept("s1").times == (0..<200).map { Double($0) / 10 })
    }

    @Test func `more than sixty frames a second are thinned out, and a frame that comes again is left out`() throws {
        var keeper = PoseKeeper(writer: writer)
        receive(result(at: 0, events: [.started(session("s1", start: 0))]), by: &keeper)
        for time in [0, 0.005, 0.016, 0.016, 0.01, 0.032, 1] { receive(result(at: time), by: &keeper) }
        close(&keeper, [.ended(session("s1", start: 0, reason: .stopped))])
        #expect(try kept("s1").times == [0, 0.016, 0.032, 1])
    }

    @Test func `the joints of two sessions that became one are kept as one`() throws {
        var keeper = PoseKeeper(writer: writer)
        for tenth in 0..<500 {
            let time = Double(tenth) / 10
            // Person 1 is lost from second 10 to 20, comes back as 2, and is known again at second 30.
            let people = tenth < 100 || tenth >= 300 ? [1] : tenth < 200 ? [] : [2]
            var (events, links): ([SessionEvent], [PersonLink]) = ([], [])
            switch tenth {
            case 30: events = [.started(session("s1", start: 1))]
            case 230: events = [.started(session("s2", track: 2, start: 20))]
            case 300:
                links = [PersonLink(from: 2, to: 1, since: 20)]
                events = [.merged(session("s1", start: 1), absorbed: AbsorbedSession(id: "s2", setOffset: 1))]
            case 450: events = [.ended(session("s1", start: 1, reason: .idle))]
            default: break
            }
            receive(result(at: time, people: people, events: events, links: links), by: &keeper)
        }
        #expect(try kept("s1").times == ((0..<100).map(Double.init) + (200..<450).map(Double.init)).map { $0 / 10 })
        #expect(try kept("s2").times.isEmpty)
    }

    @Test func `joints that waited until their person was known again are kept in pieces of ten seconds`() throws {
        var keeper = PoseKeeper(writer: writer)
        for tenth in 0..<500 {
            // Nothing was told of person 2, who is known again after 14 seconds.
            let people = tenth < 100 || tenth >= 340 ? [1] : tenth < 200 ? [] : [2]
            let links = tenth == 340 ? [PersonLink(from: 2, to: 1, since: 20)] : []
            let events: [SessionEvent] =
                tenth == 30
                ? [.started(session("s1", start: 1))]
                : tenth == 450 ? [.ended(session("s1", start: 1, reason: .idle))] : []
            receive(result(at: Double(tenth) / 10, people: people, events: events, links: links), by: &keeper)
        }
        let seen = try kept("s1")
        let wanted: [Double] = (Array(0..<100) + Array(200..<450)).map { Double($0) / 10 }
        #expect(seen.times == wanted)
        #expect(seen.pieces.allSatisfy { $0.endMilliseconds - $0.startMilliseconds <= 10_000 })
    }
}
