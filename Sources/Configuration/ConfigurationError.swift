/// What is wrong with the configuration. Every message says where, and ends in what to do next.
public enum ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    case unreadable(path: String, reason: String)
    case syntax(place: Place, reason: String)
    case unknownKey(place: Place, key: String, nearest: String?)
    case badValue(place: Place, key: String, reason: String)
    case badVariable(name: String, reason: String)
    case duplicateCamera(place: Place, id: String)

    /// A position in a file, counted from 1.
    public struct Place: Equatable, Sendable, CustomStringConvertible {
        public let path: String
        public let line: Int
        public let column: Int
        public var description: String { "\(path):\(line):\(column)" }
    }

    public var description: String {
        switch self {
        case .unreadable(let path, let reason):
            "cannot read \(path): \(reason); give the file with --config, or copy the shipped config.toml"
        case .syntax(let place, let reason):
            "\(place): \(reason); mend the line, then: spotter config check"
        case .unknownKey(let place, let key, let nearest):
            "\(place): unknown key '\(key)'"
                + (nearest.map { "; did you mean '\($0)'?" } ?? "; the shipped config.toml lists every key")
        case .badValue(let place, let key, let reason):
            "\(place): \(key) \(reason); mend the line, then: spotter config check"
        case .badVariable(let name, let reason):
            "environment variable \(name) \(reason); mend or unset it"
        case .duplicateCamera(let place, let id):
            "\(place): a second camera '\(id)'; give each camera its own id"
        }
    }
}
