import Foundation
import History
import Records

extension MQTTSession {
    /// How a valid command is handled.
    enum Order {
        /// The command is done; this is the response's data.
        case done(JSONValue)
        /// Another part of the node must carry it out.
        case pass(NodeCommand)
    }

    /// Checks the arguments, and carries out commands that need only the history and the messaging thread.
    ///
    /// - Throws: ``CommandError``, or ``HistoryError`` from the history.
    func order(_ name: CommandName, _ request: CommandRequest) throws -> Order {
        let arguments = CommandArguments(request.arguments)
        switch name {
        case .ping: return .done(["sid": .integer(sid), "sw": .text(loop.outgoing.info?.sw ?? "")])
        case .info: return .done(try json(loop.outgoing.completeInfo(lastSeq: loop.store.records.lastSeq)))
        case .health: return .done(try json(currentHealth()))
        case .sync: return .done(try sync(arguments))
        case .sessionDelete: return .done(try deleteSession(arguments.text("id")))
        case .sessionEnd: return .pass(.endSessions(camera: try camera(arguments)))
        case .cameraSet:
            return .pass(.setCamera(try camera(arguments), enabled: try arguments.flag("enabled")))
        case .configCheck: return .pass(.checkConfiguration)
        case .reload: return .pass(.reload)
        case .restart: return .pass(.restart)
        case .preview:
            let seconds = try arguments.number("seconds", 1...300, default: 10)
            return .pass(.preview(camera: try camera(arguments), seconds: Int(seconds)))
        case .modelSet: return .pass(.setModel(try arguments.text("id")))
        case .logLevel:
            let level = try arguments.choice("level", LogPayload.levels)
            return .pass(.setLogLevel(level, seconds: Int(try arguments.number("for_s", 1...86_400, default: 600))))
        }
    }

    private func camera(_ arguments: CommandArguments) throws -> String {
        let id = try arguments.text("camera")
        let known = loop.outgoing.info?.cameras.map(\.id) ?? []
        guard known.contains(id) else {
            throw CommandError(.unknownCamera, "no camera '\(id)'; known: \(known.joined(separator: ", "))")
        }
        return id
    }

    /// Queues a range of records for sending again. Positions that no longer hold a record are declared in gap records,
    /// which are sent, too.
    private func sync(_ arguments: CommandArguments) throws -> JSONValue {
        let log = loop.store.records
        let epoch = try arguments.text("epoch")
        guard epoch == log.epoch else {
            throw CommandError(.unknownEpoch, "this history's epoch is \(log.epoch); records of other epochs are lost")
        }
        let last = try log.lastSeq()
        let from = try arguments.number("from_seq", 1...Int64.max)
        let to = min(try arguments.number("to_seq", 1...Int64.max, default: last), last)
        guard from <= to else { return ["records": 0, "gaps": [], "from_seq": .integer(from), "to_seq": .integer(to)] }
        guard records.replay(from...to) else {
            throw CommandError(.busy, "\(ReplayQueue.maximumRanges) ranges are waiting already", retryable: true)
        }
        let gaps = try log.declareHoles(in: from...to, wall: Date())
        for gap in gaps where !(from...to).contains(gap.seq) { _ = records.replay(gap.seq...gap.seq) }
        records.recordsAvailable()
        let holes = try log.holes(in: from...to)
        let missing = holes.reduce(Int64(0)) { $0 + Int64($1.count) }
        return [
            "records": .integer(to - from + 1 - missing), "from_seq": .integer(from), "to_seq": .integer(to),
            "gaps": .list(
                holes.prefix(100).map { ["from_seq": .integer($0.lowerBound), "to_seq": .integer($0.upperBound)] }),
        ]
    }

    private func deleteSession(_ id: String) throws -> JSONValue {
        switch try loop.store.deleteSession(id, wall: Date()) {
        case .unknown: throw CommandError(.unknownSession, "no session '\(id)'")
        case .open: throw CommandError(.sessionOpen, "the session is open: send session_end first", retryable: true)
        case .deleted:
            records.recordsAvailable()
            return ["id": .text(id), "deleted": true]
        }
    }

    private func currentHealth() throws -> HealthPayload? {
        guard var health = loop.outgoing.lastHealth else { return nil }
        health.outbox = try records.outbox(wall: Date())
        health.mqtt = connectionHealth()
        return health
    }

    private func json(_ value: (some Encodable)?) throws -> JSONValue {
        guard let value else { throw CommandError(.failed, "not known yet: ask again in a second", retryable: true) }
        return try JSONDecoder().decode(JSONValue.self, from: Data(try JSONText.encode(value).utf8))
    }
}

/// The arguments of one command, read by name and type.
struct CommandArguments {
    private let fields: [String: JSONValue]

    init(_ fields: [String: JSONValue]) { self.fields = fields }

    func text(_ name: String) throws(CommandError) -> String {
        guard let text = fields[name]?.text, !text.isEmpty, text.utf8.count <= 128 else {
            throw CommandError(.invalidArguments, "\(name) must be a text of 1 to 128 bytes")
        }
        return text
    }

    func choice(_ name: String, _ words: [String]) throws(CommandError) -> String {
        guard let word = fields[name]?.text, words.contains(word) else {
            throw CommandError(.invalidArguments, "\(name) must be one of: \(words.joined(separator: ", "))")
        }
        return word
    }

    func flag(_ name: String) throws(CommandError) -> Bool {
        guard let flag = fields[name]?.bool else {
            throw CommandError(.invalidArguments, "\(name) must be true or false")
        }
        return flag
    }

    /// - Parameter usual: the value of an absent argument; `nil` makes the argument mandatory.
    func number(
        _ name: String, _ range: ClosedRange<Int64>, default usual: Int64? = nil
    ) throws(CommandError) -> Int64 {
        if let usual, fields[name] == nil || fields[name] == .null { return usual }
        guard let number = fields[name]?.integer, range.contains(number) else {
            throw CommandError(
                .invalidArguments, "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
