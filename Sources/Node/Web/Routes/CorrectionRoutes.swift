import Contract
import Foundation
import HTTPServing
import History
import Records

/// Corrections of what was recognised, by the operator.
struct CorrectionRoutes {
    let status: NodeStatus

    var all: [Route] {
        [Route(.POST, "/api/v1/sessions/{id}/sets/{number}/correct", .role(.operator), answer: correct)]
    }

    /// Either what the set really was, or that its correction is taken back.
    private struct Body: Decodable {
        let label: String?
        let reps: Int?
        let loadKg, rpe: Double?
        let undo: Bool?
        let newLabel: Bool?

        enum CodingKeys: String, CodingKey {
            case label, reps, rpe, undo
            case loadKg = "load_kg"
            case newLabel = "new_label"
        }

        var change: SetChange? {
            let isEmpty = label == nil && reps == nil && loadKg == nil && rpe == nil
            if undo == true { return isEmpty ? .undo : nil }
            return isEmpty ? nil : .to(label: label, reps: reps, loadKg: loadKg, rpe: rpe)
        }
    }

    private func correct(_ request: WebRequest) async throws -> HTTPResponse {
        let (id, text) = (request.parameters["id"] ?? "", request.parameters["number"] ?? "")
        guard let number = Int(text) else {
            throw WebFailure(.notFound, "unknown_set", "'\(text)' is no number of a set: the session lists them.")
        }
        let body = try request.body(Body.self)
        guard let change = body.change else {
            throw WebFailure(
                .badRequest, "no_correction",
                "Send the right 'label', the right 'reps', 'load_kg' or 'rpe', or 'undo': true.")
        }
        let known = body.newLabel == true ? nil : status.node.classifier.description.labels
        try await self.change(set: number, of: id, to: change, known: known)
        return try await status.answer { query in
            guard let session = try query.session(id) else { throw WebFailure(try query.missingSession(id)) }
            return session
        }
    }

    /// Corrects a set, and tells receivers.
    ///
    /// - Parameter known: the labels of the model; `nil` where any label will do.
    /// - Throws: ``WebFailure`` for what cannot be corrected.
    func change(set number: Int, of session: String, to change: SetChange, known: [String]?) async throws {
        do {
            let days = try await status.change { store in
                let labels = try known.map { try store.query.storedNames().labels + $0 }
                return try store.correctSet(number, of: session, to: change, known: labels, wall: Date())
            }
            publish(days, session: session, set: number)
        } catch let refusal as CorrectionError {
            throw WebFailure(refusal)
        }
    }

    /// Tells receivers. The topic of a camera's totals holds today's, so those of earlier days stay off it.
    private func publish(_ days: [DayRow], session: String, set: Int) {
        guard !days.isEmpty else { return }
        status.node.logger.notice("set \(set) of the session \(session) was corrected")
        guard let publisher = status.node.publisher else { return }
        let today = TypedMoment("0h").day(in: status.timeZone)
        for day in days where day.day == today { publisher.counts(day) }
        publisher.recordsAvailable()
    }
}

extension WebFailure {
    fileprivate init(_ error: CorrectionError) {
        let kind: (status: HTTPStatus, code: String) =
            switch error {
            case .unknownSession: (.notFound, "unknown_session")
            case .sessionOpen: (.conflict, "session_open")
            case .unknownSet: (.notFound, "unknown_set")
            case .invalidLabel: (.badRequest, "invalid_label")
            case .unknownLabel: (.badRequest, "unknown_label")
            case .invalidReps, .workOfNothing: (.badRequest, "invalid_reps")
            case .invalidLoad: (.badRequest, "invalid_load")
            case .invalidRPE: (.badRequest, "invalid_rpe")
            }
        self.init(kind.status, kind.code, Self.sentence(error.description))
    }
}
