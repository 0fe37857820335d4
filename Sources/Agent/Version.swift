/// The program's version, as printed by `spotter --version` and published by the node.
public enum Version {
    public static let text = "0.1.0"
}
