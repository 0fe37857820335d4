import Records

extension MQTTContract {
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
