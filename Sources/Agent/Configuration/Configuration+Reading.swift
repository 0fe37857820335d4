import Foundation
import TOMLKit

extension Configuration {
    /// Reads a configuration file, then the environment over it.
    ///
    /// - Parameter path: the file; `nil` for the defaults alone.
    /// - Throws: ``ConfigurationError``, the first thing that is wrong.
    public init(path: String?, environment: [String: String] = [:]) throws {
        self.init()
        if let path {
            guard let data = FileManager.default.contents(atPath: path) else {
                let reason = FileManager.default.fileExists(atPath: path) ? "permission denied" : "no such file"
                throw ConfigurationError.unreadable(path: path, reason: reason)
            }
            guard let text = String(validating: data, as: UTF8.self) else {
                throw ConfigurationError.unreadable(path: path, reason: "it is not UTF-8 text")
            }
            try read(text, path: path)
        }
        try read(environment)
    }

    private mutating func read(_ text: String, path: String) throws {
        // A byte-order mark and Windows line ends are harmless, so they are taken away rather than refused.
        let text = text.replacing("\u{FEFF}", with: "").replacing("\r\n", with: "\n")
        let file: TOMLTable
        do {
            file = try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            throw ConfigurationError.syntax(
                place: .init(path: path, line: error.source.begin.line, column: error.source.begin.column),
                reason: error.description)
        }
        let locator = KeyLocator(text)
        if let blocks = file["camera"] {
            cameras = try readCameras(blocks, path: path, locator: locator)
        }
        for (name, value) in Self.flatten(file, prefix: "") where name != "camera" {
            try Self.apply(value, name, Self.keys, to: &self) { locator.place(of: name, in: path) }
        }
    }

    private func readCameras(
        _ blocks: any TOMLValueConvertible, path: String, locator: KeyLocator
    ) throws -> [Camera] {
        guard let blocks = blocks.array else {
            throw ConfigurationError.badValue(
                place: locator.place(of: "camera", in: path), key: "camera",
                reason: "must be written in double brackets: [[camera]]")
        }
        var cameras: [Camera] = []
        for (index, block) in blocks.enumerated() {
            let here = "camera[\(index)]"
            guard let table = block.table else {
                throw ConfigurationError.badValue(
                    place: locator.place(of: here, in: path), key: "camera", reason: "expects tables")
            }
            var camera = Camera()
            for (name, value) in Self.flatten(table, prefix: "") {
                try Self.apply(value, "camera." + name, Self.cameraKeys, to: &camera) {
                    locator.place(of: here + "." + name, in: path)
                }
            }
            if cameras.contains(where: { $0.id == camera.id }) {
                throw ConfigurationError.duplicateCamera(
                    place: locator.place(of: here + ".id", in: path), id: camera.id)
            }
            cameras.append(camera)
        }
        return cameras
    }

    private mutating func read(_ environment: [String: String]) throws {
        for key in Self.keys {
            guard let text = environment[key.variable] else { continue }
            do { try key.set(&self, .text(text)) } catch let refusal as ConfigurationKey<Configuration>.Refusal {
                throw ConfigurationError.badVariable(name: key.variable, reason: refusal.reason)
            }
        }
        // One camera is the common case; its keys can come from the environment too.
        for key in Self.cameraKeys where !cameras.isEmpty {
            guard let text = environment[key.variable] else { continue }
            do { try key.set(&cameras[0], .text(text)) } catch let refusal as ConfigurationKey<Camera>.Refusal {
                throw ConfigurationError.badVariable(name: key.variable, reason: refusal.reason)
            }
        }
    }

    private static func apply<Root>(
        _ value: ConfigurationValue, _ name: String, _ keys: [ConfigurationKey<Root>], to root: inout Root,
        place: () -> ConfigurationError.Place
    ) throws {
        guard let key = keys.first(where: { $0.name == name }) else {
            throw ConfigurationError.unknownKey(
                place: place(), key: name, nearest: NearestName.of(name, among: keyNames))
        }
        do { try key.set(&root, value) } catch let refusal as ConfigurationKey<Root>.Refusal {
            throw ConfigurationError.badValue(place: place(), key: name, reason: refusal.reason)
        }
    }

    /// All values below a table by their dotted names, in the order of the names; lists of tables stay whole.
    private static func flatten(_ table: TOMLTable, prefix: String) -> [(String, ConfigurationValue)] {
        table.keys.sorted().flatMap { key -> [(String, ConfigurationValue)] in
            guard let value = table[key] else { return [] }
            if let inner = value.table {
                return inner.isEmpty ? [] : flatten(inner, prefix: prefix + key + ".")
            }
            return [(prefix + key, ConfigurationValue(value))]
        }
    }
}

extension ConfigurationValue {
    init(_ value: any TOMLValueConvertible) {
        switch value.type {
        case .string: self = value.string.map { .text($0) } ?? .other
        case .int: self = value.int.map { .integer($0) } ?? .other
        case .double: self = value.double.map { .number($0) } ?? .other
        case .bool: self = value.bool.map { .flag($0) } ?? .other
        case .array: self = Self.words(value.array)
        default: self = .other
        }
    }

    private static func words(_ array: TOMLArray?) -> ConfigurationValue {
        let items = array.map { array in array.map { $0.string } } ?? [nil]
        let words = items.compactMap { $0 }
        return words.count == items.count ? .words(words) : .other
    }
}
