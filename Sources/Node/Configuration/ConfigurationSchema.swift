import TOMLSettings
import Foundation
import Records

extension Configuration {
    /// JSON Schema (2020-12) of `config.toml`, for editors and for programs that write the file.
    public static var schema: JSONValue {
        var tables: [String: [String: JSONValue]] = [:]
        for key in keys { add(key, of: Configuration(), to: &tables) }
        var camera: [String: [String: JSONValue]] = [:]
        for key in cameraKeys { add(key, of: Camera(), to: &camera) }
        var properties = tables.mapValues(table)
        var areas: [String: [String: JSONValue]] = [:]
        for key in zoneKeys + maskKeys { add(key, of: Area(), to: &areas) }
        for kind in ["zone", "mask"] {
            let names = (areas[kind] ?? [:]).mapValues { key in
                JSONValue.object((key.object ?? [:]).filter { $0.key != "default" })
            }
            var block = table(names).object ?? [:]
            block["required"] = .list(names.keys.sorted().map { .text($0) })
            properties[kind] = ["type": "array", "maxItems": .integer(Int64(maximumAreas)), "items": .object(block)]
        }
        var shares: [String: [String: JSONValue]] = [:]
        for key in shareKeys { add(key, of: Share(), to: &shares) }
        var alerts: [String: [String: JSONValue]] = [:]
        for key in alertKeys { add(key, of: Alert(), to: &alerts) }
        for (kind, keys) in [("share", shares), ("alert", alerts)] {
            var block = table(keys[kind] ?? [:]).object ?? [:]
            block["required"] = ["name"]
            properties[kind] = [
                "type": "array", "maxItems": .integer(Int64(maximumRecipients)), "items": .object(block),
            ]
        }
        properties["camera"] = ["type": "array", "items": table(camera["camera"] ?? [:])]
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "config.toml of Spotter",
            "type": "object", "additionalProperties": false, "properties": .object(properties),
        ]
    }

    private static func table(_ properties: [String: JSONValue]) -> JSONValue {
        ["type": "object", "additionalProperties": false, "properties": .object(properties)]
    }

    private static func add<Root>(
        _ key: ConfigurationKey<Root>, of defaults: Root, to tables: inout [String: [String: JSONValue]]
    ) {
        let names = key.name.split(separator: ".", maxSplits: 1).map(String.init)
        var schema = key.schema
        // These values are written in TOML as in JSON.
        schema["default"] = try? JSONDecoder().decode(JSONValue.self, from: Data(key.text(defaults).utf8))
        tables[names[0], default: [:]][names[1]] = .object(schema)
    }
}
