import CommandLineProgram
import Broker
import ArgumentParser
import Foundation
import Messaging
import Records

/// Prints the MQTT contract, from which `deploy/contract` is generated.
struct ContractCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contract",
        abstract: "Prints the MQTT contract: topics, JSON Schemas, AsyncAPI.",
        discussion: """
            EXAMPLES
              spotter contract                          every topic with its rules
              spotter contract schema cam_state         the JSON Schema of one payload
              spotter contract schemas --output schemas/
              spotter contract asyncapi > asyncapi.json
            """,
        subcommands: [Topics.self, OneSchema.self, AllSchemas.self, AsyncAPI.self], defaultSubcommand: Topics.self)

    struct Topics: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Every topic with its rules.")

        @Flag(help: "Print a JSON list instead of a table.")
        var json = false

        func run() throws {
            if json { return try JSON.print(MQTTContract.messages.map(Row.init)) }
            var table = Table(["TOPIC", "NODE", "QOS", "RETAINED", "EXPIRES", "SCHEMA", "WHAT"], rightAligned: [2])
            for message in MQTTContract.messages {
                table.add([
                    message.topic, message.isSubscribed ? "receives" : "publishes", String(message.qos),
                    message.isRetained ? "yes" : "no", message.expirySeconds.map { "\($0) s" } ?? "-", message.name,
                    message.summary,
                ])
            }
            Output.line("Topics are relative to <prefix>/v1/<site>/<node>/.")
            table.print()
        }
    }

    struct OneSchema: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "schema", abstract: "The JSON Schema of one payload.")

        @Argument(help: "The payload's name, as in `spotter contract`.")
        var name: String

        func run() throws {
            let schemas = try MQTTContract.schemas()
            guard let schema = schemas.first(where: { $0.name == name }) else {
                let known = schemas.map(\.name).joined(separator: ", ")
                throw ValidationError("There is no payload '\(name)'. Known: \(known).")
            }
            Output.line(try pretty(schema.text))
        }
    }

    struct AllSchemas: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "schemas", abstract: "Writes every schema and the AsyncAPI document into a folder.")

        @Option(name: .shortAndLong, help: ArgumentHelp("The folder.", valueName: "folder"))
        var output: String

        func run() throws {
            let folder = URL(filePath: output)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (name, text) in try MQTTContract.schemas() {
                try write(text, to: folder.appending(path: "\(name).schema.json"))
            }
            try write(try MQTTContract.asyncAPI(), to: folder.appending(path: "asyncapi.json"))
        }

        private func write(_ text: String, to file: URL) throws {
            try Data((try pretty(text) + "\n").utf8).write(to: file)
        }
    }

    struct AsyncAPI: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "asyncapi", abstract: "The whole contract as an AsyncAPI 3.0 document.")

        func run() throws { Output.line(try pretty(MQTTContract.asyncAPI())) }
    }

    private struct Row: Encodable {
        let topic: String
        let direction: String
        let qos: Int
        let retain: Bool
        let expiry: Int?
        let schema: String
        let summary: String

        init(_ message: MQTTContract.Message) {
            topic = message.topic
            direction = message.isSubscribed ? "in" : "out"
            qos = message.qos
            retain = message.isRetained
            expiry = message.expirySeconds
            schema = message.name
            summary = message.summary
        }

        enum CodingKeys: String, CodingKey {
            case topic, direction, qos, retain, schema, summary
            case expiry = "expiry_s"
        }
    }
}

/// The same JSON with indentation and sorted keys.
private func pretty(_ text: String) throws -> String {
    let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
}
