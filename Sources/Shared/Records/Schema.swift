/// The part of JSON Schema (draft 2020-12) that the contract needs.
package indirect enum Schema: Sendable {
    /// - Parameters:
    ///   - words: the words that there are. A newer node may have more of them, so a receiver takes any.
    ///   - limit: the longest that is stored; `nil` for what is never stored.
    case text(pattern: String? = nil, words: [String]? = nil, example: String? = nil, limit: TextLimit? = nil)
    /// An id as it is used in topics.
    case id
    /// A time stamp as RFC 3339 has it, with milliseconds, in UTC.
    case moment
    /// A JPEG image instead of JSON.
    case jpeg
    case uuid
    case flag
    case integer(minimum: Int64? = nil, maximum: Int64? = nil)
    case number(minimum: Double? = nil, maximum: Double? = nil)
    case constant(JSONValue)
    case list(Schema, count: Int? = nil)
    /// Any keys, with values of one kind.
    case map(Schema)
    /// Any JSON object.
    case anything
    /// Fields by name, required or optional. Unknown keys are allowed: receivers ignore them.
    case object([(name: String, field: Field)])
    case oneOf([Schema])
    /// A part that a description of an API shows once, by its name.
    case named(String, Schema)

    /// One field of an object.
    package struct Field: Sendable {
        /// The values it takes.
        package let schema: Schema
        /// Whether every object has it.
        package var isRequired = true
        /// What it means, where the name does not say it.
        package var description: String?

        /// A field that every object has.
        package static func required(_ schema: Schema, _ description: String? = nil) -> Field {
            Field(schema: schema, description: description)
        }

        /// A field that may be absent.
        package static func optional(_ schema: Schema, _ description: String? = nil) -> Field {
            Field(schema: schema, isRequired: false, description: description)
        }
    }

    /// A number from 0 to 1.
    package static let share = Schema.number(minimum: 0, maximum: 1)
    /// A whole number from 0.
    package static let count = Schema.integer(minimum: 0)
    /// A whole number from 0 that receivers store in 32 bits: frames, repetitions.
    package static let tally = Schema.integer(minimum: 0, maximum: Int64(Int32.max))
    /// A position in a record log. Receivers store ranges of them, which end one after the last.
    package static let position = Schema.integer(minimum: 1, maximum: .max - 2)
    /// A time in seconds, up to three years.
    package static let seconds = Schema.number(minimum: 0, maximum: 1e8)
    /// A score from 0 to 100.
    package static let score = Schema.integer(minimum: 0, maximum: 100)
    /// Any text.
    package static let words = Schema.text()
    /// A model's name and the start of its digest, as it is stored.
    package static let model = Schema.text(limit: .model)
    /// Frames a second.
    package static let rate = Schema.number(minimum: 0, maximum: 10_000)
    /// What was measured of a body: degrees, shares, seconds.
    package static let measure = Schema.number(minimum: -1e8, maximum: 1e8)
    /// The name of a plan.
    package static let title = Schema.text(limit: .title)
    /// A name that a person typed.
    package static let name = Schema.text(limit: .name)
    /// A label, a reason and the like, as it is stored.
    package static let word = Schema.text(limit: .word)

    /// The schema as JSON.
    package var json: JSONValue { json(nil) }

    /// The same, where parts with a name are shown in `components` only, and referred to.
    package final class Components {
        /// The parts by name.
        package fileprivate(set) var schemas: [String: JSONValue] = [:]

        /// No parts.
        package init() {}
    }

    /// The schema as JSON.
    ///
    /// - Parameter components: gets the parts with a name; `nil` shows them where they stand.
    package func json(_ components: Components?) -> JSONValue {
        switch self {
        case .text(let pattern, let words, let example, let limit):
            return Self.joined([
                "type": "string", "pattern": pattern.map { .text($0) },
                "enum": words.map { .list($0.map { .text($0) }) }, "examples": example.map { [.text($0)] },
                // A character has at least one byte.
                "minLength": limit.map { _ in 1 }, "maxLength": limit.map { .integer(Int64($0.bytes)) },
            ])
        case .id: return ["type": "string", "pattern": "^[a-z0-9][a-z0-9_-]{0,62}$", "examples": ["rack1"]]
        // The API writes times in the time zone that is asked for.
        case .moment where components != nil: return ["type": "string", "format": "date-time"]
        case .moment: return ["type": "string", "pattern": #"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"#]
        case .jpeg: return ["type": "string", "contentMediaType": "image/jpeg"]
        case .uuid: return ["type": "string", "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"]
        case .flag: return ["type": "boolean"]
        case .integer(let minimum, let maximum):
            return Self.joined([
                "type": "integer", "minimum": minimum.map { .integer($0) }, "maximum": maximum.map { .integer($0) },
            ])
        case .number(let minimum, let maximum):
            return Self.joined([
                "type": "number", "minimum": minimum.map { .number($0) }, "maximum": maximum.map { .number($0) },
            ])
        case .constant(let value): return ["const": value]
        case .list(let item, let count):
            let bound = count.map { JSONValue.integer(Int64($0)) }
            return Self.joined(["type": "array", "items": item.json(components), "minItems": bound, "maxItems": bound])
        case .map(let value): return ["type": "object", "additionalProperties": value.json(components)]
        case .anything: return ["type": "object"]
        case .object(let fields): return Self.object(fields, components)
        case .oneOf(let choices): return ["oneOf": .list(choices.map { $0.json(components) })]
        case .named(let name, let schema):
            guard let components else { return schema.json }
            if components.schemas[name] == nil { components.schemas[name] = schema.json(components) }
            return ["$ref": .text("#/components/schemas/\(name)")]
        }
    }

    /// An object with further fields.
    package func adding(_ more: [(name: String, field: Field)]) -> Schema {
        guard case .object(let fields) = self else { return self }
        return .object(fields + more)
    }

    private static func object(_ fields: [(name: String, field: Field)], _ components: Components?) -> JSONValue {
        let properties = fields.map { name, field -> (String, JSONValue) in
            let json = field.schema.json(components)
            guard let text = field.description, var fields = json.object else { return (name, json) }
            fields["description"] = .text(text)
            return (name, .object(fields))
        }
        let required = fields.filter(\.field.isRequired).map { JSONValue.text($0.name) }
        return [
            "type": "object", "properties": .object(Dictionary(properties, uniquingKeysWith: { $1 })),
            "required": .list(required),
        ]
    }

    private static func joined(_ fields: [String: JSONValue?]) -> JSONValue { .object(fields.compactMapValues { $0 }) }
}
