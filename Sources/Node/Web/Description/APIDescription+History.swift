import Contract
import History
import Messaging
import Records

extension APIDescription {
    /// The filters of questions about the whole floor, whoever is on it.
    private static let spanOfFloor = span.filter { $0.name != "action" } + [zone]

    /// The history.
    static let addressesOfHistory: [APIDescription] = [
        Self(
            .GET, "/api/v1/history/actions", "Totals of every action; as spotter history actions --json",
            query: Self.span, answer: .rows(.named("Action", ActionRow.schema))),
        Self(
            .GET, "/api/v1/history/alarms", "When somebody lay on the floor and did not move",
            query: Self.span.filter { $0.name != "action" }, answer: .rows(.named("Alarm", Alarm.schema))),
        Self(
            .GET, "/api/v1/history/cameras", "When cameras delivered no pictures",
            query: Self.span.filter { $0.name != "action" }, answer: .rows(.named("Absence", CameraAbsence.schema))),
        Self(
            .GET, "/api/v1/history/days", "Day by day and camera by camera; as spotter history days --json",
            query: Self.span + [Self.zone], answer: .rows(.named("Day", DayRow.schema))),
        Self(
            .GET, "/api/v1/history/hours", "How full the floor is at each hour; as spotter history hours --json",
            query: Self.spanOfFloor, answer: .rows(.named("Hour", OccupancyRow.schema))),
        Self(
            .GET, "/api/v1/history/predictions", "Prediction by prediction; as spotter history predictions --json",
            query: Self.span, answer: .rows(.named("Prediction", StoredPrediction.schema))),
        Self(
            .GET, "/api/v1/history/sessions", "Session by session; as spotter history sessions --json",
            query: Self.span + [Self.zone], answer: .rows(.named("Session", SessionRow.schema))),
        Self(
            .GET, "/api/v1/history/sets", "Set by set; as spotter history sets --json",
            query: Self.span + [Self.zone], answer: .rows(.named("SetOfSession", SetRow.schema))),
        Self(
            .GET, "/api/v1/history/weekdays",
            "How full the floor is at each hour of each weekday; as spotter history weekdays --json",
            query: Self.spanOfFloor, answer: .rows(.named("Hour", OccupancyRow.schema))),
        Self(
            .GET, "/api/v1/history/zones", "How much each zone was used",
            query: Self.spanOfFloor, answer: .rows(.named("Zone", ZoneRow.schema))),
        Self(
            .GET, "/api/v1/sessions/{id}", "One session; as spotter session show --json",
            answer: .json(
                SessionRow.schema.adding([
                    ("kept_poses", .optional(.list(.count), "The sets that can be replayed; absent for none."))
                ]))),
        Self(
            .POST, "/api/v1/sessions/{id}/delete", "Delete a session for good",
            body: .object([("confirm", .required(.words))]),
            answer: .json(.object([("deleted", .required(.flag)), ("session", .required(.words))]))),
        Self(
            .GET, "/api/v1/sessions/{id}/poses",
            "The kept joints of a session, or of one of its sets with a second before and after, for drawing",
            query: [
                Parameter("set", "Only this set, by its number.", .integer(minimum: 1)),
                Parameter("from", "Begin after so many seconds, as 'next' says.", .number(minimum: 0)),
            ],
            answer: .json(
                .object([
                    ("frames", .required(.list(.oneOf([.list(.integer()), .constant(.null)])))),
                    ("height", .required(.integer())), ("next", .optional(.number())), ("rate", .required(.number())),
                    ("width", .required(.integer())),
                ]))),
        Self(
            .GET, "/api/v1/sessions/{id}/predictions", "The predictions of a session that are still stored",
            answer: .json(.list(.named("Prediction", StoredPrediction.schema)))),
        Self(
            .POST, "/api/v1/sessions/{id}/sets/{number}/clip", "Make a training clip of the kept joints of a set",
            body: .object([("label", .optional(.words)), ("person", .optional(.words))]),
            answer: .json(.object([("figures", .required(Self.clipFigures)), ("id", .required(.words))]))),
        Self(
            .POST, "/api/v1/sessions/{id}/sets/{number}/correct",
            "Correct a set's label or repetitions, enter its load and exertion, or take its correction back",
            body: .object([
                ("label", .optional(.words, "The right label; none for a set that never was.")),
                ("reps", .optional(.integer(minimum: 0, maximum: 10000))),
                ("load_kg", .optional(SetBody.loadSchema, "The weight that was moved; 0 for none.")),
                (
                    "rpe",
                    .optional(
                        .number(minimum: 0, maximum: SetBody.efforts.upperBound),
                        "The perceived exertion from 1 in steps of a half; 0 for none.")
                ),
                (
                    "new_label",
                    .optional(
                        .flag,
                        "Whether the label is a new exercise, which neither the model nor the history knows. Without it such a label is refused as unknown_label."
                    )
                ), ("undo", .optional(.flag, "Back to what was recognised.")),
            ]), answer: .json(.named("Session", SessionRow.schema))),
    ]
}
