import TOMLSettings
import Foundation

/// The file `conf.d/zones.toml` beside a configuration file: the zones and masks that are drawn on the node's page.
///
/// It may be a link to a place that the service may write to, as in the package. The link stays.
package struct AreasFile: Sendable {
    /// The file's path.
    package let path: String
    private let configurationPath: String

    /// Why the areas cannot be kept. What was in force before still is.
    package struct Failure: Error, CustomStringConvertible {
        /// A sentence that says what to do.
        package let description: String
    }

    /// The file beside this configuration file.
    package init(beside configurationPath: String) {
        self.configurationPath = configurationPath
        let folder = URL(filePath: configurationPath).deletingLastPathComponent().appending(path: "conf.d")
        path = folder.appending(path: "zones.toml").path
    }

    /// Replaces the areas of one camera, and keeps those of the others.
    ///
    /// - Parameters:
    ///   - zones: the camera's zones, checked by ``Configuration/Area/problem(isZone:)``.
    ///   - masks: the camera's masks, checked in the same way.
    /// - Throws: ``Failure``, or the ``ConfigurationError`` of the other files.
    package func replace(
        camera: String, zones: [Configuration.Area], masks: [Configuration.Area], environment: [String: String] = [:]
    ) throws {
        let now = try Configuration(path: configurationPath, environment: environment)
        let wanted = (
            zones: now.zones.filter { $0.camera != camera } + zones,
            masks: now.masks.filter { $0.camera != camera } + masks
        )
        let before = FileManager.default.contents(atPath: path)
        try write(Data(Self.text(zones: wanted.zones, masks: wanted.masks).utf8))
        do {
            let result = try Configuration(path: configurationPath, environment: environment)
            guard result.zones == wanted.zones, result.masks == wanted.masks else {
                throw Failure(
                    description: "Another file in conf.d has zones or masks and is read after zones.toml: "
                        + "remove its [[zone]] and [[mask]] blocks.")
            }
        } catch {
            try restore(before)
            throw error
        }
    }

    private func restore(_ contents: Data?) throws {
        if let contents { try write(contents) } else { try FileManager.default.removeItem(atPath: path) }
    }

    /// Replaces the file by renaming, so that a crash leaves the old one or the new one.
    private func write(_ contents: Data) throws {
        let folder = URL(filePath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // An atomic write would replace the link instead of the file behind it.
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
            let file = target.map { URL(filePath: $0, relativeTo: folder) } ?? URL(filePath: path)
            try contents.write(to: file, options: .atomic)
        } catch {
            throw Failure(
                description: "\(path) cannot be written (\((error as NSError).localizedDescription)): "
                    + "give the user of the node the right to write there.")
        }
    }

    private static func text(zones: [Configuration.Area], masks: [Configuration.Area]) -> String {
        func blocks(
            _ kind: String, _ areas: [Configuration.Area], _ keys: [ConfigurationKey<Configuration.Area>]
        ) -> String {
            // An empty list replaces the blocks of earlier files, too.
            if areas.isEmpty { return "\(kind) = []\n" }
            return areas.map { area in
                let lines = keys.map { "\($0.name.dropFirst(kind.count + 1)) = \($0.text(area))\n" }
                return "\n[[\(kind)]]\n" + lines.joined()
            }.joined()
        }
        let lists = [
            (zones.isEmpty, blocks("zone", zones, Configuration.zoneKeys)),
            (masks.isEmpty, blocks("mask", masks, Configuration.maskKeys)),
        ]
        // In TOML, plain keys come before the first block.
        return "# Drawn on the node's page, which writes this file. spotter reads it like the other files here.\n"
            + lists.sorted { $0.0 && !$1.0 }.map(\.1).joined()
    }
}
