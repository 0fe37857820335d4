import History
import Records

/// The contract in machine-readable form: every topic with its rules, and a schema for every payload. Tests hold it
/// equal to what the node sends.
public enum MQTTContract {
    /// The contract's major version, which is part of every topic and payload. It grows with breaking changes.
    public static let version = 1

    /// One kind of message.
    public struct Message: Sendable {
        /// The schema's name: `status`, `cam_state`, ….
        public let name: String
        /// The topic below `<prefix>/v1/<site>/<node>/`, with the placeholders `{camera}`, `{consumer}` and
        /// `{command}`.
        public let topic: String
        /// Whether the node receives the message instead of sending it.
        public let isSubscribed: Bool
        /// Quality of service: 0 or 1.
        public let qos: Int
        /// Whether it is a retained message.
        public let isRetained: Bool
        /// Seconds after which the broker discards it; `nil` for never.
        public let expirySeconds: Int?
        /// One or two sentences about its purpose.
        public let summary: String
    }

    /// All messages of the contract.
    public static let messages: [Message] = [
        published("status", "status", retained: true, "Whether the node is there; also its last will."),
        published("info", "info", retained: true, "The birth document: what the node is and can."),
        published("health", "health", qos: 0, expiry: 90, "The heartbeat, every 30 s."),
        published(
            "occupancy", "occupancy", retained: true, "How many people there are, and how many are usual at this hour."),
        published("alarm", "alarm", retained: true, "Who lies on the floor and does not move, when looked after."),
        published("log", "log", qos: 0, expiry: 3600, "Warnings and errors, when switched on."),
        published("cam_status", "cam/{camera}/status", retained: true, "Whether a camera is there."),
        published("cam_state", "cam/{camera}/state", retained: true, "What goes on in front of a camera."),
        published("cam_workouts", "cam/{camera}/workouts", retained: true, "The workouts in front of a camera."),
        published("cam_counts", "cam/{camera}/counts", retained: true, expiry: 172_800, "A day's totals."),
        published("cam_live", "cam/{camera}/live", qos: 0, expiry: 5, "Every prediction, when switched on."),
        published("cam_event", "cam/{camera}/event", expiry: 30, "Moments for automations: heard now or never."),
        published(
            "cam_preview", "cam/{camera}/preview", qos: 0, expiry: 10, "A skeleton on black, JPEG, on command only."),
        published("cam_enabled", "cam/{camera}/enabled", retained: true, "Whether a camera is switched on: ON or OFF."),
        received("cam_enabled_set", "cam/{camera}/enabled/set", "Switches a camera: ON or OFF. Never retained."),
        published("rec_session", "rec/session", "Durable: a session, revised until it is final."),
        published("rec_rollup", "rec/rollup", "Durable: what was counted in five minutes."),
        published("rec_workout", "rec/workout", "Durable: a workout, revised until it is final."),
        published("rec_absence", "rec/absence", "Durable: a time in which a camera delivered no pictures."),
        published("rec_gap", "rec/gap", "Durable: records that will never come."),
        received("ack", "ack/{consumer}", retained: true, "A consumer has stored everything up to a position."),
        received(
            "cmd", "cmd/{command}",
            "A command. Never retained. info lists those that are obeyed: by default, over a connection without user "
                + "or certificate, only ping, info, health, sync and config_check."),
        published(
            "res", "res/{command}", expiry: 60,
            "The answer to a command: here, or on the command's response topic where that lies below this node's "
                + "res/, in a tree of the caller's own in the same site, or outside of spotter/, the own prefix and "
                + "homeassistant/, and has no level cmd or set."),
    ]

    /// The schemas by name, as JSON text.
    ///
    /// - Throws: `EncodingError`.
    public static func schemas() throws -> [(name: String, text: String)] {
        try all.map { ($0.name, try JSONText.encode(document($0.name, $0.schema))) }
    }

    static func document(_ name: String, _ schema: Schema) -> JSONValue {
        var fields = schema.json.object ?? [:]
        fields["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        fields["$id"] = "spotter-v1-\(name).schema.json"
        fields["title"] = .text(name)
        fields["description"] = .text(messages.first { $0.name == name }?.summary ?? "")
        return .object(fields)
    }

    private static func published(
        _ name: String, _ topic: String, qos: Int = 1, retained: Bool = false, expiry: Int? = nil, _ summary: String
    ) -> Message {
        Message(
            name: name, topic: topic, isSubscribed: false, qos: qos, isRetained: retained, expirySeconds: expiry,
            summary: summary)
    }

    private static func received(_ name: String, _ topic: String, retained: Bool = false, _ summary: String) -> Message
    {
        Message(
            name: name, topic: topic, isSubscribed: true, qos: 1, isRetained: retained, expirySeconds: nil,
            summary: summary)
    }
}
