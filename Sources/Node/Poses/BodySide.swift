/// A side of the body.
public enum BodySide: String, Sendable, Codable, CaseIterable {
    case left, right
}
