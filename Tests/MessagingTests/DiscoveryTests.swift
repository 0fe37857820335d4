import Broker
import Foundation
import History
import Messaging
import Records
import Testing
import Words

/// Checks the discovery message against Home Assistant's rules, which were found by running it.
@Suite struct DiscoveryTests {
    private let topics: Topics
    private let payload: DiscoveryPayload

    init() throws {
        topics = try Topics(site: "gym", node: "sp-test")
        payload = DiscoveryPayload(.example, topics: topics, commands: CommandName.usual)
    }

    private func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private func components() throws -> [String: [String: Any]] {
        try #require(try object(payload.text())["components"] as? [String: [String: Any]])
    }

    /// The keys of each platform; Home Assistant ignores others silently.
    private static let known: [String: Set<String>] = [
        "sensor": [
            "state_topic", "value_template", "device_class", "options", "state_class", "unit_of_measurement",
            "last_reset_value_template", "expire_after", "json_attributes_topic", "json_attributes_template",
        ],
        "binary_sensor": [
            "state_topic", "value_template", "device_class", "expire_after", "json_attributes_topic",
            "json_attributes_template",
        ],
        "event": ["state_topic", "event_types"], "switch": ["state_topic", "command_topic"],
        "button": ["command_topic", "command_template", "device_class"],
    ]
    private static let common: Set<String> = [
        "platform", "unique_id", "default_entity_id", "name", "qos", "entity_category", "availability",
        "availability_mode",
    ]

    @Test func `root and device hold only keys that Home Assistant accepts`() throws {
        let root = try object(payload.text())
        #expect(Set(root.keys) == ["device", "origin", "availability", "availability_mode", "qos", "components"])
        let device = try #require(root["device"] as? [String: Any])
        let allowed: Set<String> = [
            "identifiers", "name", "manufacturer", "model", "sw_version", "hw_version", "serial_number",
            "suggested_area",
        ]
        #expect(Set(device.keys).isSubset(of: allowed) && device["identifiers"] as? [String] == ["spotter_sp-test"])
        #expect((root["origin"] as? [String: Any])?["name"] as? String == "spotter")
    }

    @Test func `the people on the floor and those usual at this hour are sensors of the node`() throws {
        let all = try components()
        for (key, field) in [("people", "people"), ("people_usual", "usual")] {
            let sensor = try #require(all[key])
            #expect(sensor["state_topic"] as? String == "spotter/v1/gym/sp-test/occupancy")
            #expect(sensor["value_template"] as? String == "{{ value_json.\(field) | default(none) }}")
            #expect(sensor["state_class"] as? String == "measurement")
            #expect(sensor["availability"] == nil, "a camera that is lost makes it unknown, not unavailable")
        }
    }

    @Test func `the day's totals may fall by a correction, and begin anew with the day`() throws {
        let totals = try components().filter { ($0.value["state_topic"] as? String)?.hasSuffix("/counts") == true }
        #expect(totals.count >= 3)
        for (key, total) in totals {
            #expect(total["state_class"] as? String == "total", "\(key)")
            #expect(total["last_reset_value_template"] as? String == "{{ value_json.day }}T00:00:00", "\(key)")
        }
    }

    @Test func `every component has only its platform's keys, an id, a predictable entity id and its own qos`() throws {
        for (key, component) in try components() {
            let platform = try #require(component["platform"] as? String)
            #expect(component["qos"] as? Int == 1, "\(key)")
            if platform == "device_automation" {
                #expect(
                    Set(component.keys) == [
                        "platform", "automation_type", "type", "subtype", "topic", "payload", "value_template", "qos",
                    ])
                continue
            }
            let known = try #require(Self.known[platform], "\(platform)")
            #expect(Set(component.keys).isSubset(of: known.union(Self.common)), "\(key): \(component.keys)")
            #expect(component["unique_id"] as? String == "sp-test_\(key)")
            #expect(component["default_entity_id"] as? String == "\(platform).sp_test_\(key)".replacing("-", with: "_"))
        }
    }

    @Test func `there are components for each camera and each exercise, and no others`() throws {
        #expect(
            try Set(components().keys) == [
                "rack1_action", "rack1_busy", "rack1_exercise-time", "rack1_exercise-reps", "rack1_squat_s",
                "rack1_lunge_s",
                "rack1_squat_reps", "rack1_event",
                "rack1_workout_step", "rack1_workout_reps_left", "rack1_ended", "rack1_enabled", "problem", "temp",
                "outbox", "restart", "people", "people_usual",
            ])
        let deaf = DiscoveryPayload(.example, topics: topics, commands: [])
        #expect(deaf.components["restart"] == nil && deaf.components["rack1_enabled"] == nil)
    }

    @Test func `with many exercises the sensors of single ones are switched off`() throws {
        var info = InfoPayload.example
        #expect(try components().values.allSatisfy { $0["enabled_by_default"] == nil })
        info.model.exercises = (1...9).map { "exercise_\($0)" }
        info.model.repetitions = info.model.exercises
        info.model.names = ["exercise_1": "Push-up"]
        let components = DiscoveryPayload(info, topics: topics, commands: CommandName.usual).components
        let off = components.filter { $0.value["enabled_by_default"] == false }.keys
        #expect(Set(off) == Set(info.model.exercises.flatMap { ["rack1_\($0)_s", "rack1_\($0)_reps"] }))
        #expect(components["rack1_exercise_1_reps"]?["name"]?.text?.hasSuffix("push-up reps today") == true)
        #expect(components["rack1_exercise_2_s"]?["name"]?.text?.hasSuffix("exercise 2 time today") == true)
    }

    @Test func `the names follow the language, and nothing else does`() throws {
        var info = InfoPayload.example
        info.cameras[0].zones = ["rack-1"]
        info.alarm = true
        let commands = CommandName.usual
        let names = DisplayNames(labels: ["squat": "Tiefe Kniebeuge"], zones: ["rack-1": "Rack am Fenster"])
        let english = DiscoveryPayload(info, topics: topics, commands: commands)
        let german = DiscoveryPayload(info, topics: topics, commands: commands, words: Words(.german, names: names))
        #expect(english.components.keys == german.components.keys)
        for (key, component) in english.components {
            var (one, other) = try (#require(component.object), #require(german.components[key]?.object))
            let (name, translated) = (one.removeValue(forKey: "name"), other.removeValue(forKey: "name"))
            #expect(one == other, "\(key)")
            #expect(name == nil || name != translated, "\(key) is called \(name?.text ?? "-") in both")
            #expect(name?.text?.contains(/[{}]/) != true && translated?.text?.contains(/[{}]/) != true)
        }
        let camera = info.cameras[0].name
        #expect(
            german.components["rack1_squat_reps"]?["name"] == .text("\(camera) Tiefe Kniebeuge: Wiederholungen heute"))
        #expect(german.components["rack1_zone_rack-1_in_use"]?["name"] == .text("\(camera) Rack am Fenster belegt"))
        #expect(english.components["rack1_lunge_s"]?["name"] == .text("\(camera) lunge time today"))
    }

    @Test func `each zone has its occupancy and its use of the day`() throws {
        var info = InfoPayload.example
        #expect(!payload.components.keys.contains { $0.contains("_zone_") })
        info.cameras[0].zones = ["rack-1"]
        let components = DiscoveryPayload(info, topics: topics, commands: CommandName.usual).components
        let added = Set(components.keys).subtracting(payload.components.keys)
        #expect(
            added == ["rack1_zone_rack-1_in_use", "rack1_zone_rack-1_seconds", "rack1_zone_rack-1_sets"])
        for key in added {
            let component = try #require(components[key]?.object)
            let known = try #require(Self.known[component["platform"]?.text ?? ""])
            #expect(Set(component.keys).isSubset(of: known.union(Self.common)), "\(key)")
        }
        #expect(components["rack1_zone_rack-1_in_use"]?["device_class"] == "occupancy")
        #expect(components["rack1_zone_rack-1_sets"]?["state_topic"] == .text(topics.camera("rack1", .counts)))
    }

    @Test func `a machine without a temperature sensor has no temperature component`() {
        var info = InfoPayload.example
        info.host.temperature = false
        let cold = DiscoveryPayload(info, topics: topics, commands: CommandName.usual)
        #expect(cold.components["temp"] == nil && cold.components["problem"] != nil)
    }

    @Test func `a node that asks what it saw has a sensor for how often it is right`() {
        var info = InfoPayload.example
        #expect(DiscoveryPayload(info, topics: topics, commands: []).components["accuracy"] == nil)
        info.learning = true
        let sensor = DiscoveryPayload(info, topics: topics, commands: []).components["accuracy"]
        #expect(sensor?["state_topic"] == .text(topics.health) && sensor?["unit_of_measurement"] == "%")
    }

    /// The topics from which Home Assistant reads values. An event has no value before it happens.
    private func stateTopics(_ config: String) throws -> Set<String> {
        let components = try object(config)["components"] as? [String: [String: Any]] ?? [:]
        let lasting = components.values.filter { $0["platform"] as? String != "event" }
        return Set(lasting.compactMap { $0["state_topic"] as? String })
    }

    @Test(.enabled(if: Broker.isInstalled))
    func `after Home Assistant's restart everything comes back with a value`() async throws {
        let broker = try Broker()
        try await broker.start()
        var settings = MQTTSettings(port: broker.port)
        settings.allowedCommands = CommandName.usual
        let node = try Node(settings)
        // A node whose cameras have not been opened yet.
        node.publisher.info(.example)
        node.publisher.health(.example(Date()))
        node.publisher.occupancy(OccupancyPayload(people: nil, usual: nil, ts: Date()))
        node.publisher.start()
        try await eventually("online") { node.publisher.report.isOnline }
        node.publisher.health(.example(Date()))
        let asked = "homeassistant/device/spotter_sp-test/config"
        let subscriber = try await Subscriber(port: broker.port, topic: "#")
        try await eventually("kept") { subscriber.messages(asked).count == 1 }
        let before = subscriber.messages.count
        try run("/usr/bin/mosquitto_pub", ["-p", "\(broker.port)", "-t", "homeassistant/status", "-m", "online"])
        try await eventually("described again") { subscriber.messages(asked).count == 2 }
        let topics = try stateTopics(try #require(subscriber.messages(asked).last).payload)
        #expect(topics.count == 6, "state, workouts, counts, enabled, occupancy and health: \(topics)")
        try await eventually("a value on each of them") {
            topics.isSubset(of: Set(subscriber.messages.dropFirst(before).map(\.topic)))
        }
        // Everything is retained for later subscribers except the heartbeat, which comes every 30 s.
        let late = try await Subscriber(port: broker.port, topic: "spotter/#")
        let kept = topics.filter { !$0.hasSuffix("/health") }
        try await eventually("kept") { kept.isSubset(of: Set(late.messages.filter(\.retained).map(\.topic))) }
        await node.publisher.stop()
    }

    @Test(.enabled(if: Broker.isInstalled)) func `switching discovery off removes the device, once`()
        async throws
    {
        let broker = try Broker()
        try await broker.start()
        var settings = MQTTSettings(port: broker.port)
        let node = try Node(settings)
        try node.publishEverything()
        node.publisher.start()
        try await eventually("online") { node.publisher.report.isOnline }
        await node.publisher.stop()
        let config = "homeassistant/device/spotter_sp-test/config"
        let subscriber = try await Subscriber(port: broker.port, topic: "#")
        try await eventually("kept") { subscriber.messages(config).count == 1 }
        settings.discovery = false
        for run in 1...2 {
            let next = try Publisher(settings: settings, store: node.store) { _, _ in }
            next.info(.example)
            next.start()
            try await eventually("online \(run)") { next.report.isOnline }
            try await eventually("taken off") { subscriber.messages(config).last?.payload.isEmpty == true }
            try await eventually("stored") { try node.store.value(of: .discovery)?.isEmpty == true }
            await next.stop()
        }
        #expect(subscriber.messages(config).count == 2)
    }

    @Test func `only the camera's own components depend on its availability`() throws {
        let components = try components()
        for key in ["rack1_action", "rack1_busy"] {
            let topics = (components[key]?["availability"] as? [[String: String]])?.compactMap { $0["topic"] }
            #expect(topics == ["spotter/v1/gym/sp-test/status", "spotter/v1/gym/sp-test/cam/rack1/status"])
            #expect(components[key]?["availability_mode"] as? String == "all")
        }
        for key in ["rack1_event", "rack1_enabled", "rack1_squat_s", "problem"] {
            #expect(components[key]?["availability"] == nil, "\(key)")
        }
    }

    @Test func `no template uses a parent that may be absent or a value that changes every second`() throws {
        for (key, component) in try components() {
            for (name, value) in component where name.hasSuffix("_template") {
                let text = try #require(value as? String)
                #expect(!text.contains("value_json.reps.") && !text.contains("value_json.seconds."), "\(key)")
                guard name == "json_attributes_template" else { continue }
                for word in ["ts", "confidence", "uptime_s", "cpu_pct"] { #expect(!text.contains("'\(word)'")) }
            }
        }
        let action = try #require(try components()["rack1_action"])
        #expect(
            action["options"] as? [String] == ["squat", "lunge", "no_person", "low_confidence", "starting", "none"])
    }

    @Test func `removed components are deleted at a connect, and once more after a birth message`() throws {
        let (a, b): (JSONValue, JSONValue) = (["platform": "sensor", "name": "A"], ["platform": "event"])
        var memory = AnnouncedComponents()
        let changes = [["a": a, "b": b], ["a": a, "b": b], ["b": b]].map { memory.update(to: $0) }
        #expect(changes == [true, false, true])
        let connect = memory.steps(afterBirth: false)
        #expect(connect.map { $0["a"] } == [["platform": "sensor"], nil])
        let birth = memory.steps(afterBirth: true)
        #expect(birth.map { $0["a"] } == [a, ["platform": "sensor"], nil])
        #expect(birth.allSatisfy { $0["b"] == b })
        let text = try JSONText.encode(memory)
        #expect(AnnouncedComponents(note: text) == memory)
        #expect(AnnouncedComponents(note: "torn") == AnnouncedComponents())
        _ = memory.update(to: ["a": a, "b": b])
        #expect(memory.removed.isEmpty && memory.steps(afterBirth: true).count == 1)
    }

    @Test(.enabled(if: Broker.isInstalled))
    func `the description is retained and sent again after a birth message, and a removed camera is deleted`()
        async throws
    {
        let broker = try Broker()
        try await broker.start()
        let topic = "homeassistant/device/spotter_sp-test/config"
        let subscriber = try await Subscriber(port: broker.port, topic: topic)
        let node = try Node(MQTTSettings(port: broker.port))
        try node.publishEverything()
        node.publisher.start()
        try await eventually("described") { subscriber.messages(topic).count == 1 }
        let all = try await Subscriber(port: broker.port, topic: "#")
        let states = { all.messages("/cam/rack1/state").count }
        try await eventually("kept") { all.messages(topic).first?.retained == true && states() == 1 }
        try run("/usr/bin/mosquitto_pub", ["-p", "\(broker.port)", "-t", "homeassistant/status", "-m", "online"])
        try await eventually("answered within five seconds", within: 7) { subscriber.messages(topic).count == 2 }
        try await eventually("and the states again") { states() == 2 }
        var info = InfoPayload.example
        info.name = "Another corner"
        node.publisher.info(info)
        try await eventually("another name is told") { subscriber.messages(topic).count == 3 }
        info.cameras = []
        node.publisher.info(info)
        try await eventually("taken off in two steps") { subscriber.messages(topic).count == 5 }
        let last = try subscriber.messages(topic).suffix(2).map {
            try $0.json()["components"] as? [String: [String: Any]]
        }
        #expect(last[0]?["rack1_busy"]?.count == 1 && last[1]?["rack1_busy"] == nil && last[1]?["problem"] != nil)
        await node.publisher.stop()
    }

    @Test(.enabled(if: Broker.isInstalled)) func `without discovery Home Assistant gets no messages`() async throws {
        let broker = try Broker()
        try await broker.start()
        let subscriber = try await Subscriber(port: broker.port, topic: "#")
        var settings = MQTTSettings(port: broker.port)
        settings.discovery = false
        let node = try Node(settings)
        try node.publishEverything()
        node.publisher.start()
        try await eventually("online") { subscriber.states().contains("online") }
        #expect(subscriber.messages.allSatisfy { !$0.topic.hasPrefix("homeassistant") })
        await node.publisher.stop()
    }
}
