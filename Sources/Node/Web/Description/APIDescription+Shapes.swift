import Contract
import History
import Messaging
import Records

/// The JSON of the page that neither the contract nor the history describes.
extension APIDescription {
    /// The zones and masks of a camera.
    static let areas = Schema.named(
        "Areas",
        .object([
            (
                "masks",
                .required(
                    .list(
                        .object([
                            ("corners", .required(.list(.list(.number(minimum: 0, maximum: 1), count: 2)))),
                            ("mirror", .optional(.flag)),
                        ])))
            ),
            (
                "zones",
                .required(
                    .list(
                        .object([
                            ("corners", .required(.list(.list(.number(minimum: 0, maximum: 1), count: 2)))),
                            ("name", .required(.words)),
                        ])))
            ),
            ("revision", .optional(.words, Self.revision)),
        ]))

    /// What the key `revision` is for.
    static let revision = "Send the one you read: 409 if somebody has changed it since. Without it all is replaced."

    /// A camera now.
    static let camera = Schema.named(
        "Camera",
        .object([
            ("camera", .required(.words)), ("confidence", .required(.number())), ("dropped", .required(.integer())),
            ("enabled", .required(.flag)), ("fps", .required(.number())), ("fps_in", .required(.number())),
            ("height", .optional(.integer())), ("label", .required(.words)), ("name", .required(.words)),
            ("people", .required(.integer())), ("persons", .required(.list(Self.person))),
            ("pictures_until", .optional(.integer())),
            ("alarms", .required(.list(.named("Alarm", Alarm.schema)), "Who lies on the floor and does not move.")),
            (
                "problems",
                .required(
                    .list(
                        .object([
                            ("camera", .optional(.words)), ("code", .required(.words)), ("message", .required(.words)),
                            ("since", .required(.words)),
                        ])))
            ), ("since", .optional(.integer())), ("skipped", .required(.integer())),
            ("state", .required(.text(words: ["starting", "online", "offline", "ended", "off"]))),
            ("stride", .required(.integer())), ("time", .optional(.integer())),
            ("today", .optional(.named("Day", DayRow.schema))),
            (
                "workouts",
                .required(.list(WorkoutState.schema.adding([("name", .optional(.words, "Only for the operator."))])))
            ), ("width", .optional(.integer())),
        ]))

    /// How well a clip was seen.
    static let clipFigures = Schema.named(
        "ClipFigures",
        .object([
            ("cut_off", .required(.number())), ("missing", .required(.list(.words))), ("seconds", .required(.number())),
            ("seen", .required(.number())),
        ]))

    /// One pass of a training.
    static let pass = Schema.named(
        "Pass",
        .object([
            ("epoch", .required(.integer())), ("epochs", .required(.integer())), ("loss", .required(.number())),
            ("training_accuracy", .required(.number())),
            (
                "validation",
                .optional(
                    .object([
                        ("accuracy", .required(.number())), ("best", .required(.flag)),
                        ("recall", .required(.number())),
                    ]))
            ),
        ]))

    /// A person in front of a camera.
    static let person = Schema.named(
        "Person",
        .object([
            ("confidence", .required(.number())), ("fps", .optional(.number())), ("label", .required(.words)),
            ("prominent", .required(.flag)), ("rest_since", .optional(.integer())),
            (
                "set",
                .optional(
                    .object([
                        ("confidence", .optional(.share)), ("form", .optional(.integer())),
                        ("label", .required(.words)), ("number", .required(.integer())),
                        ("reps", .required(.integer())), ("start", .required(.integer())),
                    ]))
            ),
            (
                "sets",
                .required(
                    .list(
                        .object([
                            ("form", .optional(.integer())), ("label", .required(.words)),
                            ("number", .required(.integer())), ("reps", .required(.integer())),
                            ("seconds", .required(.number())),
                        ])))
            ), ("track", .required(.integer())), ("zone", .optional(.words)),
        ]))

    /// What the recorder of clips does.
    static let recording = Schema.named(
        "Recording",
        .object([
            (
                "last",
                .optional(
                    .object([
                        ("clip", .optional(.words)), ("figures", .optional(Self.clipFigures)),
                        ("message", .optional(.words)), ("still", .optional(.number())),
                    ]))
            ), ("left", .optional(.number())),
            (
                "order",
                .optional(
                    .object([
                        ("camera", .required(.words)), ("countdown", .required(.integer())),
                        ("label", .required(.words)), ("person", .required(.words)), ("seconds", .required(.number())),
                    ]))
            ), ("state", .required(.text(words: ["idle", "countdown", "recording", "saving"]))),
        ]))

    /// The node and its cameras now.
    static let state = Schema.named(
        "State",
        .object([
            ("cameras", .required(.list(Self.camera))),
            (
                "model",
                .required(
                    .object([
                        ("exercises", .required(.list(.words))), ("labels", .required(.list(.words))),
                        ("name", .required(.words)), ("names", .required(.map(.words), "Names of labels on screen.")),
                    ]))
            ),
            (
                "node",
                .required(
                    .object([
                        ("id", .required(.words)), ("name", .required(.words)), ("site", .required(.words)),
                        ("time_zone", .required(.words)), ("version", .required(.words)),
                    ]))
            ), ("now", .required(.integer())),
            ("made_up", .optional(.flag, "Whether the history was made up, so that nothing in it was seen.")),
            ("open_sessions", .required(.integer(), "Open sessions of all cameras, which a restart ends.")),
            ("pictures", .required(.text(words: ["never", "aim"]))),
            ("role", .required(.text(words: ["wall", "viewer", "operator"]))), ("viewers", .required(.integer())),
        ]))

    /// The training that runs or ran last.
    static let training = Schema.named(
        "Training",
        .object([
            ("curve", .required(.list(Self.pass))), ("ended", .optional(.integer())),
            ("evaluations", .required(.list(.anything))), ("from", .optional(.words)), ("message", .optional(.words)),
            ("model", .optional(.words)), ("now", .optional(Self.pass)),
            ("own_clips", .optional(.integer(), "Those of training_clips that people recorded.")),
            ("reading", .optional(.object([("clips", .required(.integer())), ("done", .required(.integer()))]))),
            ("rejected", .required(.list(.object([("clip", .required(.words)), ("reason", .required(.words))])))),
            (
                "rejected_found",
                .optional(.integer(), "How many clips were not learned; rejected lists the first hundred.")
            ), ("seconds_left", .optional(.number())),
            (
                "share",
                .optional(.number(minimum: 0, maximum: 1), "How much of all is done, where clips are filmed again.")
            ),
            ("started", .optional(.integer())),
            ("state", .required(.text(words: ["idle", "running", "stopping", "done", "failed"]))),
            ("training_clips", .optional(.integer())), ("validation_clips", .optional(.integer())),
            (
                "verdict",
                .optional(
                    .object([
                        ("is_ready", .required(.flag)), ("reasons", .required(.list(.words))),
                        ("warnings", .required(.list(.words))), ("next", .required(.list(.words))),
                    ]), "Whether the model may be used, as spotter train judges it.")
            ),
        ]))

    /// How a camera stands.
    static let aim = Schema.named(
        "Aim",
        .object([
            ("people", .required(.count)),
            ("advice", .required(.list(.object([("code", .required(.words)), ("message", .required(.words))])))),
            ("joints", .required(.list(.object([("name", .required(.words)), ("state", .required(.words))])))),
            ("view", .required(.words)), ("size", .required(orNull(.number()))),
            ("brightness", .required(orNull(.number()))),
            (
                "exercises",
                .required(
                    .list(
                        .object([
                            ("label", .required(.words)), ("recognised", .required(.flag)),
                            ("judged", .required(.flag)),
                            ("reason", .required(orNull(.words))),
                        ])))
            ),
        ]))

    private static func orNull(_ schema: Schema) -> Schema { .oneOf([schema, .constant(.null)]) }
}
