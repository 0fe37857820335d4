import Broker
import CMosquitto
import Foundation
import Messaging
import Records

extension FuzzReader {
    /// A message on `cmd/<name>`, up to the decision about it. The first line has the name and the response topic; the
    /// rest is the payload. Each message is delivered twice, as may happen.
    static let commands = FuzzReader(name: "commands") { bytes in
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        let words = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ", maxSplits: 1).map(String.init)
        let payload = [UInt8](bytes[end...].dropFirst())
        let topics = try Topics(site: "gym", node: "node")
        var settings = MQTTSettings(host: "localhost", site: "gym")
        settings.allowedCommands = Set(CommandName.allCases)
        var validator = CommandValidator(topics: topics, settings: settings, log: try exampleStore.get().commands)
        let message = ArrivedMessage(
            topic: topics.command("ping"), payload: payload, retained: false, responseTopic: words.dropFirst().first,
            correlation: Array(payload.prefix(16)))
        let wall = Date(timeIntervalSince1970: 1_795_258_800)
        for turn in 0..<2 {
            switch try validator.validate(message, command: words.first ?? "ping", wall: wall) {
            case .ignore: break
            case .answer(let answer):
                let isUsual = answer.topic == topics.response(words.first ?? "ping")
                precondition(isUsual || topics.mayAnswer(on: answer.topic), "an answer on \(answer.topic)")
                precondition(answer.payload.utf8.count < 65_536, "a long answer")
                // The answer is JSON whatever the command contains.
                _ = try JSONDecoder().decode(JSONValue.self, from: Data(answer.payload.utf8))
            case .carryOut(_, let request):
                precondition(turn == 0, "carried out twice")
                precondition(payload.count <= CommandRequest.maximumBytes, "a command without measure")
                let data = JSONValue.object(request.arguments)
                for value in request.arguments.values { _ = (value.integer, value.plain, value.text) }
                let answers = try validator.finish(request.id, .success(data), wall: wall)
                precondition(answers.count == 1, "one sender and \(answers.count) answers")
                for answer in answers { _ = try JSONDecoder().decode(JSONValue.self, from: Data(answer.payload.utf8)) }
            }
        }
        _ = try CommandRequest.read(payload)
    }

    /// The MQTT 5 properties of a command, one a line: response topic, correlation data and a user property. Also reads
    /// those of the answer.
    static let properties = FuzzReader(name: "properties") { bytes in
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        let topic = String(decoding: parts[0], as: UTF8.self)
        let correlation = parts.count > 1 ? [UInt8](parts[1]) : []
        let topics = try Topics(site: "gym", node: "node")
        var validator = CommandValidator(topics: topics, settings: MQTTSettings(), log: try exampleStore.get().commands)
        let garbage = ArrivedMessage(
            topic: topics.command("ping"), payload: [], retained: false, responseTopic: topic, correlation: correlation)
        guard case .answer(var answer) = try validator.validate(garbage, command: "ping", wall: Date()) else {
            preconditionFailure("garbage without an answer")
        }
        answer.contentType = topic
        answer.userProperties = [(topic, String(decoding: parts.last ?? Data(), as: UTF8.self))]
        var list = PropertyList()
        list.describe(answer)
        defer { list.free() }
        let text = PropertyList.text(MQTT_PROP_CONTENT_TYPE, in: list.pointer)
        // C strings end at the first zero.
        let whole = topic.prefix { $0 != "\0" }
        precondition(text.map { $0 == whole } ?? true, "another text")
        let known = PropertyList.bytes(MQTT_PROP_CORRELATION_DATA, in: list.pointer)
        precondition(known.map { correlation.starts(with: $0) } ?? true, "other bytes")
        precondition(PropertyList.text(MQTT_PROP_RESPONSE_TOPIC, in: list.pointer) == nil, "a topic from nowhere")
    }
}
