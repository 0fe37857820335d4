import Contract
import History
import Messaging
import Records

extension APIDescription {
    /// Clips, training and models.
    static let addressesOfTraining: [APIDescription] = [
        Self(
            .GET, "/api/v1/clips",
            "The recorded clips, newest first, and what each label still wants; seconds the first time",
            answer: .json(
                .object([
                    (
                        "clips",
                        .required(
                            .list(
                                .object([
                                    ("figures", .optional(Self.clipFigures)), ("id", .required(.words)),
                                    ("label", .required(.words)), ("person", .required(.words)),
                                    ("time", .required(.integer())),
                                ])))
                    ),
                    (
                        "needs",
                        .required(
                            .list(
                                .object([
                                    ("clips", .required(.integer())), ("label", .required(.words)),
                                    ("persons", .required(.integer())), ("wants_clips", .required(.integer())),
                                    ("wants_persons", .required(.integer())),
                                ])))
                    ),
                ]))),
        Self(
            .GET, "/api/v1/clips/record", "What the recorder does, and how the last recording ended",
            answer: .json(Self.recording)),
        Self(
            .POST, "/api/v1/clips/record",
            "Record the prominent person of a camera after a countdown; only poses are kept",
            body: .object([
                ("camera", .required(.words)), ("countdown", .required(.integer(minimum: 0, maximum: 60))),
                ("label", .required(.words)), ("person", .required(.words)),
                ("seconds", .required(.number(minimum: 2, maximum: 60))),
            ]), answer: .json(Self.recording)),
        Self(
            .POST, "/api/v1/clips/record/stop", "End the recording; what was recorded is kept",
            body: .anything, answer: .json(Self.recording)),
        Self(
            .POST, "/api/v1/clips/{id}/delete", "Delete a clip for good",
            body: .anything, answer: .json(.object([("id", .required(.words))]))),
        Self(
            .POST, "/api/v1/clips/{id}/label", "Give a clip another label",
            body: .object([("label", .required(.words))]), answer: .json(.object([("id", .required(.words))]))),
        Self(
            .GET, "/api/v1/clips/{id}/poses", "The joints of a clip, for drawing",
            answer: .json(
                .object([
                    ("frames", .required(.list(.oneOf([.list(.integer()), .constant(.null)])))),
                    ("height", .required(.integer())), ("rate", .required(.number())), ("width", .required(.integer())),
                ]))),
        Self(
            .GET, "/api/v1/models", "The models of this node",
            answer: .json(
                .list(
                    .object([
                        ("configured", .required(.flag)), ("created", .required(.words)),
                        ("evaluation", .optional(.anything)), ("exercises", .required(.list(.words))),
                        ("in_use", .required(.flag)), ("labels", .required(.list(.words))), ("name", .required(.words)),
                        ("trained_here", .required(.flag)), ("training_clips", .required(.integer())),
                        ("ready", .optional(.flag, "Whether the verdict of its training lets it be used.")),
                    ])))),
        Self(
            .POST, "/api/v1/models/{name}/use", "Use this model from now on: the node restarts",
            body: .anything,
            answer: .json(
                .object([
                    ("model", .required(.words)), ("persisted", .required(.flag)), ("restarting", .required(.flag)),
                ]))),
        Self(
            .GET, "/api/v1/training", "The training that runs or ran last",
            answer: .json(Self.training)),
        Self(
            .POST, "/api/v1/training/start", "Train a model from the clips, in a process of low priority",
            body: .object([
                ("from_model_in_use", .optional(.flag)), ("name", .required(.words)),
                (
                    "teach",
                    .optional(.flag, "Film each clip again, as spotter teach does, and train the model in use further.")
                ),
            ]),
            answer: .json(Self.training)),
        Self(
            .POST, "/api/v1/training/stop", "End the training; the best model so far is kept",
            body: .anything, answer: .json(Self.training)),
    ]
}
