import Agent
import Foundation
import HTTPServing
import History
import Messaging
import Poses
import Records

/// What the node asks, the answers, and what they tell. Questions show how people move, so they are for the operator.
struct QuestionRoutes {
    let status: NodeStatus

    /// The most questions of one answer.
    static let maximumRows = 200

    var all: [Route] {
        [
            Route(.GET, "/api/v1/questions", .role(.operator), answer: list),
            Route(.GET, "/api/v1/questions/{id}/poses", .role(.operator), answer: poses),
            Route(.POST, "/api/v1/questions/{id}/answer", .role(.operator), answer: answer),
            Route(.POST, "/api/v1/questions/{id}/delete", .role(.operator), answer: delete),
            Route(.GET, "/api/v1/accuracy", .role(.viewer), answer: accuracy),
            Route(.GET, "/api/v1/learning", .role(.operator)) { _ in
                try WebResponse.json(status.node.learning?.status ?? LearningStatus())
            },
            Route(.POST, "/api/v1/learning/start", .role(.operator), answer: learn),
        ]
    }

    @Sendable private func list(_ request: WebRequest) async throws -> HTTPResponse {
        let state = try request.query("state").map { text in
            guard let state = QuestionState(rawValue: text) else {
                throw WebFailure(.badRequest, "invalid_state", "'state' takes open or answered.")
            }
            return state
        }
        let limit = try request.query("limit").map { text in
            guard let limit = Int(text), (1...Self.maximumRows).contains(limit) else {
                throw WebFailure(.badRequest, "invalid_limit", "'limit' takes a number from 1 to \(Self.maximumRows).")
            }
            return limit
        }
        return try await status.answerList(zone: nil) { query in
            var rows: [QuestionRow] = []
            let count = try query.questions(state ?? .open, limit: limit ?? Self.maximumRows) { rows.append($0) }
            return (rows, count)
        }
    }

    @Sendable private func poses(_ request: WebRequest) async throws -> HTTPResponse {
        let id = try Self.id(request)
        let text = try await status.query { query in
            guard let packed = try query.questionPoses(id) else { throw Self.unknown(id) }
            guard let chunk = PoseChunk(packed: packed), let clip = LabelledClip(chunk) else {
                throw WebFailure(.conflict, "damaged_poses", "The joints of this question cannot be read: delete it.")
            }
            return Replay(clip, frames: clip.frames).json
        }
        return WebResponse.json(text, status: .ok)
    }

    @Sendable private func answer(_ request: WebRequest) async throws -> HTTPResponse {
        struct Body: Decodable {
            let answer: String
            let reps: Int?
        }
        let (id, body) = (try Self.id(request), try request.body(Body.self))
        let model = status.node.classifier.description
        try await refusing {
            let answer = try Answer.given(body.answer, reps: body.reps, held: model.heldLabels ?? [])
            try await status.change { store in
                let known = try store.query.storedNames().labels + model.labels
                try store.answer(id, answer, known: known, wall: Date())
            }
        }
        return try await status.answer { query in
            guard let row = try query.question(id) else { throw Self.unknown(id) }
            return row
        }
    }

    @Sendable private func delete(_ request: WebRequest) async throws -> HTTPResponse {
        let id = try Self.id(request)
        try await refusing { try await status.change { try $0.deleteQuestion(id) } }
        return try WebResponse.json(["id": id])
    }

    @Sendable private func accuracy(_ request: WebRequest) async throws -> HTTPResponse {
        let grouping = try request.query("by").map { text in
            guard let grouping = Accuracy.Grouping(rawValue: text) else {
                throw WebFailure(.badRequest, "invalid_by", "'by' takes all, label, camera or month.")
            }
            return grouping
        }
        let weeks = try request.query("weeks").map { text in
            guard let weeks = Int(text), (1...1000).contains(weeks) else {
                throw WebFailure(.badRequest, "invalid_weeks", "'weeks' takes a number from 1 to 1000.")
            }
            return weeks
        }
        return try await status.answer { try $0.accuracy(by: grouping ?? .all, weeks: weeks) }
    }

    /// Begins a round of learning now, without waiting for the night.
    @Sendable private func learn(_ request: WebRequest) async throws -> HTTPResponse {
        guard let learning = status.node.learning else {
            throw WebFailure(
                .conflict, "learning_off", "This node does not ask and learn: set learning.enabled = true.")
        }
        do { try await status.pool.change { try learning.begin() } } catch let error as CommandError {
            throw WebFailure(.conflict, "learning", WebFailure.sentence(error.message))
        }
        return try WebResponse.json(learning.status)
    }

    private static func id(_ request: WebRequest) throws -> Int {
        let text = request.parameters["id"] ?? ""
        guard let id = Int(text) else {
            throw WebFailure(.notFound, "unknown_question", "'\(text)' is no number of a question.")
        }
        return id
    }

    private static func unknown(_ id: Int) -> WebFailure {
        WebFailure(.notFound, "unknown_question", "There is no question \(id) with joints: it may have been deleted.")
    }

    private func refusing(_ change: () async throws -> Void) async throws {
        do { try await change() } catch let refusal as AnswerError {
            let kind: (status: HTTPStatus, code: String) =
                switch refusal {
                case .unknownQuestion: (.notFound, "unknown_question")
                case .unknownLabel: (.badRequest, "unknown_label")
                case .invalidReps, .noReps: (.badRequest, "invalid_reps")
                }
            throw WebFailure(kind.status, kind.code, WebFailure.sentence(refusal.description))
        }
    }
}
