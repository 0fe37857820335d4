/// Along which direction of ``CountingFeatures`` the repetitions of one label are seen best: 0 at rest, about 1 where
/// the motion turns. It is learned with the model and stands in its file.
public struct CountingBasis: Sendable, Codable, Equatable {
    /// ``CountingFeatures/version`` of the program that learned it.
    public var version: Int
    /// One weight for each channel.
    public var weights: [Float]

    public init(weights: [Float], version: Int = CountingFeatures.version) {
        self.version = version
        self.weights = weights
    }

    /// Whether this program can count with it.
    public var isUsable: Bool {
        version == CountingFeatures.version && weights.count == CountingFeatures.channels
            && weights.allSatisfy(\.isFinite)
    }
}
