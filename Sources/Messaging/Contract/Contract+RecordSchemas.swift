import Actions

extension Contract {
    static func record(_ type: String, _ body: Schema) -> Schema {
        .object([
            ("v", .required(.constant(1))), ("node", .required(.id)), ("site", .required(.id)),
            ("epoch", .required(.uuid)), ("seq", .required(.integer(minimum: 1), "Position in the log.")),
            ("type", .required(.constant(.text(type)))), ("id", .required(.uuid)),
            ("rev", .required(.integer(minimum: 1), "Of one id the highest revision counts.")),
            ("final", .required(.flag)), ("ts", .required(.moment)),
            ("clock", .required(.text(words: ["synced", "unsynced"]))),
            ("boot", .optional(.words, "Unsynced only: the start of the machine.")),
            ("mono_ms", .optional(.count, "Unsynced only: when it was made, since that start.")),
            ("hist", .required(.flag, "Old or asked for again: nothing for a live display.")),
            ("body", .required(body)),
        ])
    }

    static let session = Schema.object([
        ("camera", .required(.id)), ("start", .required(.moment)), ("end", .required(.moment)),
        ("end_reason", .optional(.text(words: Session.EndReason.allCases.map(\.rawValue)), "Absent while it goes on.")),
        ("model", .required(.words)), ("fps", .required(.number(minimum: 0))),
        (
            "actions",
            .required(
                .list(
                    .object([
                        ("label", .required(.words)), ("frames", .required(.count)),
                        ("seconds", .required(.number(minimum: 0))),
                        ("reps", .optional(.count)), ("conf_mean", .required(.share)),
                    ])))
        ),
        ("sets", .optional(.list(set), "Absent while there are none.")),
        ("excluded_frames", .required(.map(.count))),
    ])

    private static let set = Schema.object([
        ("label", .required(.words)), ("start", .required(.moment)), ("end", .required(.moment)),
        ("reps", .required(.count)),
        ("rest_s", .optional(.number(minimum: 0), "Since the session's previous set; absent for its first.")),
        ("coaching_hint", .optional(.integer(minimum: 0, maximum: 100), "No assessment of safety.")),
    ])

    /// The body of a deleted session's record.
    static let tombstone = Schema.object([("deleted", .required(.constant(true)))])

    static let rollup = Schema.object([
        ("camera", .required(.id)), ("start", .required(.moment)), ("end", .required(.moment)),
        ("model", .required(.words)), ("fps", .required(.number(minimum: 0))),
        (
            "actions",
            .required(
                .list(
                    .object([
                        ("label", .required(.words)), ("frames", .required(.count)),
                        ("seconds", .required(.number(minimum: 0))),
                    ])))
        ),
    ])

    static let gap = Schema.object([
        ("from_seq", .required(.integer(minimum: 1))), ("to_seq", .required(.count)),
        ("reason", .required(.text(words: ["retention", "corruption"]))), ("records", .required(.count)),
        ("epoch", .optional(.uuid, "Where the positions are of another epoch than the envelope's.")),
    ])

    static let acknowledgement = Schema.object([("epoch", .required(.uuid)), ("seq", .required(.count))])

    static let command = Schema.object([
        ("id", .required(.text(pattern: "^[!-~]{1,64}$"), "Another one for every command.")),
        ("args", .optional(.anything)), ("exp", .optional(.words, "RFC 3339: not to be carried out later.")),
    ])

    static let response = Schema.oneOf([
        .object(answer + [("status", .required(.constant("ok"))), ("data", .required(.anything))]),
        .object(
            answer + [
                ("status", .required(.constant("error"))),
                (
                    "error",
                    .required(
                        .object([
                            ("code", .required(.text(words: CommandError.Code.allCases.map(\.rawValue)))),
                            ("message", .required(.words)), ("retryable", .required(.flag)),
                        ]))
                ),
            ]),
    ])

    private static let answer: [(name: String, field: Schema.Field)] = [
        ("v", .required(.constant(1))), ("id", .required(.oneOf([.words, .constant(.null)]))),
        ("cmd", .required(.words)), ("ts", .required(.moment)),
    ]
}
