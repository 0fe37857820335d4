import Foundation
import Records

/// Why a command was not carried out, as its sender reads it in the response.
public struct CommandError: Error, Sendable, Equatable, Codable {
    /// The condition, as `error.code` in the response.
    public enum Code: String, Sendable, Codable, CaseIterable {
        case badRequest = "bad_request"
        case expired
        case unknownCommand = "unknown_command"
        case forbidden
        case invalidArguments = "invalid_args"
        case unknownCamera = "unknown_camera"
        case unknownModel = "unknown_model"
        case unknownSession = "unknown_session"
        case sessionOpen = "session_open"
        case unknownPlan = "unknown_plan"
        case unknownWorkout = "unknown_workout"
        case unknownAlarm = "unknown_alarm"
        case unknownEpoch = "unknown_epoch"
        case notSupported = "not_supported"
        case busy
        case failed
    }

    /// The condition.
    public let code: Code
    /// One sentence for the sender, at most 400 characters.
    public let message: String
    /// Whether the same command may succeed later.
    public let retryable: Bool

    /// An error with the first 400 characters of `message`.
    public init(_ code: Code, _ message: String, retryable: Bool = false) {
        self.code = code
        // A malformed command can be long, and the message may quote it.
        self.message = String(message.prefix(400))
        self.retryable = retryable
    }
}

/// `res/<name>`: the response to a command.
struct CommandResponse: Encodable {
    enum Status: String, Encodable { case ok, error }

    var v = 1
    /// `null` when no id could be read from the command.
    var id: String?
    var cmd: String
    var status: Status
    var data: JSONValue?
    var error: CommandError?
    var ts: Date

    init(id: String?, cmd: String, outcome: CommandOutcome, ts: Date) {
        self.id = id
        self.cmd = cmd
        self.ts = ts
        switch outcome {
        case .success(let data):
            status = .ok
            self.data = data
        case .failure(let error):
            status = .error
            self.error = error
        }
    }

    enum CodingKeys: String, CodingKey { case v, id, cmd, status, data, error, ts }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(v, forKey: .v)
        try container.encode(id, forKey: .id)
        try container.encode(cmd, forKey: .cmd)
        try container.encode(status, forKey: .status)
        try container.encodeIfPresent(data, forKey: .data)
        try container.encodeIfPresent(error, forKey: .error)
        try container.encode(ts, forKey: .ts)
    }
}
