import Contract
import History
import Messaging
import Records

extension APIDescription {
    /// Workouts and the names in them.
    static let addressesOfWorkouts: [APIDescription] = [
        Self(
            .GET, "/api/v1/history/workouts", "Past workouts, newest first",
            query: Self.span.filter { $0.name != "limit" } + [
                Parameter("name", "Only this name.", .words),
                Parameter("limit", "At most this many, 20 without it.", .integer(minimum: 1, maximum: 5000)),
            ], answer: .rows(.named("Workout", WorkoutRow.schema))),
        Self(
            .POST, "/api/v1/names/delete", "Delete a name from all workouts",
            body: .object([("name", .required(.words))]),
            answer: .json(
                .object([
                    ("clips", .required(.integer(), "The training clips that were deleted.")),
                    ("copies", .required(.integer(), "The databases beside the history that had the name.")),
                    ("not_reached", .required(.list(.words), "What the deletion does not reach, a sentence each.")),
                    ("workouts", .required(.integer(), "The workouts that had the name.")),
                ]))),
        Self(
            .GET, "/api/v1/workouts", "The plans, the workouts that go on, and the board of the day",
            answer: .json(Self.workoutsOfTheDay)),
        Self(
            .POST, "/api/v1/workouts/start", "Start a workout in front of a camera",
            body: .object([
                ("camera", .optional(.words)), ("name", .optional(.words)), ("nickname", .optional(.words)),
                ("plan", .required(.words)),
            ]), answer: .json(Self.changedWorkout)),
        Self(
            .GET, "/api/v1/workouts/{id}", "A workout and the last one of the same name and plan",
            answer: .json(
                .object([
                    ("workout", .required(.named("Workout", WorkoutRow.schema))),
                    ("before", .optional(.named("Workout", WorkoutRow.schema), "Only for the operator.")),
                    (
                        "sets",
                        .optional(
                            .list(.named("SetOfStep", StepSet.schema)),
                            "The sets that were recognised in its steps, with load and exertion. Only for the operator."
                        )
                    ),
                ]))),
        Self(
            .POST, "/api/v1/workouts/{id}/pain",
            "State the pain after the last step of a prescription; above its limit the workout ends.",
            body: .object([("pain", .required(.integer(minimum: 0, maximum: 10), "0 for no pain, 10 for the worst."))]),
            answer: .json(Self.changedWorkout)),
        Self(
            .POST, "/api/v1/workouts/{id}/skip", "Go on with the next step of a workout",
            body: .anything, answer: .json(Self.changedWorkout)),
        Self(
            .POST, "/api/v1/workouts/{id}/stop", "Stop a workout",
            body: .anything, answer: .json(Self.changedWorkout)),
    ]

    private static let changedWorkout = Schema.named(
        "ChangedWorkout",
        .object([
            ("workout", .required(.uuid)), ("plan", .required(.words)), ("camera", .required(.id)),
            ("step", .required(.integer(minimum: 1))), ("steps", .required(.integer(minimum: 1))),
            ("end_reason", .optional(.words, "Why it ended; absent while it goes on.")),
        ]))

    private static let workoutsOfTheDay = Schema.object([
        (
            "plans",
            .required(
                .list(
                    .object([
                        ("id", .required(.words)), ("plan", .optional(.anything, "As spotter workout list --json.")),
                        ("error", .optional(.words, "Why the file cannot be used.")),
                    ])))
        ),
        (
            "workouts",
            .required(
                .list(
                    .named(
                        "RunningWorkout",
                        WorkoutState.schema.adding([
                            ("camera", .required(.id)), ("name", .optional(.words, "Only for the operator.")),
                        ]))))
        ),
        ("board", .optional(.list(.named("Workout", WorkoutRow.schema)), "Absent where it is switched off.")),
    ])
}
