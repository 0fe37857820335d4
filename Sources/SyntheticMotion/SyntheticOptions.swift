/// How synthetic clips are made.
public struct SyntheticOptions: Sendable {
    /// Strength of the detector's errors: 0 is exact, 1 is usual.
    public var noise: Float
    /// From where the person is seen, degrees: 0 from the front, 90 from their left; `nil` is drawn for each clip.
    public var yawDegrees: Float?
    /// From how far, metres, as long as the whole person fits into the picture; `nil` is drawn for each clip.
    public var distanceMetres: Float?
    /// The share of clips in which a part of the person is outside of the picture.
    public var cutShare: Float
    /// The share of clips seen at 7 to 29 frames per second and resampled to 30.
    public var slowShare: Float
    /// The share of clips in which the exercise begins or ends.
    public var transitionShare: Float

    public init(
        noise: Float = 1, yawDegrees: Float? = nil, distanceMetres: Float? = nil, cutShare: Float = 0.12,
        slowShare: Float = 0.3,
        transitionShare: Float = 0.15
    ) {
        self.noise = noise
        self.yawDegrees = yawDegrees
        self.distanceMetres = distanceMetres
        self.cutShare = cutShare
        self.slowShare = slowShare
        self.transitionShare = transitionShare
    }

    /// Exact joints of a whole person: what tests and pictures of the motions want.
    public static let exact = SyntheticOptions(noise: 0, cutShare: 0, slowShare: 0, transitionShare: 0)
}
