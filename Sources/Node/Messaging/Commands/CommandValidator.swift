import Broker
import Foundation
import History
import Records

/// Checks received commands in the contract's order: retained messages, size and form, expiry, repetition, permission,
/// number under way. A valid command is carried out once, and its response is remembered for repetitions of it.
package struct CommandValidator {
    /// Where a response goes.
    struct Sender: Equatable {
        let topic: String
        let correlation: [UInt8]?
    }

    /// What to do with a received command.
    package enum Decision {
        /// Do nothing: the message was retained, or the same command is under way.
        case ignore
        /// Send this response; nothing is carried out.
        case answer(MQTTMessage)
        /// Carry the command out, then call ``finish(_:_:wall:)``.
        case carryOut(CommandName, CommandRequest)
    }

    /// The most commands that are carried out at the same time.
    package static let maximumUnderWay = 16
    /// The most senders of one command that are answered.
    private static let maximumSenders = 8
    private static let maximumRemembered = 256
    private static let memorySeconds = 600.0

    private let topics: Topics
    private let settings: MQTTSettings
    private let log: CommandLog
    /// Commands refused because they were retained messages.
    private(set) var refusedRetained = 0
    private var underWay: [String: UnderWay] = [:]
    private var remembered: [(id: String, answered: Answered, at: Date)] = []
    private var unwritten: [(id: String, response: String)] = []

    /// A command that is being carried out, and who waits for its answer.
    private struct UnderWay {
        let name: CommandName
        let arguments: [String: JSONValue]
        var senders: [Sender]
    }

    /// A command that was carried out, and its response.
    private struct Answered {
        let response: String
        /// The command's name; `nil` where the response does not say it.
        let word: String?
        /// `nil` where they are not known any more.
        let arguments: [String: JSONValue]?

        func isSame(_ word: String, _ arguments: [String: JSONValue]) -> Bool {
            self.word == word && self.arguments.map { $0 == arguments } ?? true
        }
    }

    /// Remembers responses in memory and in `log`.
    package init(topics: Topics, settings: MQTTSettings, log: CommandLog) {
        self.topics = topics
        self.settings = settings
        self.log = log
    }

    /// Decides what to do with a command.
    ///
    /// - Parameter word: the last level of the topic.
    /// - Throws: ``HistoryError`` when the stored responses cannot be read.
    package mutating func validate(_ message: ArrivedMessage, command word: String, wall: Date) throws
        -> Decision
    {
        guard !message.retained else {
            refusedRetained += 1
            return .ignore
        }
        // A broker may keep a subscription of an earlier connection, when remote control was on.
        // The response topic would contain the word, which the sender chose.
        guard Topics.isId(word), settings.remoteControl else { return .ignore }
        let sender = sender(of: message, word: word)
        func refuse(_ id: String?, _ error: CommandError) throws -> Decision {
            .answer(try answer(id, word, .failure(error), sender, wall))
        }
        let request: CommandRequest
        do { request = try CommandRequest.read(message.payload) } catch {
            return try refuse(error.id, CommandError(.badRequest, error.reason))
        }
        if let expiry = request.expiry, expiry < wall {
            let reason = "it expired at \(Timestamp.text(expiry)); this node's clock says \(Timestamp.text(wall))"
            return try refuse(request.id, CommandError(.expired, reason))
        }
        if let same = underWay[request.id] {
            guard same.name.rawValue == word, same.arguments == request.arguments else {
                return try refuse(request.id, Self.usedId(request.id))
            }
            if same.senders.count < Self.maximumSenders { underWay[request.id]?.senders.append(sender) }
            return .ignore
        }
        if let earlier = try answered(request.id, wall: wall) {
            guard earlier.isSame(word, request.arguments) else {
                return try refuse(request.id, Self.usedId(request.id))
            }
            return .answer(reply(earlier.response, to: sender))
        }
        guard let name = CommandName(rawValue: word) else {
            let known = CommandName.allCases.map(\.rawValue).joined(separator: ", ")
            return try refuse(request.id, CommandError(.unknownCommand, "no command '\(word)'; known: \(known)"))
        }
        guard settings.commands.contains(name) else {
            return try refuse(request.id, CommandError(.forbidden, settings.refusal(of: name)))
        }
        guard underWay.count < Self.maximumUnderWay else {
            return try refuse(
                request.id, CommandError(.busy, "\(underWay.count) commands are under way", retryable: true))
        }
        underWay[request.id] = UnderWay(name: name, arguments: request.arguments, senders: [sender])
        return .carryOut(name, request)
    }

    /// Counts a retained `enabled/set` message, too.
    mutating func refuseRetained() { refusedRetained += 1 }

    /// The responses to a command that was carried out, one for each sender; none for one that is not under way. Call
    /// ``writeDown(_:)`` before sending them.
    package mutating func finish(_ id: String, _ outcome: CommandOutcome, wall: Date) throws -> [MQTTMessage] {
        guard let command = underWay.removeValue(forKey: id) else { return [] }
        let (name, word) = (command.name, command.name.rawValue)
        let messages = try command.senders.map { try answer(id, word, outcome, $0, wall) }
        guard let payload = messages.first?.payload else { return [] }
        // A repetition may succeed, so it must not get the old error.
        if case .failure(let error) = outcome, error.retryable { return messages }
        remembered.removeAll { abs($0.at.timeIntervalSince(wall)) > Self.memorySeconds }
        if remembered.count == Self.maximumRemembered { remembered.removeFirst() }
        remembered.append((id, Answered(response: payload, word: word, arguments: command.arguments), wall))
        // A command that was never carried out is not worth a write; a flood of them would cause thousands.
        if case .failure(let error) = outcome, error.code == .busy { return messages }
        if name.isRememberedOnDisk { unwritten.append((id, payload)) }
        return messages
    }

    /// Stores the responses to commands that changed something on disk.
    package mutating func writeDown(_ wall: Date) throws {
        while let (id, response) = unwritten.first {
            try log.remember(response, to: id, wall: wall)
            unwritten.removeFirst()
        }
    }

    /// The earlier command of the same id; `nil` for none in the last ten minutes.
    private func answered(_ id: String, wall: Date) throws -> Answered? {
        let inMemory = remembered.last { $0.id == id && abs($0.at.timeIntervalSince(wall)) <= Self.memorySeconds }
        if let inMemory { return inMemory.answered }
        guard let stored = try log.response(to: id, wall: wall) else { return nil }
        let fields = try? JSONDecoder().decode(JSONValue.self, from: Data(stored.utf8))
        return Answered(response: stored, word: fields?["cmd"]?.text, arguments: nil)
    }

    private static func usedId(_ id: String) -> CommandError {
        CommandError(
            .badRequest,
            "the id '\(id)' was that of another command in the last ten minutes, and nothing was done: give every command "
                + "an id of its own")
    }

    private func answer(
        _ id: String?, _ word: String, _ outcome: CommandOutcome, _ sender: Sender, _ wall: Date
    ) throws -> MQTTMessage {
        reply(try JSONText.encode(CommandResponse(id: id, cmd: word, outcome: outcome, ts: wall)), to: sender)
    }

    private func reply(_ payload: String, to sender: Sender) -> MQTTMessage {
        MQTTMessage(
            topic: sender.topic, payload: payload, expirySeconds: 60, userProperties: [("v", "1")],
            correlation: sender.correlation)
    }

    /// The response topic the sender named, unless this node uses that topic for other messages; else the default one.
    private func sender(of message: ArrivedMessage, word: String) -> Sender {
        let usual = topics.response(word)
        guard let wanted = message.responseTopic, topics.mayAnswer(on: wanted) else {
            return Sender(topic: usual, correlation: message.correlation)
        }
        return Sender(topic: wanted, correlation: message.correlation)
    }
}
