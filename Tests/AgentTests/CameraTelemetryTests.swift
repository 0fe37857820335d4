import Actions
import Agent
import Foundation
import Messaging
import Synchronization
import Testing

@Suite struct CameraTelemetryTests {
    private let published = Published()
    private let stored = Stored()

    private final class Stored: Sendable {
        let sessions = Mutex<Set<String>>([])
    }

    private func telemetry(rateHz: Double = 30, zones: [String] = []) -> CameraTelemetry {
        CameraTelemetry(
            camera: "rack1", device: "/dev/video0", rateHz: rateHz, zones: zones,
            isStored: { [stored] id in stored.sessions.withLock { $0.contains(id) } }, publish: published.publish)
    }

    private var states: [CameraState] {
        published.all.compactMap { if case .state(let state) = $0 { state } else { nil } }
    }

    @Test func `a session is named only when it is on disk, and no session is announced here`() throws {
        var telemetry = telemetry()
        let squat = SinkFixture.prediction("squat", end: 2)
        telemetry.receive(
            SinkFixture.result(at: 2, predictions: [squat], events: [.started(SinkFixture.session())]))
        #expect(states.last?.action == "squat" && states.last?.session == nil)
        stored.sessions.withLock { _ = $0.insert("s1") }
        telemetry.receive(SinkFixture.result(at: 3, predictions: [SinkFixture.prediction("squat", end: 3)]))
        #expect(states.last?.session == "s1" && states.last?.reps == 5)
        let events = published.all.compactMap { if case .event(let event) = $0 { event.eventType } else { nil } }
        #expect(events == [.actionChanged])
    }

    @Test(arguments: [(30.0, [0, 59]), (10.0, [0, 19]), (60.0, [0, 119])])
    func `live predictions count frames at the model's rate`(rateHz: Double, frames: [Int]) throws {
        var telemetry = telemetry(rateHz: rateHz)
        telemetry.receive(SinkFixture.result(at: 2, predictions: [SinkFixture.prediction("squat", end: 2)]))
        let live = published.all.compactMap { if case .live(let live) = $0 { live } else { nil } }
        #expect(live.map(\.f) == [frames])
    }

    @Test func `each zone says who stands there, whether it is used, and what for`() throws {
        var telemetry = telemetry(zones: ["mat", "rack-1"])
        let squat = SinkFixture.prediction("squat", end: 2)
        telemetry.receive(SinkFixture.result(at: 1, people: 2, zones: [1: "rack-1"]))
        let free = CameraState.ZoneState()
        #expect(states.last?.zones == ["mat": free, "rack-1": .init(people: 1)])
        telemetry.receive(
            SinkFixture.result(
                at: 2, predictions: [squat], events: [.started(SinkFixture.session())], people: 2,
                zones: [1: "rack-1", 2: "rack-1"]))
        #expect(states.last?.zones == ["mat": free, "rack-1": .init(people: 2, inUse: true, action: "squat")])
        // Hidden for a moment, the person still uses the rack.
        telemetry.receive(SinkFixture.result(at: 3, people: 0))
        #expect(states.last?.zones?["rack-1"] == .init(people: 0, inUse: true, action: "squat"))
        // A change of place is told at once, without a prediction.
        telemetry.receive(SinkFixture.result(at: 4, zones: [1: "mat"]))
        #expect(states.last?.zones == ["mat": .init(people: 1, inUse: true, action: "squat"), "rack-1": free])
        telemetry.receive(
            SinkFixture.result(at: 5, events: [.ended(SinkFixture.session(reason: .idle))], zones: [1: "mat"]))
        telemetry.close(SinkFixture.ending())
        #expect(states.last?.zones == ["mat": free, "rack-1": free])
    }

    @Test func `a zone says how many people wait beside it`() throws {
        var telemetry = telemetry(zones: ["rack-1"])
        telemetry.receive(
            SinkFixture.result(at: 1, events: [.started(SinkFixture.session())], zones: [1: "rack-1"]))
        let before = states.count
        telemetry.receive(SinkFixture.result(at: 2, people: 2, zones: [1: "rack-1"], waiting: ["rack-1": 1]))
        #expect(states.last?.zones == ["rack-1": .init(people: 1, inUse: true, waiting: 1)])
        #expect(states.count > before, "it is told at once, without a prediction")
        telemetry.close(SinkFixture.ending())
        #expect(states.last?.zones == ["rack-1": .init()])
    }

    @Test func `a camera without zones says nothing of them`() throws {
        var telemetry = telemetry()
        telemetry.receive(SinkFixture.result(at: 2, predictions: [SinkFixture.prediction("squat", end: 2)]))
        #expect(!states.isEmpty && states.allSatisfy { $0.zones == nil })
    }

    @Test func `action, session and repetitions are of the same person`() throws {
        var telemetry = telemetry()
        stored.sessions.withLock { $0 = ["s1", "s2"] }
        // Person 1 is prominent and has no session; person 2 has one.
        let other = Session(
            id: "s2", camera: "rack1", track: 2, start: SinkFixture.origin, end: SinkFixture.origin,
            actions: [ActionTotal(label: "squat", frames: 300, seconds: 10, reps: 11, meanConfidence: 0.9)])
        func squat(_ end: Double, _ track: Int) -> Prediction {
            SinkFixture.prediction("squat", end: end, track: track)
        }
        telemetry.receive(
            SinkFixture.result(at: 2, predictions: [squat(2, 1), squat(2, 2)], events: [.started(other)], people: 2))
        #expect(states.last?.action == "squat" && states.last?.session == nil && states.last?.reps == nil)
        telemetry.receive(
            SinkFixture.result(
                at: 3, predictions: [squat(3, 1), squat(3, 2)], events: [.started(SinkFixture.session())], people: 2))
        #expect(states.last?.session == "s1" && states.last?.reps == 5)
        // A window of somebody else does not speak for the camera while the prominent person is in view.
        let before = states.count
        telemetry.receive(SinkFixture.result(at: 4, predictions: [squat(4, 2)], people: 2))
        #expect(states.count == before)
        // The prominent person leaves: the state is the other one's, since then.
        telemetry.receive(SinkFixture.result(at: 5, predictions: [squat(5, 2)], people: 0))
        #expect(states.last?.session == "s2" && states.last?.reps == 11)
        #expect(states.last?.since == SinkFixture.origin + 5)
        // Nobody is in view: the action is nobody's, and the session of the last person goes on.
        telemetry.receive(
            SinkFixture.result(at: 6, predictions: [SinkFixture.prediction("no_person", end: 6, track: nil)], people: 0)
        )
        #expect(states.last?.action == "no_person" && states.last?.session == "s2" && states.last?.reps == nil)
    }

    @Test func `at the end the state shows nobody, and whether the source has ended`() throws {
        var telemetry = telemetry()
        telemetry.receive(SinkFixture.result(at: 2, predictions: [SinkFixture.prediction("squat", end: 2)]))
        telemetry.close(SinkFixture.ending())
        #expect(states.last?.action == "none" && states.last?.people == 0)
        guard case .status(let status)? = published.all.last else { Issue.record("\(published.all)"); return }
        #expect(status.state == .offline && status.reason == "ended")
    }

    @Test func `a person who was known again has one session, and the camera is free when it ends`() throws {
        var telemetry = telemetry()
        var second = SinkFixture.session("s2")
        second.track = 2
        let squat = SinkFixture.prediction("squat", end: 2, track: 2)
        telemetry.receive(
            SinkFixture.result(
                at: 2, predictions: [squat], events: [.started(SinkFixture.session()), .started(second)]))
        var both = SinkFixture.session()
        both.actions[0].reps = 9
        stored.sessions.withLock { $0 = ["s1"] }
        telemetry.receive(
            SinkFixture.result(
                at: 3, predictions: [SinkFixture.prediction("squat", end: 3)],
                events: [.merged(both, absorbed: AbsorbedSession(id: "s2", setOffset: 1))],
                links: [PersonLink(from: 2, to: 1, since: 1)]))
        #expect(states.last?.session == "s1" && states.last?.reps == 9 && states.last?.inUse == true)
        telemetry.receive(SinkFixture.result(at: 40, events: [.ended(both)]))
        telemetry.receive(SinkFixture.result(at: 41, predictions: [SinkFixture.prediction("other", end: 41)]))
        #expect(states.last?.inUse == false)
    }
}
