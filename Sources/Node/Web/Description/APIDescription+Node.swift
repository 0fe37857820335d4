import Contract
import History
import Messaging
import Records

extension APIDescription {
    /// The node and its cameras.
    static let addressesOfNode: [APIDescription] = [
        Self(
            .POST, "/api/v1/alarms/{alarm}/acknowledge", "Acknowledge that somebody looks after a person on the floor",
            body: .anything, answer: .json(.object([("acknowledged", .required(.list(.uuid)))]))),
        Self(
            .GET, "/api/v1/cameras/{camera}/aim", "How the camera stands, and what to change",
            answer: .json(Self.aim)),
        Self(
            .GET, "/api/v1/cameras/{camera}/areas", "The camera's zones and masks",
            answer: .json(Self.areas)),
        Self(
            .POST, "/api/v1/cameras/{camera}/areas",
            "Replace the camera's zones and masks; the node restarts with them",
            body: Self.areas,
            answer: .json(.object([("restarting", .required(.flag)), ("revision", .required(.words))]))),
        Self(
            .POST, "/api/v1/cameras/{camera}/enabled", "Switch a camera on or off",
            body: .object([("enabled", .required(.flag))]),
            answer: .json(
                .object([
                    ("camera", .required(.id)), ("enabled", .required(.flag)), ("persisted", .required(.flag)),
                    ("restart_required", .optional(.flag, "Nothing reopens a recording that has ended.")),
                ]))),
        Self(
            .GET, "/api/v1/cameras/{camera}/picture", "A camera's newest picture, at most 640 pixels wide and high",
            answer: .jpeg),
        Self(
            .POST, "/api/v1/cameras/{camera}/pictures",
            "Show a camera's pictures for five minutes, where web.pictures allows it and nobody can read along",
            body: .anything,
            answer: .json(.object([("seconds", .required(.integer())), ("until", .required(.integer()))]))),
        Self(
            .POST, "/api/v1/cameras/{camera}/pictures/stop", "Show no more pictures",
            body: .anything, answer: .json(Self.empty)),
        Self(
            .GET, "/api/v1/configuration/cameras",
            "The settings of the cameras as they stand in the files, with passwords covered",
            answer: .json(
                .object([
                    ("cameras", .required(.list(.map(.words)))),
                    ("choices", .required(.map(.list(.words)), "What can be chosen, by setting.")),
                    ("new", .required(.map(.words), "What a new camera begins with.")),
                    ("revision", .required(.words)),
                ]))),
        Self(
            .POST, "/api/v1/configuration/cameras",
            "Replace the settings of the cameras; the node checks them and restarts with them",
            body: .object([
                (
                    "cameras",
                    .required(
                        .list(
                            .object([
                                ("settings", .required(.map(.words))),
                                ("was", .optional(.id, "The camera's id until now; absent for a new one.")),
                            ])))
                ), ("revision", .optional(.words, Self.revision)),
            ]),
            answer: .json(
                .object([
                    (
                        "problems",
                        .required(
                            .list(
                                .object([
                                    ("camera", .optional(.integer(minimum: 0), "The camera's place in the list.")),
                                    ("message", .required(.words)), ("setting", .optional(.words)),
                                ])), "What is refused; nothing is kept then.")
                    ),
                    ("restarting", .required(.flag)), ("revision", .required(.words)),
                ]))),
        Self(
            .GET, "/api/v1/doctor", "Check everything the node needs; as spotter doctor --json; takes some seconds",
            answer: .json(
                .list(
                    .object([
                        ("advice", .optional(.words)),
                        ("state", .required(.text(words: ["good", "warning", "bad", "unknown"]))),
                        ("subject", .required(.words)), ("text", .required(.words)),
                    ])))),
        Self(
            .POST, "/api/v1/enter", "Log in with the token of a one-time link",
            body: .object([("token", .required(.words))]), answer: .json(.object([("role", .required(.words))]))),
        Self(
            .GET, "/api/v1/health", "The node's health; as on MQTT",
            answer: .json(HealthPayload.schema)),
        Self(
            .GET, "/api/v1/info", "The node's description; as on MQTT",
            answer: .json(InfoPayload.schema)),
        Self(
            .GET, "/api/v1/live", "Server-sent events: state, camera, pose, window, lost",
            query: [
                Self.onlyCamera,
                Parameter("view", "wall: without anybody's name, also for the operator.", .text(words: ["wall"])),
            ], answer: .events),
        Self(
            .GET, "/api/v1/log", "The last log lines",
            answer: .json(
                .list(
                    .object([
                        ("v", .required(.constant(1))), ("ts", .required(.moment)), ("message", .required(.words)),
                        ("level", .required(.text(words: LogPayload.levels + ["critical"]))),
                    ])))),
        Self(
            .POST, "/api/v1/login", "Log in",
            body: .object([("password", .required(.words))]), answer: .json(.object([("role", .required(.words))]))),
        Self(
            .POST, "/api/v1/logout", "Log out",
            body: .anything, answer: .json(Self.empty)),
        Self(
            .GET, "/api/v1/occupancy", "How many people there are, and how many are usual at this hour; as on MQTT",
            answer: .json(OccupancyPayload.schema)),
        Self(
            .GET, "/api/v1/openapi.json", "This description",
            answer: .json(.anything)),
        Self(
            .GET, "/api/v1/state", "The node and its cameras now",
            query: [Parameter("view", "wall: without anybody's name, also for the operator.", .text(words: ["wall"]))],
            answer: .json(Self.state)),
    ]
}
