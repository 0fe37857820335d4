/// An error in the configuration. Every message names the place and ends with what to do next.
public enum ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file or `conf.d` cannot be read.
    case unreadable(path: String, reason: String)
    /// The file is not valid TOML.
    case syntax(place: Place, reason: String)
    /// `nearest` is a known key with a similar name, if there is one.
    case unknownKey(place: Place, key: String, nearest: String?)
    /// The value has the wrong type or lies outside the allowed range.
    case badValue(place: Place, key: String, reason: String)
    /// An environment variable has a value of the wrong type or outside the allowed range.
    case badVariable(name: String, reason: String)
    /// An environment variable is none of this program's.
    case unknownVariable(name: String, nearest: String?)
    /// The value is well formed, and cannot work.
    case unusable(place: String, key: String, reason: String)
    /// Two `[[camera]]` blocks have the same id.
    case duplicateCamera(place: Place, id: String)

    /// A position in a file.
    public struct Place: Equatable, Sendable, CustomStringConvertible {
        /// The file, as it was named when it was opened.
        public let path: String
        /// Counted from 1.
        public let line: Int
        /// Counted from 1.
        public let column: Int

        /// A position.
        package init(path: String, line: Int, column: Int) {
            self.path = path
            self.line = line
            self.column = column
        }

        public var description: String { "\(path):\(line):\(column)" }
    }

    /// The program that reads the file.
    private static var program: String {
        CommandLine.arguments.first?.hasSuffix("spotter-sink") == true ? "spotter-sink" : "spotter"
    }

    /// The shipped file of that program.
    private static var shipped: String { program == "spotter" ? "config.toml" : "sink.toml" }

    public var description: String {
        switch self {
        case .unreadable(let path, let reason):
            "cannot read \(path): \(reason); give the file with --config, or copy the shipped \(Self.shipped)"
        case .syntax(let place, let reason):
            "\(place): \(reason); correct the line, then: \(Self.program) config check"
        case .unknownKey(let place, let key, let nearest):
            key == "mqtt.password"
                ? "\(place): a password does not stand in the configuration, which others may read: "
                    + "write it into a file that only the service's user reads, and set mqtt.password_file to its path"
                : key == "mqtt.tls"
                    ? "\(place): there is no key mqtt.tls: TLS is on where mqtt.ca_file is set, to the file of the broker's "
                        + "authority or to \"system\""
                    : "\(place): unknown key '\(key)'"
                        + (nearest.map { "; did you mean '\($0)'?" } ?? "; the shipped \(Self.shipped) lists every key")
        case .badValue(let place, let key, let reason):
            "\(place): \(key) \(reason); correct the line, then: \(Self.program) config check"
        case .badVariable(let name, let reason):
            "environment variable \(name) \(reason); correct or unset it"
        case .unknownVariable(let name, let nearest):
            "environment variable \(name) is unknown"
                + (nearest.map { "; did you mean \($0)?" } ?? "; `\(Self.program) config show` lists every key")
        case .unusable(let place, let key, let reason):
            "\(place): \(key) \(reason)"
        case .duplicateCamera(let place, let id):
            "\(place): a second camera '\(id)'; give each camera its own id"
        }
    }
}
