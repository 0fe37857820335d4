import TOMLSettings

/// The file `conf.d/zones.toml` beside a configuration file: the zones and masks that are drawn on the node's page.
package struct AreasFile: Sendable {
    private let file: OverrideFile

    /// The file's path.
    package var path: String { file.path }

    /// The file beside this configuration file.
    package init(beside configurationPath: String) {
        file = OverrideFile("zones.toml", beside: configurationPath)
    }

    /// Replaces the areas of one camera, and keeps those of the others.
    ///
    /// - Parameters:
    ///   - zones: the camera's zones, checked by ``Configuration/Area/problem(isZone:)``.
    ///   - masks: the camera's masks, checked in the same way.
    /// - Throws: ``OverrideFile/Failure``, or the ``ConfigurationError`` of the other files.
    package func replace(
        camera: String, zones: [Configuration.Area], masks: [Configuration.Area], environment: [String: String] = [:]
    ) throws {
        let now = try Configuration(path: file.configurationPath, environment: environment)
        let wanted = (
            zones: now.zones.filter { $0.camera != camera } + zones,
            masks: now.masks.filter { $0.camera != camera } + masks
        )
        try file.replace(Self.text(zones: wanted.zones, masks: wanted.masks), environment: environment) { reading in
            guard reading.configuration.zones == wanted.zones, reading.configuration.masks == wanted.masks else {
                throw OverrideFile.Failure(
                    description: "Another file in conf.d has zones or masks and is read after zones.toml: "
                        + "remove its [[zone]] and [[mask]] blocks.")
            }
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
