import Foundation
import History

/// Receives commands and applies the contract's rules to them, in the contract's order: kept messages, size and form,
/// expiry, repetition, permission, arguments. What passes is carried out once; its answer is remembered.
package struct CommandValidator {
    /// Where an answer goes.
    struct Sender: Equatable {
        let topic: String
        let correlation: [UInt8]?
    }

    /// What is to be done with a command.
    package enum Decision {
        /// Nothing: it was kept by the broker, or the same one is under way.
        case ignore
        /// It is answered already.
        case answer(MQTTMessage)
        case carryOut(CommandName, CommandRequest)
    }

    package static let maximumUnderWay = 16
    private static let maximumRemembered = 256
    private static let memorySeconds = 600.0

    private let topics: Topics
    private let settings: MQTTSettings
    private let log: CommandLog
    /// Commands that were refused because the broker had kept them.
    private(set) var refusedRetained = 0
    private var underWay: [String: (name: CommandName, sender: Sender)] = [:]
    private var remembered: [(id: String, response: String, at: Date)] = []
    private var unwritten: [(id: String, response: String)] = []

    package init(topics: Topics, settings: MQTTSettings, log: CommandLog) {
        self.topics = topics
        self.settings = settings
        self.log = log
    }

    /// - Parameter word: the last level of the topic.
    package mutating func validate(_ message: ArrivedMessage, command word: String, wall: Date) throws
        -> Decision
    {
        guard !message.retained else {
            refusedRetained += 1
            return .ignore
        }
        // An answer would go to a topic of the asker's making.
        guard Topics.isId(word) else { return .ignore }
        let sender = sender(of: message, word: word)
        func refuse(_ id: String?, _ error: CommandError) throws -> Decision {
            .answer(try answer(id, word, .failure(error), sender, wall))
        }
        let request: CommandRequest
        do { request = try CommandRequest.read(message.payload) } catch {
            return try refuse(error.id, CommandError(.badRequest, error.reason))
        }
        if let expiry = request.expiry, expiry < wall {
            let reason = "it was wanted until \(Timestamp.text(expiry)), and it is \(Timestamp.text(wall)) here"
            return try refuse(request.id, CommandError(.expired, reason))
        }
        if underWay[request.id] != nil { return .ignore }
        if let known = try response(to: request.id, wall: wall) { return .answer(reply(known, to: sender)) }
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
        underWay[request.id] = (name, sender)
        return .carryOut(name, request)
    }

    /// Counts a switch that was kept, too.
    mutating func refuseRetained() { refusedRetained += 1 }

    /// The answer to a command that was carried out; ``writeDown(_:)`` before it is sent.
    package mutating func finish(_ id: String, _ outcome: CommandOutcome, wall: Date) throws -> MQTTMessage? {
        guard let (name, sender) = underWay.removeValue(forKey: id) else { return nil }
        let message = try answer(id, name.rawValue, outcome, sender, wall)
        // What may be tried again must not be met with the old refusal.
        if case .failure(let error) = outcome, error.retryable { return message }
        remembered.removeAll { abs($0.at.timeIntervalSince(wall)) > Self.memorySeconds }
        if remembered.count == Self.maximumRemembered { remembered.removeFirst() }
        remembered.append((id, message.payload, wall))
        // What was never carried out is not worth a write, of which a flood would make thousands.
        if case .failure(let error) = outcome, error.code == .busy { return message }
        if name.isRememberedOnDisk { unwritten.append((id, message.payload)) }
        return message
    }

    /// Puts the answers to what changed something on disk.
    mutating func writeDown(_ wall: Date) throws {
        while let (id, response) = unwritten.first {
            try log.remember(response, to: id, wall: wall)
            unwritten.removeFirst()
        }
    }

    private func response(to id: String, wall: Date) throws -> String? {
        let inMemory = remembered.last { $0.id == id && abs($0.at.timeIntervalSince(wall)) <= Self.memorySeconds }
        return try inMemory?.response ?? log.response(to: id, wall: wall)
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

    /// The asker's own topic where it named one, unless it lies where this node says other things.
    private func sender(of message: ArrivedMessage, word: String) -> Sender {
        let usual = topics.response(word)
        guard let wanted = message.responseTopic, topics.mayAnswer(on: wanted) else {
            return Sender(topic: usual, correlation: message.correlation)
        }
        return Sender(topic: wanted, correlation: message.correlation)
    }
}
