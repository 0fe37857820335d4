import Foundation
import History
import Records

/// Why the running node did not do what it was asked to do.
struct NodeRefusal: Error, CustomStringConvertible {
    /// The code of the answer, such as `unknown_model`.
    let code: String
    /// The node's own words.
    let description: String
}

extension Database.Options {
    /// Sends a command to the running node, through its database.
    ///
    /// - Returns: the data of its answer.
    /// - Throws: ``NodeRefusal``, or `NodeRequests.Failure` when no node runs or it does not answer.
    func ask(
        _ command: CommandName, _ arguments: [String: String?], numbers: [String: Int] = [:]
    ) throws -> JSONValue {
        let given = arguments.compactMapValues { $0.map { JSONValue.text($0) } }
            .merging(numbers.mapValues { .integer(Int64($0)) }) { $1 }
        let text = try JSONText.encode(JSONValue.object(["cmd": .text(command.rawValue), "args": .object(given)]))
        let answer = try NodeRequests(path: try path()).ask(text)
        let fields = try JSONDecoder().decode(JSONValue.self, from: Data(answer.utf8))
        if let error = fields["error"] {
            throw NodeRefusal(code: error["code"]?.text ?? "", description: error["message"]?.text ?? answer)
        }
        return fields["data"] ?? .null
    }
}
