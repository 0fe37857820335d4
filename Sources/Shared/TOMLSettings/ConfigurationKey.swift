import Records

/// What settings belong to.
package protocol ConfigurationRoot: Sendable {
    /// How the environment variables of its keys begin.
    static var variablePrefix: String { get }
}

/// One setting: its name in `config.toml`, and how its value is read and written.
package struct ConfigurationKey<Root: ConfigurationRoot>: Sendable {
    /// The dotted name, such as `mqtt.host`.
    package let name: String
    /// Stores a value in the configuration.
    ///
    /// - Throws: ``SettingRefusal`` that says what was expected.
    package let set: @Sendable (inout Root, ConfigurationValue) throws -> Void
    /// The current value, written as in the file.
    package let text: @Sendable (Root) -> String
    /// The allowed values as JSON Schema, without the default.
    package let schema: [String: JSONValue]

    /// A setting that is read and written by these functions.
    package init(
        name: String, set: @escaping @Sendable (inout Root, ConfigurationValue) throws -> Void,
        text: @escaping @Sendable (Root) -> String, schema: [String: JSONValue]
    ) {
        self.name = name
        self.set = set
        self.text = text
        self.schema = schema
    }

    /// The environment variable that overrides the key, such as `SPOTTER_MQTT_HOST`.
    package var variable: String { Root.variablePrefix + name.uppercased().replacing(".", with: "_") }

    /// A key path to the stored value.
    package typealias Path<Value> = WritableKeyPath<Root, Value> & Sendable

    /// A setting of some kind.
    package init<Value>(_ name: String, _ path: any Path<Value>, _ kind: SettingKind<Value>) {
        self.init(
            name: name, set: { root, value in root[keyPath: path] = try kind.read(value) },
            text: { kind.text($0[keyPath: path]) }, schema: kind.schema)
    }

    /// A setting of some kind that is `nil` where the file has none.
    package init<Value>(_ name: String, optional path: any Path<Value?>, _ kind: SettingKind<Value>) {
        self.init(
            name: name, set: { root, value in root[keyPath: path] = try kind.read(value) },
            text: { $0[keyPath: path].map(kind.text) ?? "" }, schema: kind.schema)
    }
}

/// Why the value of a setting is refused.
package struct SettingRefusal: Error {
    /// What was expected.
    package let reason: String

    /// A refusal for this reason.
    package init(reason: String) { self.reason = reason }
}
