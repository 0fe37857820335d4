import Contract
import History
import Records

extension APIDescription {
    /// Records, links to files, and members with a code.
    static let addressesOfMembers: [APIDescription] = [
        Self(
            .GET, "/api/v1/history/records", "What a person has reached; as spotter history records --json",
            query: [Parameter("name", "Whose records.", .words)],
            answer: .json(.named("PersonalRecords", PersonalRecords.schema))),
        Self(
            .GET, "/api/v1/sessions/{id}/loads", "The loads that are offered first for the sets of a session",
            answer: .json(
                .list(
                    .object([
                        ("set", .required(.tally, "The set's number.")),
                        ("last_load_kg", .required(SetBody.loadSchema)),
                    ])))),
        Self(
            .POST, "/api/v1/workouts/{id}/link",
            "Make a link to the FIT file of a named workout. It works once, for ten minutes.", body: .anything,
            answer: .json(
                .object([
                    ("address", .required(.words)), ("seconds", .required(.integer(minimum: 1))),
                    ("here", .required(.flag, "Whether the address leads to this machine itself only.")),
                ]))),
        Self(
            .GET, "/api/v1/members", "The members with a code",
            answer: .json(
                .list(
                    .object([
                        ("name", .required(.words)), ("nickname", .required(.words)), ("made", .required(.moment)),
                    ])))),
        Self(
            .POST, "/api/v1/members/code", "Make a member's code in the place of the former one. It is shown once.",
            body: .object([
                ("name", .required(.words, "The name of their workouts.")),
                ("nickname", .optional(.words, "What they type beside the code; the name without it.")),
            ]),
            answer: .json(
                .object([
                    ("name", .required(.words)), ("nickname", .required(.words)),
                    ("code", .required(.words, "Six digits.")),
                ]))),
        Self(
            .POST, "/api/v1/members/remove", "Take a member's code back",
            body: .object([("name", .required(.words, "The name or the nickname."))]),
            answer: .json(.object([("removed", .required(.flag))]))),
        Self(
            .POST, "/api/v1/member/login", "Log in as a member, with a nickname and a code",
            body: .object([("nickname", .required(.words)), ("code", .required(.words))]), answer: .json(Self.empty)),
        Self(.POST, "/api/v1/member/logout", "Log out as a member", body: .anything, answer: .json(Self.empty)),
        Self(
            .GET, "/api/v1/member", "The member's own workouts and records, the newest 50 workouts first",
            answer: .json(
                .object([
                    ("nickname", .required(.words)), ("time_zone", .required(.words)),
                    ("names", .required(.map(.words), "The exercises' names for people.")),
                    (
                        "records",
                        .optional(
                            .named("PersonalRecords", PersonalRecords.schema), "Absent before the first workout.")
                    ), ("workouts", .required(.list(.named("OwnWorkout", ownWorkout)))),
                    ("found", .required(.tally, "How many workouts there are.")),
                ]))),
        Self(
            .GET, "/api/v1/member/workouts/{id}/fit", "The FIT file of an own workout", answer: .file),
        Self(
            .POST, "/api/v1/member/workouts/{id}/steps/{step}/effort",
            "Enter load or exertion for the set of a step, counted from 0, of an own workout of today",
            body: .object([
                ("load_kg", .optional(SetBody.loadSchema, "0 for none.")),
                ("rpe", .optional(.number(minimum: 0, maximum: SetBody.efforts.upperBound), "0 for none.")),
            ]), answer: .json(.named("OwnWorkout", ownWorkout))),
    ]

    private static let ownWorkout = WorkoutRow.schema.adding([
        ("sets", .required(.list(.named("SetOfStep", StepSet.schema)))),
        ("today", .required(.flag, "Whether load and exertion may be entered.")),
    ])
}
