import Agent
import History
import Records

extension APIDescription {
    private static let question = Schema.named("Question", QuestionRow.schema)

    private static let learning = Schema.object([
        ("state", .required(.text(words: LearningStatus.Phase.allCases.map(\.rawValue)))),
        ("model", .optional(.text(), "The new model's name.")), ("started", .optional(.integer())),
        ("ended", .optional(.integer())), ("answers", .required(.integer(minimum: 0))),
        ("decision", .optional(.anything, "As spotter learn train --json prints it.")), ("message", .optional(.words)),
    ])

    /// Questions, answers, and what they tell.
    static let addressesOfLearning: [APIDescription] = [
        Self(
            .GET, "/api/v1/accuracy", "How often this node is right; as spotter learn accuracy --json",
            query: [
                Parameter(
                    "by", "One row for each label, camera or month; all for a single row.",
                    .text(words: Accuracy.Grouping.allCases.map(\.rawValue))),
                Parameter("weeks", "Only the last weeks, this one included.", .integer(minimum: 1, maximum: 1000)),
            ],
            answer: .json(.list(.named("Accuracy", Accuracy.schema)))),
        Self(.GET, "/api/v1/learning", "The newest round of learning from answers", answer: .json(learning)),
        Self(
            .POST, "/api/v1/learning/start", "Begin a round of learning now, in a process of low priority",
            body: .anything, answer: .json(learning)),
        Self(
            .GET, "/api/v1/questions", "What this node asks, oldest first, or what was answered, newest first",
            query: [
                Parameter(
                    "state", "open or answered; open without it.", .text(words: QuestionState.allCases.map(\.rawValue))),
                Parameter("limit", "At most so many.", .integer(minimum: 1, maximum: 200)),
            ], answer: .rows(question)),
        Self(
            .POST, "/api/v1/questions/{id}/answer",
            "Answer a question: a label, or none, nobody, two_people, cut_off, skipped",
            body: .object([
                ("answer", .required(.words)), ("reps", .optional(.integer(minimum: 0, maximum: 10_000))),
            ]), answer: .json(question)),
        Self(
            .POST, "/api/v1/questions/{id}/delete", "Delete a question with its joints and its answer",
            body: .anything, answer: .json(.object([("id", .required(.integer()))]))),
        Self(
            .GET, "/api/v1/questions/{id}/poses", "The joints of a question, for drawing",
            answer: .json(
                .object([
                    ("frames", .required(.list(.oneOf([.list(.integer()), .constant(.null)])))),
                    ("height", .required(.integer())), ("rate", .required(.number())), ("width", .required(.integer())),
                ]))),
    ]
}
