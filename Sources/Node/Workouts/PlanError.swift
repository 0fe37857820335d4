import TOMLSettings

/// What is wrong with a plan file: its place, the reason, and what to do next.
public struct PlanError: Error, Equatable, CustomStringConvertible {
    /// The sentence for people.
    public let description: String

    init(_ error: ConfigurationError, path: String) {
        let check = "spotter workout check \(path)"
        description =
            switch error {
            case .unreadable(let path, let reason): "cannot read the plan \(path): \(reason)"
            case .syntax(let place, let reason): "\(place): \(reason); correct the line, then: \(check)"
            case .badValue(let place, let key, let reason):
                "\(place): \(key) \(reason); correct the line, then: \(check)"
            case .unknownKey(let place, let key, let nearest):
                "\(place): unknown key '\(key)'"
                    + (nearest.map { "; did you mean '\($0)'?" } ?? "; a plan has name, description, rounds and steps")
            case .badVariable, .duplicateCamera, .unknownVariable, .unusable: "\(error)"
            }
    }
}
