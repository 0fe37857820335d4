import HTTPServing
import Messaging
import Records

extension NodeStatus {
    /// The camera that a request's address names.
    ///
    /// - Throws: ``WebFailure`` when there is no such camera.
    func camera(in request: WebRequest) throws -> String {
        let camera = request.parameters["camera"] ?? ""
        guard cameraIDs.contains(camera) else { throw unknown(camera) }
        return camera
    }

    /// The refusal of a camera that does not exist.
    func unknown(_ camera: String) -> WebFailure {
        let known = cameraIDs.joined(separator: ", ")
        return WebFailure(.notFound, "unknown_camera", "There is no camera '\(camera)'; known: \(known).")
    }

    /// Carries out a command, and answers with its result.
    ///
    /// - Throws: ``WebFailure`` when the command fails.
    func carryOut(_ command: AgentCommand) async throws -> HTTPResponse {
        try WebResponse.json(try await answer(to: command))
    }

    /// Carries out a command.
    ///
    /// - Returns: its result.
    /// - Throws: ``WebFailure`` when the command fails.
    func answer(to command: AgentCommand) async throws -> JSONValue {
        let outcome = await withCheckedContinuation { continuation in
            node.commands.submit(command) { continuation.resume(returning: $0) }
        }
        switch outcome {
        case .success(let answer): return answer
        case .failure(let error): throw WebFailure(error)
        }
    }
}

extension WebFailure {
    /// The refusal of a command.
    init(_ error: CommandError) {
        let status: HTTPStatus =
            switch error.code {
            case .badRequest, .invalidArguments, .notSupported: .badRequest
            case .unknownCommand, .unknownCamera, .unknownModel, .unknownSession, .unknownPlan, .unknownWorkout,
                .unknownAlarm, .unknownEpoch:
                .notFound
            case .forbidden: .forbidden
            default: .conflict
            }
        self.init(status, error.code.rawValue, error.message)
    }
}
