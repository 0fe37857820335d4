import Foundation
import Records

/// The keys of all MQTT messages with their types, as in `health.outbox.waiting integer`, from their schemas.
enum MessageKeys {
    /// The keys of the schemas in a folder.
    static func all(in folder: URL) throws -> Set<String> {
        var keys: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        where file.lastPathComponent.hasSuffix(".schema.json") {
            let schema = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: file))
            gather(schema, at: String(file.lastPathComponent.dropLast(12)), into: &keys)
        }
        return keys
    }

    private static func gather(_ schema: JSONValue, at path: String, into keys: inout Set<String>) {
        for (key, part) in schema["properties"]?.object ?? [:] {
            keys.insert("\(path).\(key) \(type(of: part))")
            gather(part, at: "\(path).\(key)", into: &keys)
        }
        if let items = schema["items"] { gather(items, at: path + "[]", into: &keys) }
        for key in ["oneOf", "anyOf", "allOf"] {
            guard case .list(let parts)? = schema[key] else { continue }
            for part in parts { gather(part, at: path, into: &keys) }
        }
        if let others = schema["additionalProperties"], others.object != nil {
            gather(others, at: path + ".*", into: &keys)
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
