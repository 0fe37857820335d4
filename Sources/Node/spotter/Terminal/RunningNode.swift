import Foundation
import HTTPServing
import History
import Records

/// Why the running node did not do what it was asked to do.
struct NodeRefusal: Error, CustomStringConvertible {
    /// The code of the answer, such as `unknown_model`.
    let code: String
    /// The node's own words.
    let description: String
}

/// The node that writes a database, asked at its socket. It needs neither a broker nor a page.
struct RunningNode {
    /// Why there is no answer.
    enum Failure: Error, CustomStringConvertible {
        /// No node runs with this database.
        case noNode(path: String)
        /// This user may not ask it.
        case notAllowed(path: String)
        /// It ended before it answered.
        case interrupted
        /// It runs, but has not answered for this long.
        case noAnswer(seconds: Double)

        /// A sentence that says what to do.
        var description: String {
            switch self {
            case .noNode(let path): "no node runs with \(path): start it with 'spotter run' or its service"
            case .notAllowed(let path):
                "this user may not ask the node that writes \(path): ask as the node's own user, or with sudo"
            case .interrupted:
                "the node ended before it answered, and may have done it: look with 'spotter status', then try again"
            case .noAnswer(let seconds):
                "the node has not answered within \(Int(seconds)) s, and may still do it: look at what it did before you try "
                    + "again, or restart it"
            }
        }
    }

    /// A node that restarts comes back within this time, even on a busy machine.
    private static let restartTime = Duration.seconds(10)

    /// Its database.
    let path: String

    /// Asks for a route of the page. A node that restarts is waited for.
    ///
    /// - Parameter body: JSON; `nil` for none.
    /// - Returns: the JSON of the answer.
    /// - Throws: ``Failure``, or ``NodeRefusal`` with the node's own words.
    func ask(_ method: String, _ route: String, _ body: JSONValue? = nil, seconds: Double = 45) throws -> JSONValue {
        guard Store.hasNode(at: path) else { throw Failure.noNode(path: path) }
        let client = LocalClient(path: Store.socketPath(database: path))
        let text = try body.map { try JSONText.encode($0) }
        let began = ContinuousClock.now
        while true {
            do {
                let answer = try client.ask(method, route, text, seconds: seconds)
                let fields = try JSONDecoder().decode(JSONValue.self, from: Data(answer.body))
                guard answer.status != 200 else { return fields }
                let error = fields["error"]
                throw NodeRefusal(
                    code: error?["code"]?.text ?? "", description: error?["message"]?.text ?? "status \(answer.status)")
            } catch LocalClient.Failure.nobody {
                guard Store.hasNode(at: path), began.duration(to: .now) < Self.restartTime else {
                    throw Failure.noNode(path: path)
                }
                usleep(50_000)
            } catch LocalClient.Failure.notAllowed {
                throw Failure.notAllowed(path: path)
            } catch LocalClient.Failure.interrupted {
                throw Failure.interrupted
            } catch LocalClient.Failure.tooLate {
                throw Failure.noAnswer(seconds: seconds)
            }
        }
    }
}

extension Database.Options {
    /// Sends a command to the running node.
    ///
    /// - Returns: the data of its answer.
    /// - Throws: ``NodeRefusal``, or ``RunningNode/Failure`` when no node runs or it does not answer.
    func ask(
        _ command: CommandName, _ arguments: [String: String?], numbers: [String: Int] = [:]
    ) throws -> JSONValue {
        let given = arguments.compactMapValues { $0.map { JSONValue.text($0) } }
            .merging(numbers.mapValues { .integer(Int64($0)) }) { $1 }
        return try RunningNode(path: try path()).ask(
            "POST", "/api/v1/commands/\(command.rawValue)", .object(given))
    }
}
