import Foundation
import History
import Messaging
import Records
import Synchronization

/// Carries out what other programs of this machine ask for through the database, such as `spotter workout start`.
final class RequestAnswering: Sendable {
    private let node: Node
    private let health: NodeHealth
    /// The requests that are under way.
    private let underWay = Mutex<Set<String>>([])
    /// The commands that a program of this machine may send, whatever `commands.allow` says of those from the network.
    private static let accepted: Set<CommandName> = [
        .workoutStart, .workoutStop, .workoutSkip, .workoutPain, .nameDelete, .modelSet, .health,
    ]

    init(node: Node, health: NodeHealth) { (self.node, self.health) = (node, health) }

    /// Looks for new requests. Call it several times a second; without any it costs one small query.
    func poll() {
        // A history that cannot be read is the business of the next commit.
        guard let waiting = try? node.store.waitingRequests(wall: Date()) else { return }
        for request in waiting where underWay.withLock({ $0.insert(request.id).inserted }) {
            do throws(CommandError) {
                let command = try Command(
                    request: request.command, accepted: Self.accepted, cameras: node.configuration.cameras.map(\.id))
                switch command {
                // Of these only `health` is accepted.
                case .session: answer(request, .success(try currentHealth()))
                case .agent(let command): node.commands.submit(command) { [self] in answer(request, $0) }
                }
            } catch {
                answer(request, .failure(error))
            }
        }
    }

    /// The node's health, as `spotter status` shows it, with a broker or without.
    private func currentHealth() throws(CommandError) -> JSONValue {
        do {
            let payload = health.payload(health.problems(), processorPercent: nil)
            return try JSONDecoder().decode(JSONValue.self, from: Data(JSONText.encode(payload).utf8))
        } catch { throw CommandError(.failed, "\(error)") }
    }

    private func answer(_ request: NodeRequest, _ outcome: CommandOutcome) {
        let answer: JSONValue =
            switch outcome {
            case .success(let data): ["data": data]
            case .failure(let error):
                ["error": ["code": .text(error.code.rawValue), "message": .text(error.message)]]
            }
        do {
            try node.store.answer(request.id, JSONText.encode(answer))
        } catch {
            node.logger.error("a request of this machine could not be answered: \(error)")
        }
        underWay.withLock { _ = $0.remove(request.id) }
    }
}
