import History
import Records

extension MQTTContract {
    /// The whole contract as one AsyncAPI 3.0 document, including the schemas.
    ///
    /// - Throws: `EncodingError`.
    public static func asyncAPI() throws -> String {
        let channels = messages.map { ($0.name, channel($0)) }
        let operations = messages.map { ($0.name, operation($0)) }
        let schemas = all.map { ($0.name, document($0.name, $0.schema)) }
        return try JSONText.encode(
            JSONValue.object([
                "asyncapi": "3.0.0",
                "info": [
                    "title": "Spotter node", "version": "1.0.0",
                    "description": """
                    What a Spotter node says and hears over MQTT. Unknown keys are to be ignored; \
                    a key is never removed or given another meaning within version 1.
                    """,
                ],
                "servers": [
                    "broker": ["host": "localhost:1883", "protocol": "mqtt", "description": "MQTT 5, or 3.1.1."]
                ],
                "defaultContentType": "application/json", "channels": .object(dictionary(channels)),
                "operations": .object(dictionary(operations)),
                "components": [
                    "schemas": .object(dictionary(schemas)),
                    "messages": .object(dictionary(messages.map { ($0.name, message($0)) })),
                ],
            ]))
    }

    private static func channel(_ message: Message) -> JSONValue {
        let words = message.topic.split(separator: "/").filter { $0.hasPrefix("{") }.map { $0.dropFirst().dropLast() }
        let parameters = (["site", "node"] + words).map { word -> (String, JSONValue) in
            (String(word), ["description": .text(meaning(of: String(word)))])
        }
        return [
            "address": .text("spotter/v1/{site}/{node}/\(message.topic)"), "description": .text(message.summary),
            "messages": .object([message.name: ["$ref": .text("#/components/messages/\(message.name)")]]),
            "parameters": .object(dictionary(parameters)),
        ]
    }

    /// AsyncAPI describes operations from the node's side.
    private static func operation(_ message: Message) -> JSONValue {
        var binding: [String: JSONValue] = [
            "qos": .integer(Int64(message.qos)), "retain": .bool(message.isRetained), "bindingVersion": "0.2.0",
        ]
        if let expiry = message.expirySeconds { binding["messageExpiryInterval"] = .integer(Int64(expiry)) }
        return [
            "action": message.isSubscribed ? "receive" : "send",
            "channel": ["$ref": .text("#/channels/\(message.name)")],
            "bindings": ["mqtt": .object(binding)],
        ]
    }

    private static func message(_ message: Message) -> JSONValue {
        let contentType =
            switch message.name {
            case "cam_preview": "image/jpeg"
            case "cam_enabled", "cam_enabled_set": "text/plain"
            default: "application/json"
            }
        return [
            "name": .text(message.name), "summary": .text(message.summary),
            "contentType": .text(contentType),
            "payload": ["$ref": .text("#/components/schemas/\(message.name)")],
        ]
    }

    private static func meaning(of word: String) -> String {
        switch word {
        case "site": "The gym's id."
        case "node": "The node's id, unique everywhere."
        case "camera": "A camera's id."
        case "consumer": "The name of a receiver that acknowledges records."
        default: "One of: \(CommandName.allCases.map(\.rawValue).joined(separator: ", "))."
        }
    }

    private static func dictionary(_ pairs: [(String, JSONValue)]) -> [String: JSONValue] {
        Dictionary(pairs, uniquingKeysWith: { $1 })
    }
}
