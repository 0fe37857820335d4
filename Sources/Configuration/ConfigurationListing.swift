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

    /// All keys: `[node]`, then the cameras, then the rest in the order of the shipped file.
    public let entries: [Entry]

    /// Lists what `reading` found.
    public init(_ reading: ConfigurationReading) {
        let origin = { (key: String) in reading.origins[key]?.description ?? "default" }
        let configuration = reading.configuration
        let keys = Configuration.keys.map {
            Entry(key: $0.name, value: Redaction.covered(in: $0.text(configuration)), origin: origin($0.name))
        }
        let cameras = configuration.cameras.enumerated().flatMap { index, camera in
            Configuration.cameraKeys.map { key in
                let name = key.name.replacing("camera.", with: "camera[\(index)].")
                return Entry(key: name, value: Redaction.covered(in: key.text(camera)), origin: origin(name))
            }
        }
        let first = keys.prefix { $0.key.hasPrefix("node.") }
        entries = first + cameras + keys.dropFirst(first.count)
    }
}
