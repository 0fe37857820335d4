import Actions
import Foundation
import Poses
import Testing

@Suite struct SessionTrackerTests {
    private let origin = Date(timeIntervalSince1970: 1_700_000_000)

    private func tracker(idle: Double = 10) -> SessionTracker {
        SessionTracker(
            track: 1,
            .init(
                camera: "rack1", rules: RecognitionRules(idleSeconds: idle).sessions, rateHz: 30,
                exercises: ["squat", "lunge"]), origin: origin,
            makeID: { _ in "id" })
    }

    private func prediction(_ label: String, end: Double, track: Int? = 1, confidence: Float = 0.9) -> Prediction {
        Prediction(
            track: track, start: end - 2, end: end, label: label, confidence: confidence, probabilities: [],
            poseShare: track == nil ? 0 : 1, frames: 10)
    }

    @Test func `one prediction alone opens no session`() {
        var tracker = tracker()
        #expect(tracker.update([prediction("squat", end: 2)], at: 2).isEmpty)
        #expect(tracker.close(.stopped).isEmpty)
    }

    @Test func `the second prediction opens a session, and the first is credited too`() throws {
        var tracker = tracker()
        _ = tracker.update([prediction("squat", end: 2)], at: 2)
        let events = tracker.update([prediction("squat", end: 2.33)], at: 2.33)
        guard case .started(let session)? = events.first, events.count == 1 else { Issue.record("\(events)"); return }
        #expect(session.start == origin && session.camera == "rack1" && session.track == 1)
        #expect(
            session.actions == [
                ActionTotal(label: "squat", frames: 20, seconds: 20.0 / 30, meanConfidence: Double(Float(0.9)))
            ])
    }

    // MARK: - Zones

    private func person(in zone: String?) -> Track {
        Track(
            id: 1, pose: Pose(keypoints: Array(repeating: Keypoint(x: 0, y: 0, confidence: 1), count: 18)), zone: zone)
    }

    /// Squats from 2 to 12 s; `zone` says where the person stands.
    private func squats(_ zone: (Double) -> String?, sets: [ExerciseSet] = []) throws -> Session {
        var tracker = tracker()
        var newest: Session?
        for step in 0...40 {
            let time = 2 + Double(step) / 4
            let now = step == 40 ? sets : []
            for event in tracker.update([prediction("squat", end: time)], now, seenAs: person(in: zone(time)), at: time)
            {
                newest = event.session
            }
        }
        return try #require(newest)
    }

    @Test func `a session and each set belong to the zone where most of them took place`() throws {
        #expect(try squats { _ in nil }.zone == nil)
        #expect(try squats { _ in "mat" }.zone == "mat")
        #expect(try squats { $0 < 4 ? "rack-1" : "rack-2" }.zone == "rack-2")
        #expect(try squats { $0 < 9 ? "rack-1" : nil }.zone == "rack-1")
        func set(_ number: Int, _ start: Double, _ end: Double) -> ExerciseSet {
            ExerciseSet(track: 1, number: number, label: "squat", start: start, end: end, repetitions: [])
        }
        let session = try squats({ $0 < 7 ? "rack-1" : "rack-2" }, sets: [set(1, 0, 6), set(2, 6, 12)])
        #expect(session.sets.map(\.zone) == ["rack-1", "rack-2"])
    }

    @Test func `a session that begins while the person is hidden belongs to the zone where they appear`() {
        var tracker = tracker()
        _ = tracker.update([prediction("squat", end: 2)], at: 2)
        let events = tracker.update([prediction("squat", end: 3)], seenAs: person(in: "mat"), at: 3)
        #expect(events.map(\.session.zone) == ["mat"])
    }

    @Test func `other labels of the model are credited but keep no session alive`() throws {
        var tracker = tracker(idle: 5)
        _ = tracker.update([prediction("squat", end: 2)], at: 2)
        _ = tracker.update([prediction("squat", end: 3)], at: 3)
        var ended: Session?
        for second in 4...12 {
            for case .ended(let session) in tracker.update(
                [prediction("none", end: Double(second))], at: Double(second))
            {
                ended = session
            }
        }
        let session = try #require(ended)
        #expect(session.endReason == .idle)
        #expect(session.actions.map(\.label) == ["squat", "none"])
        #expect(session.end == origin.addingTimeInterval(3))
    }

    @Test func `scenario 31: an open session keeps its clock when the clock is set, the next one uses the new time`()
        throws
    {
        var tracker = tracker(idle: 5)
        _ = tracker.update([prediction("squat", end: 2)], at: 2)
        tracker.origin = origin.addingTimeInterval(-86_400)
        _ = tracker.update([prediction("squat", end: 4)], at: 4)
        let ended = tracker.update([prediction("none", end: 10)], at: 10)
        guard case .ended(let session)? = ended.last else { Issue.record("\(ended)"); return }
        #expect(session.start == origin && session.end == origin.addingTimeInterval(4))
        _ = tracker.update([prediction("squat", end: 12)], at: 12)
        guard case .started(let next)? = tracker.update([prediction("squat", end: 13)], at: 13).first else {
            Issue.record("no other session")
            return
        }
        #expect(next.start == origin.addingTimeInterval(10 - 86_400))
    }

    @Test(arguments: PseudoLabel.allCases)
    func `pseudo-labels are kept apart and never counted`(label: PseudoLabel) throws {
        var tracker = tracker()
        _ = tracker.update([prediction("squat", end: 2), prediction("squat", end: 2.3)], at: 2.3)
        _ = tracker.update([prediction(label.rawValue, end: 3, track: label == .noPerson ? nil : 1)], at: 3)
        guard case .ended(let session)? = tracker.close(.stopped).first else { Issue.record("no end"); return }
        #expect(session.actions.map(\.label) == ["squat"])
        #expect(session.actions.first?.frames == 20)
        #expect(session.excludedFrames == [label.rawValue: 10])
        #expect(session.endReason == .stopped)
    }

    @Test func `a session ends with the reason that the person left the picture`() throws {
        var tracker = tracker(idle: 6)
        _ = tracker.update([prediction("lunge", end: 2), prediction("lunge", end: 2.3)], at: 2.3)
        var reasons: [Session.EndReason?] = []
        for second in 3...12 {
            reasons += tracker.update([prediction("no_person", end: Double(second), track: nil)], at: Double(second))
                .map(\.session.endReason)
        }
        #expect(reasons == [.left])
    }

    @Test func `every started session has exactly one end`() {
        var tracker = tracker(idle: 5)
        var started = 0
        var ended = 0
        func note(_ events: [SessionEvent]) {
            for event in events {
                if case .started = event { started += 1 }
                if case .ended = event { ended += 1 }
            }
        }
        for second in 0..<200 {
            let label = second / 10 % 2 == 0 ? "squat" : "none"
            note(tracker.update([prediction(label, end: Double(second))], at: Double(second)))
        }
        note(tracker.close(.stopped))
        #expect(started == ended && started > 3)
    }

    @Test func `the repetitions of sets are added to the session`() throws {
        var tracker = tracker()
        _ = tracker.update([prediction("squat", end: 2), prediction("squat", end: 2.3)], at: 2.3)
        func set(_ number: Int, reps: Int, isOpen: Bool) -> ExerciseSet {
            ExerciseSet(
                track: 1, number: number, label: "squat", start: 1, end: 4,
                repetitions: Array(repeating: Repetition(start: 1, extreme: 2, end: 3), count: reps), isOpen: isOpen)
        }
        _ = tracker.update([], [set(1, reps: 2, isOpen: true)], at: 4)
        guard
            case .setEnded(let ended, let session)? = tracker.update([], [set(1, reps: 3, isOpen: false)], at: 5).first
        else { Issue.record("no set"); return }
        #expect(ended.reps == 3 && ended.start == origin + 1 && session.sets == [ended])
        _ = tracker.update([prediction("squat", end: 6)], [set(2, reps: 4, isOpen: true)], at: 6)
        let last = try #require(tracker.close(.stopped).first).session
        #expect(last.sets.map(\.reps) == [3, 4] && last.actions.map(\.reps) == [7])
    }

    @Test func `a set without a session is ignored`() {
        let set = ExerciseSet(track: 1, number: 1, label: "squat", start: 0, end: 4, repetitions: [])
        var tracker = tracker()
        #expect(tracker.update([], [set], at: 4).isEmpty)
    }
}
