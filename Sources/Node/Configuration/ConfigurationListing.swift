import TOMLSettings
import Capture
import Foundation

/// The effective configuration, key by key, with the origin of each value: the output of `spotter config show`.
public struct ConfigurationListing: Encodable, Sendable {
    /// One key.
    public struct Entry: Encodable, Sendable {
        /// The dotted name, such as `mqtt.host` or `camera[0].source`.
        public let key: String
        /// The value, written as in the file, with secrets redacted.
        public let value: String
        /// `default`, a file with its line, or an environment variable.
        public let origin: String
    }

    /// All keys: `[node]`, then the cameras with their zones and masks, shares and alerts, then the rest in the order of the shipped file.
    public let entries: [Entry]

    /// Lists what `reading` found.
    public init(_ reading: ConfigurationReading) {
        let origin = { (key: String) in reading.origins[key]?.description ?? "default" }
        let configuration = reading.configuration
        let keys = Configuration.keys.map {
            Entry(key: $0.name, value: Redaction.covered(in: $0.text(configuration)), origin: origin($0.name))
        }
        func blocks<Block>(_ kind: String, _ blocks: [Block], _ keys: [ConfigurationKey<Block>]) -> [Entry] {
            blocks.enumerated().flatMap { index, block in
                keys.map { key in
                    let name = key.name.replacing("\(kind).", with: "\(kind)[\(index)].")
                    let text = key.text(block)
                    let value = key.name.hasSuffix(".url") ? Redaction.host(of: text) : Redaction.covered(in: text)
                    return Entry(key: name, value: value, origin: origin(name))
                }
            }
        }
        let first = Array(keys.prefix { $0.key.hasPrefix("node.") })
        entries =
            first + blocks("camera", configuration.cameras, Configuration.cameraKeys)
            + blocks("zone", configuration.zones, Configuration.zoneKeys)
            + blocks("mask", configuration.masks, Configuration.maskKeys)
            + blocks("share", configuration.shares, Configuration.shareKeys)
            + blocks("alert", configuration.alerts, Configuration.alertKeys)
            + Array(keys.dropFirst(first.count))
    }
}
