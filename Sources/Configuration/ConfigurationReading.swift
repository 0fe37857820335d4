import Foundation
import TOMLKit

/// Reads the configuration layer by layer and records where each value came from.
///
/// The layers are the defaults, the file, the files of the folder `conf.d` beside it in the order of their names, and
/// the environment. `[[camera]]`, `[[zone]]` and `[[mask]]` blocks of a file replace those of earlier files.
public struct ConfigurationReading: Sendable {
    /// The result of all layers.
    public private(set) var configuration = Configuration()
    /// The origin of each value, by key (`mqtt.host`, `camera[0].source`). Defaults are not listed.
    public private(set) var origins: [String: Origin] = [:]

    /// Where a value was set.
    public enum Origin: Equatable, Sendable, CustomStringConvertible {
        /// A line of a configuration file.
        case file(ConfigurationError.Place)
        /// An environment variable, by name.
        case variable(String)

        public var description: String {
            switch self {
            case .file(let place): "\(place.path):\(place.line)"
            case .variable(let name): name
            }
        }
    }

    /// - Parameter path: the file; `nil` uses the defaults and the environment alone.
    /// - Throws: ``ConfigurationError`` for the first error found.
    public init(path: String?, environment: [String: String] = [:]) throws {
        for file in try path.map(Self.files) ?? [] { try read(file) }
        try read(environment)
    }

    /// The file, then its overrides in `conf.d`.
    private static func files(_ path: String) throws -> [String] {
        let folder = URL(filePath: path).deletingLastPathComponent().appending(path: "conf.d").path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            return [path]
        }
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            return [path]
                + names.filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }.sorted().map { folder + "/" + $0 }
                .filter { !isDanglingLink($0) }
        } catch {
            throw ConfigurationError.unreadable(path: folder, reason: "the folder cannot be listed")
        }
    }

    /// Whether a link leads to nothing that this user can read. The package has a link to the zones that the page draws.
    /// They do not exist at first, and lie where only the service may read.
    private static func isDanglingLink(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return false }
        return access(path, R_OK) != 0
    }

    private mutating func read(_ path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            let reason = FileManager.default.fileExists(atPath: path) ? "permission denied" : "no such file"
            throw ConfigurationError.unreadable(path: path, reason: reason)
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw ConfigurationError.unreadable(path: path, reason: "it is not UTF-8 text")
        }
        try read(text, path: path)
    }

    private mutating func read(_ text: String, path: String) throws {
        // A byte-order mark and Windows line ends are harmless, so they are removed rather than refused.
        let text = text.replacing("\u{FEFF}", with: "").replacing("\r\n", with: "\n")
        try TOMLText.check(text, path: path)
        let file: TOMLTable
        do {
            file = try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            throw ConfigurationError.syntax(
                place: .init(path: path, line: error.source.begin.line, column: error.source.begin.column),
                reason: error.description)
        }
        let locator = KeyLocator(text)
        try readCameras(file, path: path, locator: locator)
        try readAreas(file, path: path, locator: locator)
        for (name, value) in Self.flatten(file, prefix: "") where !Self.blockNames.contains(name) {
            let place = locator.place(of: name, in: path)
            try Self.apply(value, name, Configuration.keys, to: &configuration, place)
            origins[name] = .file(place)
        }
    }

    /// The lists of tables.
    private static let blockNames: Set<String> = ["camera", "zone", "mask"]

    private mutating func readCameras(_ file: TOMLTable, path: String, locator: KeyLocator) throws {
        let blocks = try readBlocks(
            "camera", file, Configuration.Camera(), Configuration.cameraKeys, path: path, locator: locator)
        guard let cameras = blocks else { return }
        for (index, camera) in cameras.enumerated() where cameras[..<index].contains(where: { $0.id == camera.id }) {
            throw ConfigurationError.duplicateCamera(
                place: locator.place(of: "camera[\(index)].id", in: path), id: camera.id)
        }
        configuration.cameras = cameras
    }

    private mutating func readAreas(_ file: TOMLTable, path: String, locator: KeyLocator) throws {
        let kinds = [
            ("zone", Configuration.zoneKeys, \Configuration.zones), ("mask", Configuration.maskKeys, \.masks),
        ]
        for (kind, keys, list) in kinds {
            guard
                let areas = try readBlocks(kind, file, Configuration.Area(), keys, path: path, locator: locator)
            else { continue }
            for (index, area) in areas.enumerated() {
                let refuse = { (reason: String) in
                    let place = locator.place(of: "\(kind)[\(index)]", in: path)
                    return ConfigurationError.badValue(place: place, key: "[[\(kind)]]", reason: reason)
                }
                if area.camera.isEmpty { throw refuse("needs a camera, such as camera = \"rack-1\"") }
                if area.corners.isEmpty { throw refuse("needs corners") }
                if kind == "zone", area.name.isEmpty { throw refuse("needs a name, such as name = \"mat\"") }
                if kind == "zone", areas[..<index].contains(where: { ($0.camera, $0.name) == (area.camera, area.name) })
                {
                    throw refuse("is the second \"\(area.name)\" of \(area.camera); give each zone its own name")
                }
                if index == Configuration.maximumAreas {
                    throw refuse("is one too many: \(Configuration.maximumAreas) are the limit")
                }
            }
            configuration[keyPath: list] = areas
        }
    }

    /// The blocks `[[kind]]` of a file, which replace those of earlier files; `nil` when the file has none.
    private mutating func readBlocks<Block>(
        _ kind: String, _ file: TOMLTable, _ standard: Block, _ keys: [ConfigurationKey<Block>], path: String,
        locator: KeyLocator
    ) throws -> [Block]? {
        guard let value = file[kind] else { return nil }
        guard let blocks = value.array else {
            throw ConfigurationError.badValue(
                place: locator.place(of: kind, in: path), key: kind,
                reason: "must be written in double brackets: [[\(kind)]]")
        }
        for name in origins.keys where name.hasPrefix(kind + "[") { origins[name] = nil }
        return try blocks.enumerated().map { index, block in
            let here = "\(kind)[\(index)]"
            guard let table = block.table else {
                throw ConfigurationError.badValue(
                    place: locator.place(of: here, in: path), key: kind, reason: "expects tables")
            }
            var result = standard
            for (name, value) in Self.flatten(table, prefix: "", whole: ["controls"]) {
                let place = locator.place(of: here + "." + name, in: path)
                try Self.apply(value, "\(kind)." + name, keys, to: &result, place)
                origins[here + "." + name] = .file(place)
            }
            return result
        }
    }

    private mutating func read(_ environment: [String: String]) throws {
        for key in Configuration.keys {
            guard let text = environment[key.variable] else { continue }
            try Self.apply(text, key, to: &configuration)
            origins[key.name] = .variable(key.variable)
        }
        // One camera is the common case, so the environment can set its keys too.
        for key in Configuration.cameraKeys where !configuration.cameras.isEmpty {
            guard let text = environment[key.variable] else { continue }
            try Self.apply(text, key, to: &configuration.cameras[0])
            origins[key.name.replacing("camera.", with: "camera[0].")] = .variable(key.variable)
        }
    }

    private static func apply<Root>(_ text: String, _ key: ConfigurationKey<Root>, to root: inout Root) throws {
        do { try key.set(&root, .text(text)) } catch let refusal as ConfigurationKey<Root>.Refusal {
            throw ConfigurationError.badVariable(name: key.variable, reason: refusal.reason)
        }
    }

    private static func apply<Root>(
        _ value: ConfigurationValue, _ name: String, _ keys: [ConfigurationKey<Root>], to root: inout Root,
        _ place: ConfigurationError.Place
    ) throws {
        guard let key = keys.first(where: { $0.name == name }) else {
            throw ConfigurationError.unknownKey(
                place: place, key: name, nearest: NearestName.of(name, among: Configuration.keyNames))
        }
        do { try key.set(&root, value) } catch let refusal as ConfigurationKey<Root>.Refusal {
            throw ConfigurationError.badValue(place: place, key: name, reason: refusal.reason)
        }
    }

    /// All values below a table, named by dotted keys and sorted by key; lists of tables stay whole, and so do the tables
    /// named in `whole`.
    private static func flatten(
        _ table: TOMLTable, prefix: String, whole: Set<String> = []
    ) -> [(String, ConfigurationValue)] {
        table.keys.sorted().flatMap { key -> [(String, ConfigurationValue)] in
            guard let value = table[key] else { return [] }
            if let inner = value.table, !whole.contains(key) {
                return inner.isEmpty ? [] : flatten(inner, prefix: prefix + key + ".")
            }
            return [(prefix + key, ConfigurationValue(value))]
        }
    }
}

extension Configuration {
    /// Reads a configuration file and its overrides, then applies the environment.
    ///
    /// - Parameter path: the file; `nil` uses the defaults and the environment alone.
    /// - Throws: ``ConfigurationError`` for the first error found.
    public init(path: String?, environment: [String: String] = [:]) throws {
        self = try ConfigurationReading(path: path, environment: environment).configuration
    }
}
