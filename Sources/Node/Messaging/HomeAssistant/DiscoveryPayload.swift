import Broker
import History
import Records
import Words

/// The description of a node for Home Assistant: one device, and a component for everything a household would look at.
///
/// Rules found by experiment. An unknown key makes Home Assistant refuse the whole description. Every template must
/// work when a key is absent. Entity ids must be given, because the default ones differ between versions.
package struct DiscoveryPayload: Equatable {
    /// The device: name, model, software version.
    package let device: JSONValue
    /// The program that sends the description.
    package let origin: JSONValue
    /// The topic that says whether the node is online.
    package let availability: JSONValue
    /// The components by key. A key never changes its meaning.
    package private(set) var components: [String: JSONValue] = [:]

    private let topics: Topics
    private let info: InfoPayload
    private let commands: Set<CommandName>
    private let words: Words

    /// Describes the node of a birth document.
    ///
    /// - Parameters:
    ///   - commands: the commands the node accepts. Switches and buttons for other commands are left out.
    ///   - words: the names that Home Assistant shows.
    package init(
        _ info: InfoPayload, topics: Topics, commands: Set<CommandName>, words: Words = Words(.english)
    ) {
        self.topics = topics
        self.info = info
        self.commands = commands
        self.words = words
        device = Self.device(info, node: topics.node, area: words.say("area", in: .homeAssistant))
        origin = ["name": "spotter", "sw_version": .text(info.sw)]
        availability = [Self.online(topics.status)]
        for camera in info.cameras { addComponents(of: camera) }
        addNodeComponents()
    }

    /// The payload of the message.
    ///
    /// - Parameter components: other components than the current ones, while some are being removed.
    package func text(components: [String: JSONValue]? = nil) throws -> String {
        try JSONText.encode(
            JSONValue.object([
                "device": device, "origin": origin, "availability": availability, "availability_mode": "all",
                "qos": 1, "components": .object(components ?? self.components),
            ]))
    }

    private static func device(_ info: InfoPayload, node: String, area: String) -> JSONValue {
        var device: [String: JSONValue] = [
            "identifiers": [.text("spotter_\(node)")], "name": .text(info.name), "manufacturer": "spotter",
            "model": "spotter node", "sw_version": .text(info.sw), "serial_number": .text(node),
            "suggested_area": .text(area),
        ]
        if !info.host.model.isEmpty { device["hw_version"] = .text(info.host.model) }
        return .object(device)
    }

    private static func online(_ topic: String) -> JSONValue {
        [
            "topic": .text(topic),
            "value_template": "{{ 'online' if value_json.state == 'online' else 'offline' }}",
        ]
    }
}

extension DiscoveryPayload {
    private mutating func addComponents(of camera: InfoPayload.Camera) {
        let state = JSONValue.text(topics.camera(camera.id, .state))
        var action = live(
            camera,
            [
                "device_class": "enum", "options": .list(options), "state_topic": state,
                "value_template": "{{ value_json.action }}",
            ])
        // Fields that change in every message are left out, or Home Assistant's recorder would store a row for each.
        action["json_attributes_topic"] = state
        action["json_attributes_template"] = .text(attributes(["people", "session", "since"]))
        add("sensor", "\(camera.id)_action", name("action", camera), action)
        add(
            "binary_sensor", "\(camera.id)_busy", name("in_use", camera),
            live(
                camera,
                [
                    "device_class": "occupancy", "state_topic": state,
                    "value_template":
                        "{{ 'ON' if value_json.in_use | default(value_json.session is defined) else 'OFF' }}",
                ]))
        for zone in camera.zones ?? [] { add(zone: zone, of: camera) }
        if info.alarm == true { addAlarm(of: camera) }
        addWorkouts(of: camera)
        addTotals(of: camera)
        addEvents(of: camera)
        guard commands.contains(.cameraSet) else { return }
        add(
            "switch", "\(camera.id)_enabled", name("enabled", camera),
            [
                "entity_category": "config", "state_topic": .text(topics.camera(camera.id, .enabled)),
                "command_topic": .text(topics.cameraSwitch(camera.id)),
            ])
    }

    private mutating func add(zone: String, of camera: InfoPayload.Camera) {
        let key = "\(camera.id)_zone_\(zone)"
        let state = JSONValue.text(topics.camera(camera.id, .state))
        let field = "((value_json.zones | default({})).get('\(zone)') or {})"
        add(
            "binary_sensor", "\(key)_in_use", name("zone_in_use", camera, zone: zone),
            live(
                camera,
                [
                    "device_class": "occupancy", "state_topic": state,
                    "value_template": .text("{{ 'ON' if \(field).get('in_use') else 'OFF' }}"),
                    "json_attributes_topic": state,
                    "json_attributes_template": .text(
                        "{{ {'people': \(field).get('people', 0), 'action': \(field).get('action'), "
                            + "'waiting': \(field).get('waiting', 0)} | tojson }}"),
                ]))
        add(
            "sensor", "\(key)_seconds", name("zone_seconds", camera, zone: zone),
            total(field, "seconds", of: camera, ["device_class": "duration", "unit_of_measurement": "s"]))
        add(
            "sensor", "\(key)_sets", name("zone_sets", camera, zone: zone),
            total(field, "sets", of: camera, ["unit_of_measurement": "sets"]))
    }

    /// Whether somebody lies on the floor. An alarm stands while its camera is lost, so that does not matter.
    private mutating func addAlarm(of camera: InfoPayload.Camera) {
        let topic = JSONValue.text(topics.alarm)
        let own = "value_json.open | selectattr('camera', 'eq', '\(camera.id)') | list"
        add(
            "binary_sensor", "\(camera.id)_alarm", name("alarm", camera),
            [
                "device_class": "safety", "state_topic": topic,
                "value_template": .text("{{ 'ON' if \(own) else 'OFF' }}"), "json_attributes_topic": topic,
                "json_attributes_template": .text("{{ {'alarms': \(own)} | tojson }}"),
            ])
    }

    /// The step and the repetitions left of the oldest workout in front of the camera.
    private mutating func addWorkouts(of camera: InfoPayload.Camera) {
        let topic = JSONValue.text(topics.camera(camera.id, .workouts))
        let workout = "(value_json.workouts | default([]) | first | default({}))"
        let facts = ["plan_name", "name", "phase", "step", "steps", "until"].map {
            "'\($0)': \(workout).get('\($0)')"
        }.joined(separator: ", ")
        // A workout goes on while its camera is lost, so the camera's availability does not matter.
        add(
            "sensor", "\(camera.id)_workout_step", name("workout_step", camera),
            [
                "state_topic": topic, "value_template": .text("{{ \(workout).get('action', 'none') }}"),
                "json_attributes_topic": topic, "json_attributes_template": .text("{{ {\(facts)} | tojson }}"),
            ])
        add(
            "sensor", "\(camera.id)_workout_reps_left", name("workout_reps_left", camera),
            [
                "state_class": "measurement", "unit_of_measurement": "reps", "state_topic": topic,
                "value_template": .text("{{ \(workout).get('reps_left') }}"),
            ])
    }

    /// With more exercises than this, the sensors of single ones are there but switched off: two for each of thirty would
    /// bury the others.
    private static let mostEnabledExercises = 8

    private mutating func addTotals(of camera: InfoPayload.Camera) {
        let seconds: [String: JSONValue] = ["device_class": "duration", "unit_of_measurement": "s"]
        let reps: [String: JSONValue] = ["unit_of_measurement": "reps"]
        let others = info.model.labels.filter { !info.model.exercises.contains($0) }.map { "'\($0)'" }
        let exercises = "items() | rejectattr(0, 'in', [\(others.joined(separator: ", "))]) | map(attribute=1)"
        // The keys of an exercise end in _s or _reps, so none of one's own can take these.
        add(
            "sensor", "\(camera.id)_exercise-time", name("exercise_time", camera),
            total("(value_json.seconds | default({})).\(exercises) | sum", of: camera, seconds))
        add(
            "sensor", "\(camera.id)_exercise-reps", name("exercise_reps", camera),
            total("(value_json.reps | default({})).values() | sum", of: camera, reps))
        for label in info.model.exercises {
            add(
                "sensor", "\(camera.id)_\(label)_s", name("label_seconds", camera, exercise: label),
                total("(value_json.seconds | default({}))", label, of: camera, seconds), ofMany: info.model.exercises)
            guard info.model.repetitions.contains(label) else { continue }
            add(
                "sensor", "\(camera.id)_\(label)_reps", name("label_reps", camera, exercise: label),
                total("(value_json.reps | default({}))", label, of: camera, reps), ofMany: info.model.exercises)
        }
    }

    /// Adds a component of one exercise.
    private mutating func add(
        _ platform: String, _ key: String, _ name: String, _ fields: [String: JSONValue], ofMany exercises: [String]
    ) {
        var fields = fields
        if exercises.count > Self.mostEnabledExercises { fields["enabled_by_default"] = false }
        add(platform, key, name, fields)
    }

    /// A number of the day's totals.
    ///
    /// - Parameters:
    ///   - totals: the template's expression for an object of the counts.
    ///   - key: the number's key in it.
    private func total(
        _ totals: String, _ key: String, of camera: InfoPayload.Camera, _ more: [String: JSONValue]
    ) -> [String: JSONValue] {
        total("\(totals).get('\(key)', 0)", of: camera, more)
    }

    /// A number of the day's totals. A correction may lower it, which is no new meter: that begins with the day.
    ///
    /// - Parameter value: the template's expression for it.
    private func total(
        _ value: String, of camera: InfoPayload.Camera, _ more: [String: JSONValue]
    ) -> [String: JSONValue] {
        var fields = more
        fields["state_class"] = "total"
        fields["last_reset_value_template"] = "{{ value_json.day }}T00:00:00"
        fields["state_topic"] = .text(topics.camera(camera.id, .counts))
        fields["value_template"] = .text("{{ \(value) }}")
        return fields
    }

    /// Events have no camera availability: otherwise the event `camera_lost` would be hidden until the camera is back.
    private mutating func addEvents(of camera: InfoPayload.Camera) {
        let topic = JSONValue.text(topics.camera(camera.id, .event))
        add(
            "event", "\(camera.id)_event", name("event", camera),
            [
                "event_types": .list(CameraEvent.Kind.allCases.map { .text($0.rawValue) }), "state_topic": topic,
            ])
        let ended = CameraEvent.Kind.sessionEnded.rawValue
        components["\(camera.id)_ended"] = [
            "platform": "device_automation", "automation_type": "trigger", "type": .text(ended),
            "subtype": .text(camera.id), "topic": topic, "qos": 1, "payload": .text(ended),
            "value_template": "{{ value_json.event_type | default('') if value_json is defined else '' }}",
        ]
    }

    private mutating func addNodeComponents() {
        add(
            "binary_sensor", "problem", name("problem"),
            health([
                "device_class": "problem", "value_template": "{{ 'OFF' if value_json.ok | default(false) else 'ON' }}",
                "json_attributes_topic": .text(topics.health),
                "json_attributes_template": "{{ {'problems': value_json.problems | default([])} | tojson }}",
            ]))
        for (key, field) in [("people", "people"), ("people_usual", "usual")] {
            add(
                "sensor", key, name(key),
                [
                    "state_class": "measurement", "unit_of_measurement": "people",
                    "state_topic": .text(topics.occupancy),
                    "value_template": .text("{{ value_json.\(field) | default(none) }}"),
                ])
        }
        if info.host.temperature {
            add(
                "sensor", "temp", name("temperature"),
                health([
                    "device_class": "temperature", "state_class": "measurement", "unit_of_measurement": "°C",
                    "value_template": "{{ value_json.temp_c | default(none) }}",
                ]))
        }
        add(
            "sensor", "outbox", name("outbox"),
            health([
                "state_class": "measurement",
                "value_template": "{{ (value_json.outbox | default({})).pending | default(none) }}",
            ]))
        if info.learning == true {
            add(
                "sensor", "accuracy", name("accuracy"),
                health([
                    "state_class": "measurement", "unit_of_measurement": "%",
                    "value_template": .text(
                        "{% set told = ((value_json.accuracy | default({})).right | default({})).share | default(none) %}"
                            + "{{ none if told is none else (100 * told) | round(1) }}"),
                    "json_attributes_topic": .text(topics.health),
                    "json_attributes_template": "{{ value_json.accuracy | default({}) | tojson }}",
                ]))
        }
        guard commands.contains(.restart) else { return }
        // With a fixed id the second press would count as a repetition of the first.
        add(
            "button", "restart", name("restart"),
            [
                "device_class": "restart", "entity_category": "config",
                "command_topic": .text(topics.command("restart")),
                "command_template": #"{"id":"ha-{{ (now().timestamp() * 1000) | int }}"}"#,
            ])
    }

    /// The name of a component.
    private func name(
        _ key: String, _ camera: InfoPayload.Camera? = nil, zone: String = "", exercise label: String? = nil
    ) -> String {
        let exercise = label.map { words.label($0, model: info.model.names) } ?? ""
        return words.say(
            key, in: .homeAssistant,
            [
                "camera": camera?.name ?? "", "zone": words.zone(zone),
                // English writes the names of exercises small.
                "exercise": words.language == .english ? exercise.lowercased() : exercise,
            ])
    }

    private mutating func add(_ platform: String, _ key: String, _ name: String, _ fields: [String: JSONValue]) {
        var component = fields
        component["platform"] = .text(platform)
        component["unique_id"] = .text("\(topics.node)_\(key)")
        component["default_entity_id"] = .text("\(platform).\(topics.node)_\(key)".replacing("-", with: "_"))
        component["name"] = .text(name)
        component["qos"] = 1
        components[key] = .object(component)
    }

    /// A component that is available only while its camera is.
    private func live(_ camera: InfoPayload.Camera, _ fields: [String: JSONValue]) -> [String: JSONValue] {
        var component = fields
        component["availability"] = [Self.online(topics.status), Self.online(topics.camera(camera.id, .status))]
        component["availability_mode"] = "all"
        return component
    }

    private func health(_ fields: [String: JSONValue]) -> [String: JSONValue] {
        var component = fields
        component["entity_category"] = "diagnostic"
        component["state_topic"] = .text(topics.health)
        // Three heartbeats and 5 s.
        component["expire_after"] = 95
        return component
    }

    /// Every value of the action in the state topic, once.
    private var options: [JSONValue] {
        var words = info.model.labels
        for word in ["no_person", "low_confidence", "starting", "none"] where !words.contains(word) {
            words.append(word)
        }
        return words.map { .text($0) }
    }

    private func attributes(_ names: [String]) -> String {
        let fields = names.map { "'\($0)': value_json.\($0) | default(none)" }.joined(separator: ", ")
        return "{{ {\(fields)} | tojson }}"
    }
}
