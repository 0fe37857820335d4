/// The program's version, as printed by `spotter --version` and published by the node.
public enum Version {
    /// The version, as in `1.0.0`.
    public static let text = "1.0.0"
}
