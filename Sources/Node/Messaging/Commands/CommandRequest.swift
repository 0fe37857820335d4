import Foundation
import History
import Records

/// The parsed payload of `cmd/<name>`.
package struct CommandRequest: Equatable {
    /// The largest accepted payload, bytes.
    package static let maximumBytes = 16_384
    static let maximumIdBytes = 64

    /// The sender's id for the command: 1 to 64 printable ASCII characters.
    package let id: String
    /// The arguments by name; empty when there are none.
    package let arguments: [String: JSONValue]
    /// The moment after which the command must not be carried out; `nil` for no limit.
    package let expiry: Date?

    /// Parses the payload of a command.
    ///
    /// - Throws: ``Unreadable``, with the id when that could be read.
    package static func read(_ payload: [UInt8]) throws(Unreadable) -> CommandRequest {
        guard payload.count <= maximumBytes else {
            throw Unreadable(reason: "a command has at most \(maximumBytes) bytes, this one has \(payload.count)")
        }
        guard let fields = object(payload) else {
            throw Unreadable(reason: #"expected a JSON object such as {"id":"a1","args":{}}"#)
        }
        guard let id = fields["id"]?.text, isId(id) else {
            throw Unreadable(
                reason: "the id must be 1 to \(maximumIdBytes) printable characters, another one for every command")
        }
        let arguments = fields["args"] ?? .object([:])
        guard let object = arguments == .null ? [:] : arguments.object else {
            throw Unreadable(id: id, reason: "args must be a JSON object")
        }
        guard let text = fields["exp"], text != .null else {
            return CommandRequest(id: id, arguments: object, expiry: nil)
        }
        guard let moment = text.text.flatMap(Timestamp.date(text:)) else {
            throw Unreadable(id: id, reason: "exp must be a moment such as 2026-11-21T18:05:00Z")
        }
        return CommandRequest(id: id, arguments: object, expiry: moment)
    }

    /// Why a payload is no command, with its id when that could be read.
    package struct Unreadable: Error {
        var id: String?
        /// What is wrong with the payload.
        package let reason: String
    }

    private static func object(_ payload: [UInt8]) -> [String: JSONValue]? {
        // Foundation would also accept UTF-16 and UTF-32.
        guard String(validating: payload, as: UTF8.self) != nil, depth(of: payload) <= 32 else { return nil }
        return try? JSONDecoder().decode(JSONValue.self, from: Data(payload)).object
    }

    /// The depth of nested brackets; brackets inside strings count, too. JSONDecoder recurses, so deep nesting could
    /// exhaust the stack.
    private static func depth(of payload: [UInt8]) -> Int {
        var (depth, deepest) = (0, 0)
        for byte in payload {
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
            deepest = max(deepest, depth)
        }
        return deepest
    }

    private static func isId(_ id: String) -> Bool {
        !id.isEmpty && id.utf8.count <= maximumIdBytes && id.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
