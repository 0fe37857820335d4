import Foundation
import TOMLKit

/// A TOML file: its tables, and where each key stands.
package struct TOMLDocument {
    /// The file, as it was named when it was opened.
    package let path: String
    private let table: TOMLTable
    private let locator: KeyLocator

    /// Reads the file at `path`.
    ///
    /// - Throws: ``ConfigurationError`` when it cannot be read or is no TOML.
    package init(path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            let reason = FileManager.default.fileExists(atPath: path) ? "permission denied" : "no such file"
            throw ConfigurationError.unreadable(path: path, reason: reason)
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw ConfigurationError.unreadable(path: path, reason: "it is not UTF-8 text")
        }
        try self.init(text, path: path)
    }

    private init(_ text: String, path: String) throws {
        // A byte-order mark and Windows line ends are harmless, so they are removed rather than refused.
        let text = text.replacing("\u{FEFF}", with: "").replacing("\r\n", with: "\n")
        try TOMLText.check(text, path: path)
        self.path = path
        locator = KeyLocator(text)
        do {
            table = try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            throw ConfigurationError.syntax(
                place: .init(path: path, line: error.source.begin.line, column: error.source.begin.column),
                reason: error.description)
        }
    }

    /// All values, named by dotted keys and sorted by key. Lists of tables are one value.
    package var values: [(name: String, value: ConfigurationValue)] { Self.flatten(table, prefix: "") }

    /// The tables of a list `[[kind]]`, each as its values; `nil` when the file has none.
    ///
    /// - Parameter whole: keys whose tables stay one value.
    /// - Throws: ``ConfigurationError/badValue(place:key:reason:)`` when `kind` is no list of tables.
    package func blocks(
        _ kind: String, whole: Set<String> = []
    ) throws -> [[(name: String, value: ConfigurationValue)]]? {
        guard let value = table[kind] else { return nil }
        guard let blocks = value.array else {
            throw ConfigurationError.badValue(
                place: place(of: kind), key: kind, reason: "must be written in double brackets: [[\(kind)]]")
        }
        return try blocks.enumerated().map { index, block in
            guard let table = block.table else {
                throw ConfigurationError.badValue(
                    place: place(of: "\(kind)[\(index)]"), key: kind, reason: "expects tables")
            }
            return Self.flatten(table, prefix: "", whole: whole)
        }
    }

    /// The position of a key, or of the nearest table around it.
    package func place(of name: String) -> ConfigurationError.Place { locator.place(of: name, in: path) }

    /// All values below a table, named by dotted keys and sorted by key; lists of tables stay whole, and so do the
    /// tables named in `whole`.
    private static func flatten(
        _ table: TOMLTable, prefix: String, whole: Set<String> = []
    ) -> [(name: String, value: ConfigurationValue)] {
        table.keys.sorted().flatMap { key -> [(name: String, value: ConfigurationValue)] in
            guard let value = table[key] else { return [] }
            if let inner = value.table, !whole.contains(key) {
                return inner.isEmpty ? [] : flatten(inner, prefix: prefix + key + ".")
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
    ///   ``ConfigurationError/badValue(place:key:reason:)``.
    package static func apply(
        _ value: ConfigurationValue, _ name: String, among keys: [Self], known: [String], to root: inout Root,
        _ place: ConfigurationError.Place
    ) throws {
        guard let key = keys.first(where: { $0.name == name }) else {
            throw ConfigurationError.unknownKey(
                place: place, key: name, nearest: NearestName.of(name, among: known))
        }
        do { try key.set(&root, value) } catch let refusal as SettingRefusal {
            throw ConfigurationError.badValue(place: place, key: name, reason: refusal.reason)
        }
    }
}
