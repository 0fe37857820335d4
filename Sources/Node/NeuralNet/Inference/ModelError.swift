/// Why a model file cannot be used. Every message ends with what to do next.
public enum ModelError: Error, Equatable, Sendable {
    case missing(file: String)
    case unreadable(file: String, reason: String)
    /// Truncated, overwritten, or not a `.tflite` file at all.
    case damaged(file: String, reason: String)
    /// An intact `.tflite` file with something that the engines cannot run.
    case unsupported(file: String, reason: String)
    /// A network that runs, but not the expected one.
    case shapeMismatch(file: String, expected: String, found: String)
}

extension ModelError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .missing(let file):
            "\(file) is missing; run make models"
        case .unreadable(let file, let reason):
            "cannot read \(file): \(reason); check its permissions, or remove it and run make models"
        case .damaged(let file, let reason):
            "\(file) is not a whole .tflite file: \(reason); remove it and run make models"
        case .unsupported(let file, let reason):
            "\(file) is not the expected network: \(reason); remove it and run make models"
        case .shapeMismatch(let file, let expected, let found):
            "\(file) is not the expected network: expected \(expected), found \(found); remove it and run make models"
        }
    }
}
