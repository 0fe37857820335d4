import Agent
import HTTPServing
import Messaging
import Records

/// The commands of the contract, as programs of this machine send them: `POST /api/v1/commands/workout_start` with the
/// arguments as a JSON object.
struct CommandRoutes {
    let status: NodeStatus

    var all: [Route] { [Route(.POST, "/api/v1/commands/{name}", .role(.operator), answer: carryOut)] }

    private func carryOut(_ request: WebRequest) async throws -> HTTPResponse {
        let arguments = try request.body(JSONValue.self)
        let command: Command
        do throws(CommandError) {
            command = try Command(
                named: request.parameters["name"] ?? "", arguments: arguments, cameras: status.cameraIDs)
        } catch {
            throw WebFailure(error)
        }
        switch command {
        case .agent(let command): return try await status.carryOut(command)
        case .session:
            throw WebFailure(.badRequest, "not_supported", "This is answered over MQTT only: send it to the broker.")
        }
    }
}
