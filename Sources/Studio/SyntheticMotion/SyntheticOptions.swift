/// Options of the clip generator.
public struct SyntheticOptions: Sendable {
    /// Strength of the detector's errors: 0 is exact, 1 is typical.
    public var noise: Float
    /// Viewing direction in degrees: 0 is from the front, 90 from the person's left; `nil` is random for each clip.
    public var yawDegrees: Float?
    /// Distance of the camera in metres, increased until the whole person fits; `nil` is random for each clip.
    public var distanceMetres: Float?
    /// The share of clips in which part of the person is outside the picture, 0…1.
    public var cutShare: Float
    /// The share of clips seen at 7 to 29 frames per second and resampled to 30, 0…1.
    public var slowShare: Float
    /// The share of clips in which the exercise begins or ends, 0…1.
    public var transitionShare: Float
    /// The seed of camera and detector; `nil` draws them from the clip's own seed. With the same clip's seed, other values
    /// show the same motion of the same person from other places.
    public var cameraSeed: UInt64?

    /// Typical clips, with values drawn for each clip, unless told otherwise.
    public init(
        noise: Float = 1, yawDegrees: Float? = nil, distanceMetres: Float? = nil, cutShare: Float = 0.12,
        slowShare: Float = 0.3,
        transitionShare: Float = 0.15, cameraSeed: UInt64? = nil
    ) {
        self.noise = noise
        self.yawDegrees = yawDegrees
        self.distanceMetres = distanceMetres
        self.cutShare = cutShare
        self.slowShare = slowShare
        self.transitionShare = transitionShare
        self.cameraSeed = cameraSeed
    }

    /// Exact joints of a whole person, for tests and pictures of the motions.
    public static let exact = SyntheticOptions(noise: 0, cutShare: 0, slowShare: 0, transitionShare: 0)
}
