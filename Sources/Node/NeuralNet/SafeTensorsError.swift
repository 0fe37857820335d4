/// Why a weight file cannot be used. Every message ends with what to do next.
public enum SafeTensorsError: Error, Equatable, Sendable {
    case unreadable(file: String, reason: String)
    case unwritable(file: String, reason: String)
    /// Truncated, overwritten, or not a safetensors file.
    case damaged(file: String, reason: String)
    /// A tensor has another type than `F32`.
    case unsupportedType(file: String, tensor: String, found: String)
}

extension SafeTensorsError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let file, let reason):
            "cannot read \(file): \(reason); check the path and its permissions"
        case .unwritable(let file, let reason):
            "cannot write \(file): \(reason); check that the folder exists and the disk has room"
        case .damaged(let file, let reason):
            "\(file) is not a whole safetensors file: \(reason); copy it again, or train it again"
        case .unsupportedType(let file, let tensor, let found):
            "\(file): tensor \(tensor) has the type \(found), expected F32; convert it to 32-bit floats"
        }
    }
}
