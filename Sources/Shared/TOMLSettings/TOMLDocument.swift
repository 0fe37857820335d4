import Foundation

/// A TOML file: its tables, and where each key stands.
package struct TOMLDocument {
    /// The file, as it was named when it was opened.
    package let path: String
    private let root: TOMLValue
    private var places: [String: TOMLValue.Place] = [:]
    /// Larger files are no settings.
    private static let maximumBytes = 4 << 20

    /// Reads the file at `path`.
    ///
    /// - Throws: ``ConfigurationError`` when it cannot be read or is no TOML.
    package init(path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            var isFolder = ObjCBool(false)
            let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            let reason = isFolder.boolValue ? "it is a folder" : exists ? "permission denied" : "no such file"
            throw ConfigurationError.unreadable(path: path, reason: reason)
        }
        guard data.count <= Self.maximumBytes else {
            throw ConfigurationError.unreadable(path: path, reason: "it is larger than \(Self.maximumBytes >> 20) MB")
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw ConfigurationError.unreadable(path: path, reason: "it is not UTF-8 text")
        }
        self.path = path
        do {
            root = try TOMLText.parse(text)
        } catch {
            let place = ConfigurationError.Place(
                path: path, line: error.place?.line ?? 1, column: error.place?.column ?? 1)
            let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
            let line = lines.indices.contains(place.line - 1) ? String(lines[place.line - 1]) : ""
            throw ConfigurationError.syntax(place: place, reason: TOMLFault.plain(error.reason, line: line))
        }
        note(root, "")
    }

    private mutating func note(_ value: TOMLValue, _ name: String) {
        if value.place.line > 0, !name.isEmpty { places[name] = value.place }
        for (key, inner) in value.table ?? [] { note(inner, name.isEmpty ? key : name + "." + key) }
        for (index, item) in (value.list ?? []).enumerated() { note(item, "\(name)[\(index)]") }
    }

    /// All values, named by dotted keys and sorted by key. Lists of tables are one value.
    package var values: [(name: String, value: ConfigurationValue)] { values(whole: []) }

    /// The same; the tables of these dotted keys stay one value.
    package func values(whole: Set<String>) -> [(name: String, value: ConfigurationValue)] {
        Self.flatten(root, prefix: "", whole: whole)
    }

    /// The tables of a list `[[kind]]`, each as its values; `nil` when the file has none.
    ///
    /// - Parameter whole: keys whose tables stay one value.
    /// - Throws: ``ConfigurationError/badValue(place:key:reason:)`` when `kind` is no list of tables.
    package func blocks(
        _ kind: String, whole: Set<String> = []
    ) throws -> [[(name: String, value: ConfigurationValue)]]? {
        guard let value = root.table?.first(where: { $0.key == kind })?.value else { return nil }
        guard let blocks = value.list else {
            throw ConfigurationError.badValue(
                place: place(of: kind), key: kind, reason: "must be written in double brackets: [[\(kind)]]")
        }
        return try blocks.enumerated().map { index, block in
            guard block.table != nil else {
                throw ConfigurationError.badValue(
                    place: place(of: "\(kind)[\(index)]"), key: kind, reason: "expects tables")
            }
            return Self.flatten(block, prefix: "", whole: whole)
        }
    }

    /// Whether the file has a table of this name, which may be empty.
    package func hasTable(_ name: String) -> Bool {
        root.table?.contains { $0.key == name && $0.value.table != nil } ?? false
    }

    /// The position of a key, or of the nearest table around it.
    package func place(of name: String) -> ConfigurationError.Place {
        var name = Substring(name)
        while true {
            if let place = places[String(name)] { return .init(path: path, line: place.line, column: place.column) }
            guard let end = name.lastIndex(where: { $0 == "." || $0 == "[" }) else {
                return .init(path: path, line: 1, column: 1)
            }
            name = name[..<end]
        }
    }

    /// All values below a table, named by dotted keys and sorted by key; lists of tables stay whole, and so do the
    /// tables named in `whole`.
    private static func flatten(
        _ value: TOMLValue, prefix: String, whole: Set<String> = []
    ) -> [(name: String, value: ConfigurationValue)] {
        (value.table ?? []).flatMap { key, value -> [(name: String, value: ConfigurationValue)] in
            if value.table != nil, !whole.contains(prefix + key) {
                return flatten(value, prefix: prefix + key + ".", whole: whole)
            }
            return [(prefix + key, ConfigurationValue(value))]
        }
    }
}

extension ConfigurationKey {
    /// Stores the value that an environment variable has.
    ///
    /// - Throws: ``ConfigurationError/badVariable(name:reason:)``.
    package func apply(variable text: String, to root: inout Root) throws {
        do { try set(&root, .text(text)) } catch let refusal as SettingRefusal {
            throw ConfigurationError.badVariable(name: variable, reason: refusal.reason)
        }
    }

    /// Stores the value that a file gives the key `name`.
    ///
    /// - Parameter known: all names that the file may hold, to guess what a mistyped one was meant to be.
    /// - Throws: ``ConfigurationError/unknownKey(place:key:nearest:)``,
    ///   ``ConfigurationError/badValue(place:key:reason:)``, also where it has keys of its own.
    package static func apply(
        _ value: ConfigurationValue, _ name: String, among keys: [Self], known: [String], to root: inout Root,
        _ place: ConfigurationError.Place
    ) throws {
        guard let key = keys.first(where: { $0.name == name }) else {
            if known.contains(where: { $0.hasPrefix(name + ".") }) {
                throw ConfigurationError.badValue(
                    place: place, key: name, reason: "is a table: write [\(name)] once, and its keys below it")
            }
            throw ConfigurationError.unknownKey(
                place: place, key: name, nearest: NearestName.of(name, among: known))
        }
        do { try key.set(&root, value) } catch let refusal as SettingRefusal {
            throw ConfigurationError.badValue(place: place, key: name, reason: refusal.reason)
        }
    }
}
