/// The direction in the space of ``CountingFeatures`` that shows the repetitions of one label best. The projection is 0
/// at rest and about 1 at the turning point of the motion. It is learned with the model and stored in its file.
public struct CountingBasis: Sendable, Codable, Equatable {
    /// ``CountingFeatures/version`` of the program that learned it.
    public var version: Int
    /// One weight per channel: of the shape alone, or of all channels.
    public var weights: [Float]

    /// Creates a basis, by default of this program's version.
    public init(weights: [Float], version: Int = CountingFeatures.version) {
        self.version = version
        self.weights = weights
    }

    /// Whether this version of the program can use the basis.
    public var isUsable: Bool {
        version == CountingFeatures.version && weights.allSatisfy(\.isFinite)
            && [CountingFeatures.shapeChannels, CountingFeatures.allChannels].contains(weights.count)
    }

    /// Whether the exercise's limbs work in turn, so that it is counted by the differences of the sides as well.
    public var comparesSides: Bool { weights.count > CountingFeatures.shapeChannels }
}
