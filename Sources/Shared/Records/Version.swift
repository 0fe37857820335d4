/// The program's version, as printed by `spotter --version` and published by the node.
public enum Version {
    /// The version, as in `0.1.0`.
    public static let text = "0.1.0"
}
