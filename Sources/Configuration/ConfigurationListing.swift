import Capture
import Foundation

/// What holds, key by key, and where each value comes from: the answer of `spotter config show`.
public struct ConfigurationListing: Encodable, Sendable {
    public struct Entry: Encodable, Sendable {
        /// As in `mqtt.host` or `camera[0].source`.
        public let key: String
        /// As it would stand in the file, secrets covered.
        public let value: String
        /// `default`, a file with its line, or a variable.
        public let origin: String
    }

    public let entries: [Entry]

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
