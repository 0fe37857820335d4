import Broker
import Foundation
import History
import Messaging
import Records
import Synchronization
import Testing

/// Commands from an independent client, over a real broker.
@Suite(.enabled(if: Broker.isInstalled, "mosquitto is not installed: apt install mosquitto mosquitto-clients"))
struct CommandTests {
    /// A node that accepts commands, a broker, and a subscriber.
    private final class Scene: Sendable {
        let broker: Broker
        let subscriber: Subscriber
        let node: Node
        let orders = Mutex<[AgentCommand]>([])

        init(allowed: Set<CommandName> = Set(CommandName.allCases), remoteControl: Bool = true) async throws {
            broker = try Broker()
            try await broker.start()
            subscriber = try await Subscriber(port: broker.port, topic: "#")
            var settings = MQTTSettings(port: broker.port)
            settings.allowedCommands = allowed
            settings.remoteControl = remoteControl
            node = try Node(settings)
            try node.publishEverything()
            node.publisher.onCommand { [self] command, done in
                orders.withLock { $0.append(command) }
                done(.success(["done": true]))
            }
            node.publisher.start()
            try await eventually("online") { subscriber.states().contains("online") }
        }

        func send(_ name: String, _ payload: String, _ arguments: String...) throws {
            try run(
                "/usr/bin/mosquitto_pub",
                [
                    "-V", "5", "-q", "1", "-p", "\(broker.port)", "-t", "spotter/v1/gym/sp-test/cmd/\(name)", "-m",
                    payload,
                ]
                    + arguments)
        }

        func answers(_ name: String) throws -> [[String: Any]] {
            try subscriber.messages("/res/\(name)").map { try $0.json() }
        }

        func answer(_ name: String, _ payload: String) async throws -> [String: Any] {
            let before = try answers(name).count
            try send(name, payload)
            try await eventually("an answer to \(name)") { try answers(name).count > before }
            return try #require(try answers(name).last)
        }

        func code(_ name: String, _ payload: String) async throws -> String? {
            (try await answer(name, payload)["error"] as? [String: Any])?["code"] as? String
        }

        /// Returns when all earlier messages have arrived: a ping sent last has been answered.
        func settle() async throws {
            let id = UUID().uuidString
            try send("ping", #"{"id":"\#(id)"}"#)
            try await eventually("settled") { try answers("ping").contains { $0["id"] as? String == id } }
        }
    }

    @Test func `an id with another command or other arguments is refused, and what is under way answers all who asked`()
        async throws
    {
        let scene = try await Scene()
        _ = try await scene.answer("camera_set", #"{"id":"b1","args":{"camera":"rack1","enabled":true}}"#)
        let other = #"{"id":"b1","args":{"camera":"rack1","enabled":false}}"#
        #expect(try await scene.code("camera_set", other) == "bad_request")
        #expect(try await scene.code("ping", #"{"id":"b1"}"#) == "bad_request")
        let same = try await scene.answer("camera_set", #"{"id":"b1","args":{"camera":"rack1","enabled":true}}"#)
        #expect(same["status"] as? String == "ok")
        let topics = try Topics(site: "gym", node: "sp-test")
        var settings = MQTTSettings()
        settings.allowedCommands = [.reload, .restart]
        var validator = CommandValidator(topics: topics, settings: settings, log: scene.node.store.commands)
        let wall = Date(timeIntervalSince1970: 1_795_258_800)
        func decide(_ word: String, to topic: String?) throws -> CommandValidator.Decision {
            let message = ArrivedMessage(
                topic: topics.command(word), payload: Array(#"{"id":"c1"}"#.utf8), retained: false,
                responseTopic: topic, correlation: nil)
            return try validator.validate(message, command: word, wall: wall)
        }
        guard case .carryOut = try decide("reload", to: "answers/one") else {
            throw CommandError(.failed, "another decision")
        }
        guard case .ignore = try decide("reload", to: "answers/two") else {
            throw CommandError(.failed, "another decision")
        }
        guard case .answer = try decide("restart", to: nil) else { throw CommandError(.failed, "another decision") }
        let answers = try validator.finish("c1", .success([:]), wall: wall)
        #expect(answers.map(\.topic) == ["answers/one", "answers/two"])
        try validator.writeDown(wall)
        guard case .answer(let again) = try decide("reload", to: nil) else {
            throw CommandError(.failed, "another decision")
        }
        #expect(again.payload == answers[0].payload)
        // The history knows the command as well, where the memory of a run does not.
        validator = CommandValidator(topics: topics, settings: settings, log: scene.node.store.commands)
        guard case .answer(let refused) = try decide("restart", to: nil) else {
            throw CommandError(.failed, "another decision")
        }
        #expect(refused.payload.contains("bad_request"))
    }

    @Test func `commands that need no work of the node are answered at once`() async throws {
        let scene = try await Scene()
        let pong = try await scene.answer("ping", #"{"id":"a1"}"#)
        #expect(Set(pong.keys) == ["v", "id", "cmd", "status", "data", "ts"])
        #expect(pong["id"] as? String == "a1" && pong["status"] as? String == "ok" && pong["cmd"] as? String == "ping")
        let info = try await scene.answer("info", #"{"id":"a2"}"#)["data"] as? [String: Any]
        #expect(info?["node"] as? String == "sp-test" && (info?["commands"] as? [String])?.contains("ping") == true)
        #expect(try await scene.code("health", #"{"id":"a3"}"#) == "failed", "there was no heartbeat yet")
        scene.node.publisher.health(.example(Date()))
        let health = try await scene.answer("health", #"{"id":"a4"}"#)["data"] as? [String: Any]
        #expect(health?["outbox"] != nil)
        await scene.node.publisher.stop()
    }

    @Test func `scenario 9: a retained command is not obeyed, but counted and named in the log`() async throws {
        let broker = try Broker()
        try await broker.start()
        for (topic, payload) in [("cmd/restart", #"{"id":"r1"}"#), ("cam/rack1/enabled/set", "OFF")] {
            try run(
                "/usr/bin/mosquitto_pub",
                ["-p", "\(broker.port)", "-r", "-q", "1", "-t", "spotter/v1/gym/sp-test/\(topic)", "-m", payload])
        }
        let node = try Node(MQTTSettings(port: broker.port))
        let orders = Mutex<[AgentCommand]>([])
        node.publisher.onCommand { command, done in orders.withLock { $0.append(command) } }
        let subscriber = try await Subscriber(port: broker.port, topic: "#")
        node.publisher.start()
        try await eventually("online") { subscriber.states().contains("online") }
        // With MQTT 5 the node gets no old retained commands; one retained while it listens is refused by its flag.
        try run(
            "/usr/bin/mosquitto_pub",
            [
                "-V", "5", "-p", "\(broker.port)", "-r", "-q", "1", "-t", "spotter/v1/gym/sp-test/cmd/restart", "-m",
                #"{"id":"r2"}"#,
            ])
        try await eventually("counted") { node.publisher.report.refusedRetained == 1 }
        #expect(orders.withLock { $0 }.isEmpty && subscriber.messages("/res/restart").isEmpty)
        #expect(node.log.contains { $0.contains("cmd/restart") && $0.hasPrefix("warning") })
        await node.publisher.stop()
    }

    @Test func `scenario 10: the same id twice is carried out once and answered twice, also after a restart`()
        async throws
    {
        let scene = try await Scene()
        let command = #"{"id":"c1","args":{"camera":"rack1","enabled":false}}"#
        for _ in 0..<2 { _ = try await scene.answer("camera_set", command) }
        let answers = scene.subscriber.messages("/res/camera_set").map(\.payload)
        #expect(answers.count == 2 && Set(answers).count == 1)
        #expect(scene.orders.withLock { $0 } == [.node(.setCamera("rack1", enabled: false))])
        await scene.node.publisher.stop()

        let again = try Publisher(settings: MQTTSettings(port: scene.broker.port), store: scene.node.store) { _, _ in }
        again.onCommand { _, _ in Issue.record("carried out again after a restart") }
        again.start()
        try await eventually("online again") { again.report.isOnline }
        try scene.send("camera_set", command)
        try await eventually("the stored answer") { scene.subscriber.messages("/res/camera_set").count == 3 }
        #expect(scene.subscriber.messages("/res/camera_set").last?.payload == answers.first)
        await again.stop()
    }

    @Test func `scenario 11: an invalid command is answered with one short error or not at all`() async throws {
        let scene = try await Scene()
        let deep =
            #"{"id":"d","args":"# + String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000) + "}"
        let long = #"{"id":"l","args":{"x":""# + String(repeating: "y", count: 20_000) + #""}}"#
        for payload in [
            "", "no json", "[1]", "null", #"{"id":7}"#, #"{"id":""}"#, #"{"id":"a b"}"#, deep, long,
            #"{"id":"n","args":NaN}"#, #"{"id":"w","args":[]}"#, #"{"id":"e","exp":"soon"}"#,
        ] {
            #expect(try await scene.code("ping", payload) == "bad_request", "\(payload.prefix(40))")
        }
        #expect(try await scene.code("make_coffee", #"{"id":"m"}"#) == "unknown_command")
        let file = scene.broker.directory.appendingPathComponent("bytes")
        try Data([0x7B, 0xFF, 0xFE, 0x7D]).write(to: file)
        let before = try scene.answers("ping").count
        try run(
            "/usr/bin/mosquitto_pub",
            ["-p", "\(scene.broker.port)", "-t", "spotter/v1/gym/sp-test/cmd/ping", "-q", "1", "-f", file.path])
        try await eventually("invalid UTF-8") { try scene.answers("ping").count == before + 1 }
        try Data(count: 1 << 20).write(to: file)
        try run(
            "/usr/bin/mosquitto_pub",
            ["-p", "\(scene.broker.port)", "-t", "spotter/v1/gym/sp-test/cmd/ping", "-q", "1", "-f", file.path])
        try await scene.settle()
        #expect(
            scene.subscriber.messages.filter { $0.topic.contains("/res/") }.allSatisfy { $0.payload.utf8.count <= 1024 }
        )
        #expect(scene.orders.withLock { $0 }.isEmpty)
        await scene.node.publisher.stop()
    }

    @Test func `expiry, permission and arguments of commands are checked`() async throws {
        let scene = try await Scene(allowed: Set(CommandName.allCases).subtracting([.restart]))
        #expect(try await scene.code("restart", #"{"id":"f1"}"#) == "forbidden")
        #expect(
            try await scene.code("camera_set", #"{"id":"f2","args":{"camera":"rack9","enabled":true}}"#)
                == "unknown_camera")
        #expect(
            try await scene.code("camera_set", #"{"id":"f3","args":{"camera":"rack1","enabled":1}}"#) == "invalid_args")
        let preview = #"{"id":"f4","args":{"camera":"rack1","seconds":301}}"#
        #expect(try await scene.code("preview", preview) == "invalid_args")
        #expect(try await scene.code("log_level", #"{"id":"f9","args":{"level":"loud"}}"#) == "invalid_args")
        #expect(try await scene.code("model_set", #"{"id":"f10","args":{}}"#) == "invalid_args")
        #expect(try await scene.code("session_delete", #"{"id":"f5","args":{"id":"x"}}"#) == "unknown_session")
        let epoch = scene.node.store.identity.epoch
        let backwards = #"{"id":"s8","args":{"epoch":"\#(epoch)","from_seq":5,"to_seq":3}}"#
        #expect(try await scene.code("sync", backwards) == "invalid_args")
        #expect(try await scene.code("sync", #"{"id":"f6","args":{"epoch":"x","from_seq":1}}"#) == "unknown_epoch")
        let late = #"{"id":"f7","exp":"2001-01-01T00:00:00Z"}"#
        #expect(try await scene.code("ping", late) == "expired")
        #expect(
            try await scene.answer("ping", #"{"id":"f8","exp":"2099-01-01T00:00:00.5Z"}"#)["status"] as? String == "ok")
        await scene.node.publisher.stop()
    }

    @Test func `preview, model and log level commands reach the node with their arguments`() async throws {
        let scene = try await Scene()
        _ = try await scene.answer("preview", #"{"id":"p1","args":{"camera":"rack1","seconds":3}}"#)
        _ = try await scene.answer("preview", #"{"id":"p2","args":{"camera":"rack1"}}"#)
        _ = try await scene.answer("model_set", #"{"id":"p3","args":{"id":"gym14"}}"#)
        _ = try await scene.answer("log_level", #"{"id":"p4","args":{"level":"debug","for_s":60}}"#)
        #expect(
            scene.orders.withLock { $0 } == [
                .node(.preview(camera: "rack1", seconds: 3)), .node(.preview(camera: "rack1", seconds: 10)),
                .node(.setModel("gym14")),
                .node(.setLogLevel("debug", seconds: 60)),
            ])
        #expect(scene.subscriber.messages("/info").allSatisfy { $0.payload.contains(#""images":"skeleton""#) })
        await scene.node.publisher.stop()
    }

    @Test func `a sender may name a response topic, but not one of the node's own`() async throws {
        let scene = try await Scene()
        try scene.send(
            "ping", #"{"id":"p1"}"#, "-D", "publish", "response-topic", "my/answers", "-D", "publish",
            "correlation-data", "k7")
        try await eventually("the answer where it was wanted") { scene.subscriber.messages("my/answers").count == 1 }
        #expect(try scene.answers("ping").isEmpty)
        try scene.send("ping", #"{"id":"p2"}"#, "-D", "publish", "response-topic", "spotter/v1/gym/sp-test/rec/session")
        try await eventually("the usual place") { try scene.answers("ping").count == 1 }
        #expect(scene.subscriber.messages("/rec/session").isEmpty)
        await scene.node.publisher.stop()
    }

    @Test func `a switch accepts ON and OFF, and its state follows`() async throws {
        let scene = try await Scene()
        #expect(scene.subscriber.messages("rack1/enabled").map(\.payload) == ["ON"])
        for word in ["OFF", "off", "ON"] {
            try run(
                "/usr/bin/mosquitto_pub",
                [
                    "-p", "\(scene.broker.port)", "-q", "1", "-t", "spotter/v1/gym/sp-test/cam/rack1/enabled/set", "-m",
                    word,
                ])
        }
        try await eventually("two orders") { scene.orders.withLock { $0 }.count == 2 }
        #expect(
            scene.orders.withLock { $0 } == [
                .node(.setCamera("rack1", enabled: false)), .node(.setCamera("rack1", enabled: true)),
            ])
        await scene.node.publisher.stop()
    }

    @Test func `without remote control the node subscribes to no commands`() async throws {
        let scene = try await Scene(remoteControl: false)
        try scene.send("ping", #"{"id":"z"}"#)
        // A listening node would have received it by now, and would answer it before it publishes anything new.
        try await eventually("sent") { scene.subscriber.messages("/cmd/ping").count == 1 }
        scene.node.publishState("lunge")
        try await eventually("something new") {
            scene.subscriber.messages("/state").contains { $0.payload.contains("lunge") }
        }
        #expect(try scene.answers("ping").isEmpty)
        #expect(try (scene.subscriber.messages("/info").last?.json()["commands"] as? [String])?.isEmpty == true)
        await scene.node.publisher.stop()
    }

    @Test func `a set gets its load and exertion, and receivers get the session again`() async throws {
        let scene = try await Scene()
        let id = "019aa0d1-22b0-7f3e-8d51-0c1f6e2b7a90"
        try scene.node.record(session: id)
        try await eventually("recorded") { scene.subscriber.messages("/rec/session").count == 1 }
        func correct(_ number: Int, _ rest: String) -> String {
            #"{"id":"k\#(number)","args":{"session":"\#(id)","set":2\#(rest)}}"#
        }
        let answer = try await scene.answer("set_correct", correct(1, #","load_kg":80,"rpe":8.5"#))
        #expect(answer["status"] as? String == "ok" && (answer["data"] as? [String: Any])?["changed"] as? Bool == true)
        try await eventually("the corrected session") { scene.subscriber.messages("/rec/session").count == 2 }
        let record = try #require(try scene.subscriber.messages("/rec/session").last?.json())
        let sets = (record["body"] as? [String: Any])?["sets"] as? [[String: Any]]
        #expect(sets?[1]["load_kg"] as? Double == 80 && sets?[1]["rpe"] as? Double == 8.5 && sets?[0]["rpe"] == nil)
        _ = try await scene.answer("set_correct", correct(2, #","reps":3"#))
        try await eventually("the totals of today") {
            scene.subscriber.messages("/counts").last?.payload.contains(#""squat":4"#) == true
        }
        let again = try await scene.answer("set_correct", correct(3, #","undo":true"#))
        #expect((again["data"] as? [String: Any])?["changed"] as? Bool == true)
        #expect(try scene.node.store.query.session(id)?.sets?[1].loadKg == nil)
        for (number, rest) in ["", #","rpe":11"#, #","rpe":"8""#, #","load_kg":5,"undo":true"#].enumerated() {
            #expect(try await scene.code("set_correct", correct(10 + number, rest)) == "invalid_args", "\(rest)")
        }
        let unknown = #"{"id":"u1","args":{"session":"x","set":1,"rpe":8}}"#
        #expect(try await scene.code("set_correct", unknown) == "unknown_session")
        await scene.node.publisher.stop()
    }

    @Test func `scenario 40: a session that is deleted leaves a tombstone in the stream`() async throws {
        let scene = try await Scene()
        let id = "019aa0d1-22b0-7f3e-8d51-0c1f6e2b7a90"
        try scene.node.record(session: id)
        try await eventually("recorded") { scene.subscriber.messages("/rec/session").count == 1 }
        let answer = try await scene.answer("session_delete", #"{"id":"x1","args":{"id":"\#(id)"}}"#)
        #expect(answer["status"] as? String == "ok")
        try await eventually("the tombstone") { scene.subscriber.messages("/rec/session").count == 2 }
        let tombstone = try #require(try scene.subscriber.messages("/rec/session").last?.json())
        #expect(tombstone["rev"] as? Int == 2 && (tombstone["body"] as? [String: Bool]) == ["deleted": true])
        await scene.node.publisher.stop()
    }
}
