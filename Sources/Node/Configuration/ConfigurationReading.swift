import Foundation
import TOMLSettings

/// Reads the configuration layer by layer and records where each value came from.
///
/// The layers are the defaults, the file, the files of the folder `conf.d` beside it in the order of their names, and
/// the environment. `[[camera]]`, `[[zone]]`, `[[mask]]`, `[[share]]` and `[[alert]]` blocks of a file replace those of
/// earlier files.
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

    /// The errors found where all of them are wanted.
    package private(set) var errors: [ConfigurationError] = []
    private let findsAll: Bool
    /// Keys of blocks whose values were refused, such as `zone[0].corners`: they are not missing.
    private var refused: Set<String> = []

    /// - Parameters:
    ///   - path: the file; `nil` uses the defaults and the environment alone.
    ///   - findsAll: keeps errors in ``errors`` and goes on reading.
    /// - Throws: ``ConfigurationError`` for the first error found.
    public init(path: String?, environment: [String: String] = [:], findsAll: Bool = false) throws {
        self.findsAll = findsAll
        var files: [String] = []
        try keep { _ in files = try path.map(Self.files) ?? [] }
        for file in files { try keep { try $0.read(file) } }
        try read(environment)
    }

    /// Does a part of the reading, whose error does not end it where all errors are wanted.
    private mutating func keep(_ part: (inout Self) throws -> Void) throws {
        do { try part(&self) } catch let error as ConfigurationError where findsAll { errors.append(error) }
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
        let file = try TOMLDocument(path: path)
        try keep { try $0.readCameras(file) }
        try keep { try $0.readAreas(file) }
        try keep { try $0.readRecipients(file) }
        for (name, value) in file.values(whole: Self.tables) where !Self.isBlock(name) {
            let place = file.place(of: name)
            try keep { reading in
                try ConfigurationKey.apply(
                    value, name, among: Configuration.keys, known: Configuration.keyNames, to: &reading.configuration,
                    place)
                reading.origins[name] = .file(place)
            }
        }
    }

    /// The lists of tables.
    private static let blockNames: Set<String> = ["camera", "zone", "mask", "share", "alert"]

    /// Keys whose values are tables, in one line or as a `[table]` of their own.
    private static let tables: Set = ["display.labels", "display.zones"]

    /// Whether a name is that of such a list, or lies in one that was written as a table. The list is complained of.
    private static func isBlock(_ name: String) -> Bool {
        blockNames.contains(String(name.prefix { $0 != "." }))
    }

    private mutating func readCameras(_ file: TOMLDocument) throws {
        let blocks = try readBlocks(
            "camera", file, Configuration.Camera(), Configuration.cameraKeys)
        guard let cameras = blocks else { return }
        for (index, camera) in cameras.enumerated() where cameras[..<index].contains(where: { $0.id == camera.id }) {
            if refused.contains("camera[\(index)].id") { continue }
            try keep { _ in
                throw ConfigurationError.duplicateCamera(
                    place: file.place(of: "camera[\(index)].id"), id: camera.id)
            }
        }
        configuration.cameras = cameras
    }

    private mutating func readAreas(_ file: TOMLDocument) throws {
        let kinds = [
            ("zone", Configuration.zoneKeys, \Configuration.zones), ("mask", Configuration.maskKeys, \.masks),
        ]
        for (kind, keys, list) in kinds {
            guard
                let areas = try readBlocks(kind, file, Configuration.Area(), keys)
            else { continue }
            for index in areas.indices {
                try keep { try $0.check(areas, index, kind, at: file.place(of: "\(kind)[\(index)]")) }
            }
            configuration[keyPath: list] = areas
        }
    }

    private mutating func readRecipients(_ file: TOMLDocument) throws {
        if let shares = try readBlocks("share", file, Configuration.Share(), Configuration.shareKeys) {
            try check(shares.map { ($0.name, $0.problem) }, "share", file)
            configuration.shares = shares
        }
        if let alerts = try readBlocks("alert", file, Configuration.Alert(), Configuration.alertKeys) {
            try check(alerts.map { ($0.name, $0.problem) }, "alert", file)
            configuration.alerts = alerts
        }
    }

    private mutating func check(_ blocks: [(name: String, problem: String?)], _ kind: String, _ file: TOMLDocument)
        throws
    {
        for (index, block) in blocks.enumerated() where !refused.contains(where: { $0.hasPrefix("\(kind)[\(index)].") })
        {
            let isSecond = blocks[..<index].contains { $0.name == block.name }
            let problem =
                block.problem ?? (isSecond ? "is the second \"\(block.name)\"; give each its own name" : nil)
                ?? (index == Configuration.maximumRecipients
                    ? "is one too many: \(Configuration.maximumRecipients) are the limit" : nil)
            guard let problem else { continue }
            let place = file.place(of: "\(kind)[\(index)]")
            try keep { _ in throw ConfigurationError.badValue(place: place, key: "[[\(kind)]]", reason: problem) }
        }
    }

    private func check(
        _ areas: [Configuration.Area], _ index: Int, _ kind: String, at place: ConfigurationError.Place
    ) throws {
        let area = areas[index]
        let refuse = { ConfigurationError.badValue(place: place, key: "[[\(kind)]]", reason: $0) }
        let lacks = { (key: String, isEmpty: Bool) in isEmpty && !refused.contains("\(kind)[\(index)].\(key)") }
        if lacks("camera", area.camera.isEmpty) { throw refuse("needs a camera, such as camera = \"rack-1\"") }
        if lacks("corners", area.corners.isEmpty) { throw refuse("needs corners") }
        if kind == "zone", lacks("name", area.name.isEmpty) { throw refuse("needs a name, such as name = \"mat\"") }
        if kind == "zone", !area.name.isEmpty, !area.camera.isEmpty,
            areas[..<index].contains(where: { ($0.camera, $0.name) == (area.camera, area.name) })
        {
            throw refuse("is the second \"\(area.name)\" of \(area.camera); give each zone its own name")
        }
        if index == Configuration.maximumAreas {
            throw refuse("is one too many: \(Configuration.maximumAreas) are the limit")
        }
    }

    /// The blocks `[[kind]]` of a file, which replace those of earlier files; `nil` when the file has none.
    private mutating func readBlocks<Block>(
        _ kind: String, _ file: TOMLDocument, _ standard: Block, _ keys: [ConfigurationKey<Block>]
    ) throws -> [Block]? {
        guard let blocks = try file.blocks(kind, whole: ["controls", "exercises"]) else { return nil }
        for name in origins.keys where name.hasPrefix(kind + "[") { origins[name] = nil }
        refused = refused.filter { !$0.hasPrefix(kind + "[") }
        return try blocks.enumerated().map { index, block in
            var result = standard
            for (name, value) in block {
                let full = "\(kind)[\(index)].\(name)"
                let place = file.place(of: full)
                refused.insert(full)
                try keep { reading in
                    try ConfigurationKey.apply(
                        value, "\(kind)." + name, among: keys, known: Configuration.keyNames, to: &result, place)
                    reading.origins[full] = .file(place)
                    reading.refused.remove(full)
                }
            }
            return result
        }
    }

    private mutating func read(_ environment: [String: String]) throws {
        for key in Configuration.keys {
            guard let text = environment[key.variable] else { continue }
            try keep { reading in
                try key.apply(variable: text, to: &reading.configuration)
                reading.origins[key.name] = .variable(key.variable)
            }
        }
        // One camera is the common case, so the environment can set its keys too.
        for key in Configuration.cameraKeys where !configuration.cameras.isEmpty {
            guard let text = environment[key.variable] else { continue }
            try keep { reading in
                try key.apply(variable: text, to: &reading.configuration.cameras[0])
                reading.origins[key.name.replacing("camera.", with: "camera[0].")] = .variable(key.variable)
            }
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
