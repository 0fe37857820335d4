import Broker
import Foundation
import Messaging
import Records
import Testing
import Workouts

/// What everybody at the broker may read about people: nobody's name, and nothing of a prescription.
@Suite(.enabled(if: Broker.isInstalled, "mosquitto is not installed: apt install mosquitto mosquitto-clients"))
struct PrivacyTests {
    private static func runner(_ nickname: String?, prescribed: Bool) -> WorkoutRunner {
        var plan = WorkoutPlan(
            id: "knee-1", name: "Knee, weeks 1 to 4", steps: [WorkoutPlan.Step(action: "squat", repetitions: 2)])
        if prescribed { plan.prescription = WorkoutPlan.Prescription() }
        var workout = Workout(
            id: UUIDv7.string(at: Date()), plan: plan, camera: "rack1", name: "Zebrafink", nickname: nickname,
            start: Date())
        workout.steps[0].end = Date()
        workout.phase = .asking
        workout.until = Date() + 300
        return WorkoutRunner(workout, exercises: ["squat"], now: Date())
    }

    @Test(arguments: [true, false])
    func `what is published of a workout has no name, and of a private one neither plan nor pain`(isPrivate: Bool)
        throws
    {
        var runner = Self.runner("Falke", prescribed: isPrivate)
        var texts = [try JSONText.encode(CameraWorkouts([WorkoutState(runner)], ts: Date()))]
        let events =
            [WorkoutEvent(.started, at: Date(), of: runner.workout)] + (runner.answer(pain: 9, at: Date()) ?? [])
        texts += try events.map { try JSONText.encode(CameraEvent($0)) }
        for text in texts {
            #expect(!text.contains("Zebrafink") && text.contains("Falke"), "\(text)")
            guard isPrivate else { continue }
            for word in ["knee", "Knee", "asking", #""asks_pain":true"#, #""reason":"pain""#] {
                #expect(!text.contains(word), "\(text)")
            }
        }
        #expect(isPrivate || texts.allSatisfy { $0.contains("Knee") })
        // The time that is left for the answer would tell it as well.
        #expect(texts[0].contains(#""until""#) != isPrivate, "\(texts[0])")
        // The node itself knows everything.
        #expect(WorkoutState(Self.runner(nil, prescribed: true)).name == "Zebrafink")
    }

    /// The history of a node that has stopped, in a folder of its own: the lock of the first one lives as long as it.
    private static func history(of node: Node) throws -> URL {
        try node.store.close()
        let folder = try Node.temporaryDirectory()
        let file = folder.appendingPathComponent("spotter.db")
        try FileManager.default.copyItem(at: URL(fileURLWithPath: node.store.path), to: file)
        return folder
    }

    private static func retain(_ payload: String, at topic: String, _ broker: Broker) throws {
        try run("/usr/bin/mosquitto_pub", ["-p", "\(broker.port)", "-r", "-t", topic, "-m", payload])
    }

    @Test func `a node that moved clears what its former site retains, and leaves other nodes alone`() async throws {
        let broker = try Broker()
        try await broker.start()
        let first = try Node(MQTTSettings(port: broker.port, site: "berlin"))
        try first.publishEverything()
        first.publisher.start()
        try await eventually("online at berlin") { first.publisher.report.isOnline }
        await first.publisher.stop()
        // As an earlier version published it.
        let former = "spotter/v1/berlin/sp-test/cam/rack1/workouts"
        try Self.retain(#"{"v":1,"workouts":[{"name":"Zebrafink"}]}"#, at: former, broker)
        try Self.retain("{}", at: "spotter/v1/berlin/sp-other/status", broker)
        let second = try Node(
            MQTTSettings(port: broker.port, site: "hamburg"), directory: try Self.history(of: first))
        try second.publishEverything()
        second.publisher.start()
        try await eventually("removed", log: second.log) {
            second.log.contains { $0.contains("retained messages of the former home spotter/v1/berlin/sp-test/") }
        }
        await second.publisher.stop()
        // In the next connection nothing is left there, and the former home is forgotten.
        let third = try Node(
            MQTTSettings(port: broker.port, site: "hamburg"), directory: try Self.history(of: second))
        third.publisher.start()
        try await eventually("forgotten") {
            try third.store.value(of: .homes)?.contains("berlin") == false
        }
        await third.publisher.stop()
        let subscriber = try await Subscriber(port: broker.port)
        let topics = subscriber.messages.filter(\.retained).map(\.topic)
        #expect(!topics.contains { $0.hasPrefix("spotter/v1/berlin/sp-test/") }, "\(topics)")
        #expect(topics.contains("spotter/v1/berlin/sp-other/status"))
        #expect(topics.contains("spotter/v1/hamburg/sp-test/cam/rack1/workouts"))
    }

    @Test func `a former home where another node is online is left alone`() async throws {
        let broker = try Broker()
        try await broker.start()
        let first = try Node(MQTTSettings(port: broker.port, site: "berlin"))
        first.publisher.start()
        try await eventually("online") { first.publisher.report.isOnline }
        await first.publisher.stop()
        try Self.retain(#"{"v":1,"state":"online","sid":900}"#, at: "spotter/v1/berlin/sp-test/status", broker)
        let second = try Node(
            MQTTSettings(port: broker.port, site: "hamburg"), directory: try Self.history(of: first))
        second.publisher.start()
        try await eventually("told", log: second.log) { second.log.contains { $0.contains("another node is online") } }
        await second.publisher.stop()
        let subscriber = try await Subscriber(port: broker.port)
        #expect(subscriber.messages.contains { $0.topic == "spotter/v1/berlin/sp-test/status" && $0.retained })
    }

    @Test func `a name is found and removed wherever the broker retains it`() async throws {
        let broker = try Broker()
        try await broker.start()
        let base = "spotter/v1"
        for (topic, payload) in [
            ("\(base)/berlin/sp-test/cam/a/workouts", #"{"workouts":[{"name":"Frau Mu\u0308ller"}]}"#),
            ("\(base)/hamburg/sp-test/cam/a/workouts", #"{"workouts":[{"nickname":"FRAU MÜLLER"}]}"#),
            ("\(base)/hamburg/sp-test/info", #"{"name":"not Frau Müller at all"}"#),
            ("\(base)/hamburg/sp-other/cam/a/workouts", #"{"workouts":[{"name":"Frau Müller"}]}"#),
        ] {
            try Self.retain(payload, at: topic, broker)
        }
        let probe = try MQTTProbe(BrokerSettings(port: broker.port))
        let home = TopicHome(prefix: "spotter", site: "hamburg", node: "sp-test")
        let search = NameAtBroker([home], names: ["frau müller"])
        let found = try search.topics(probe)
        #expect(found == ["berlin", "hamburg"].map { "\(base)/\($0)/sp-test/cam/a/workouts" })
        try search.remove(found, probe)
        probe.disconnect()
        let subscriber = try await Subscriber(port: broker.port)
        let left = subscriber.messages.filter { $0.retained && $0.topic.hasPrefix(base) }.map(\.topic)
        #expect(Set(left) == ["\(base)/hamburg/sp-test/info", "\(base)/hamburg/sp-other/cam/a/workouts"])
    }
}
