import Foundation
import Records
import Testing

/// The names that the page Releases promises to keep, one a line, such as `mqtt health.uptime_s integer`.
enum PublicNames {
    private static let json = JSONDecoder()

    /// The names of this program, of its page and of the sink.
    ///
    /// - Parameter configuration: a file with every key.
    static func all(of page: AttackedPage, configuration: String) throws -> Set<String> {
        var names = try messages(in: Program.root.appending(path: "deploy/contract")).union(metrics()).union(views())
        try names.formUnion(api(json.decode(JSONValue.self, from: Data(page.get("/api/v1/openapi.json").body.utf8))))
        let help = try Program.run("--experimental-dump-help").output
        names.formUnion(try commands(#require(json.decode(JSONValue.self, from: Data(help.utf8))["command"])))
        let settings = try Program.run("config", "show", "--json", "--config", configuration).output
        for setting in try json.decode(JSONValue.self, from: Data(settings.utf8)).items {
            // The number of a table is no part of its keys.
            setting["key"]?.text.map { _ = names.insert("config " + $0.replacing(/\[\d+\]/, with: "[]")) }
        }
        return names
    }

    private static func messages(in folder: URL) throws -> Set<String> {
        var names: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        where file.lastPathComponent.hasSuffix(".schema.json") {
            let schema = try json.decode(JSONValue.self, from: Data(contentsOf: file))
            gather(schema, at: "mqtt " + file.lastPathComponent.dropLast(12), into: &names)
        }
        return names
    }

    private static func api(_ description: JSONValue) -> Set<String> {
        var names: Set<String> = []
        for (path, methods) in description["paths"]?.object ?? [:] {
            for (method, operation) in methods.object ?? [:] {
                let address = "api \(method.uppercased()) \(path)"
                names.insert("\(address) \(operation["x-role"]?.text ?? "-")")
                for (_, response) in operation["responses"]?.object ?? [:] {
                    let schema = response["content"]?["application/json"]?["schema"]
                    schema.map { gather($0, at: address + " ", into: &names) }
                }
            }
        }
        for (name, schema) in description["components"]?["schemas"]?.object ?? [:] {
            gather(schema, at: "api " + name, into: &names)
        }
        return names
    }

    /// A command, its arguments and its subcommands.
    private static func commands(_ command: JSONValue, below parent: String = "command") -> Set<String> {
        let path = "\(parent) \(command["commandName"]?.text ?? "?")"
        var names: Set = [path]
        for argument in command["arguments"]?.items ?? [] where argument["shouldDisplay"]?.bool == true {
            let texts = (argument["names"]?.items ?? []).compactMap { $0["name"]?.text }
            // Every command has these.
            guard !texts.contains("help"), !texts.contains("version") else { continue }
            for text in texts { names.insert("\(path) \(text.count == 1 ? "-" : "--")\(text)") }
        }
        return (command["subcommands"]?.items ?? []).reduce(into: names) { $0.formUnion(commands($1, below: path)) }
    }

    private static func metrics() throws -> Set<String> {
        let node = try source("Sources/Node/Agent/Metrics/NodeMetrics.swift").matches(of: /"(spotter_\w+)"/)
        let sink = try source("Sources/Sink/Sink/Running/SinkMetrics.swift").matches(of: /name\("(\w+)"\)/)
        return Set(node.map { "metric \($0.1)" } + sink.map { "metric spotter_sink_\($0.1)" })
    }

    /// The views of a fleet's database, and their columns: each has a comment.
    private static func views() throws -> Set<String> {
        let sql = try ["views", "node_views"].map { try source("Sources/Sink/Sink/Schema/\($0).sql") }.joined()
        return Set(sql.matches(of: /COMMENT ON (?:VIEW|COLUMN) (spotter\.[\w.]+)/).map { "view \($0.1)" })
    }

    private static func source(_ path: String) throws -> String {
        try String(contentsOf: Program.root.appending(path: path), encoding: .utf8)
    }

    private static func gather(_ schema: JSONValue, at path: String, into names: inout Set<String>) {
        for (key, part) in schema["properties"]?.object ?? [:] {
            names.insert("\(path).\(key) \(type(of: part))")
            gather(part, at: "\(path).\(key)", into: &names)
        }
        if let items = schema["items"] { gather(items, at: path + "[]", into: &names) }
        for key in ["oneOf", "anyOf", "allOf"] {
            guard case .list(let parts)? = schema[key] else { continue }
            for part in parts { gather(part, at: path, into: &names) }
        }
        if let others = schema["additionalProperties"], others.object != nil {
            gather(others, at: path + ".*", into: &names)
        }
    }

    private static func type(of schema: JSONValue) -> String {
        switch schema["type"] {
        case .text(let name)?: name
        case .list(let names)?: names.compactMap(\.text).sorted().joined(separator: "|")
        default: "-"
        }
    }
}

extension JSONValue {
    fileprivate var items: [JSONValue] { if case .list(let items) = self { items } else { [] } }
}
