/// One of BlazePose's 33 points of a body.
public struct Landmark: Sendable, Equatable {
    /// Fractions of the picture's width from the left and of its height from the top; may be outside 0…1.
    public var x, y: Float
    /// Depth relative to the middle of the hips, negative towards the camera, in the unit of `x`.
    public var z: Float
    /// Probability that the point is visible, not hidden, 0…1.
    public var visibility: Float
    /// Probability that the point lies within the picture, 0…1.
    public var presence: Float

    /// Creates a landmark from its parts.
    public init(x: Float, y: Float, z: Float, visibility: Float, presence: Float) {
        self.x = x
        self.y = y
        self.z = z
        self.visibility = visibility
        self.presence = presence
    }
}

/// The output of the landmark network for one region.
public struct Landmarks: Sendable {
    /// Probability that there is a person in the region, 0…1. Without a person the points are meaningless.
    public var flag: Float
    /// The 33 points.
    public var points: [Landmark]
    /// The same points in metres relative to the middle of the hips, with the axes of the picture.
    public var world: [SIMD3<Float>]
    /// The two points that define the next region, in pixels: its centre, and the outermost reach of the body above it.
    public var auxiliary: (center: SIMD2<Float>, reach: SIMD2<Float>)
    /// The region of the network's input.
    public var region: RegionOfInterest

    /// Creates landmarks from their parts.
    public init(
        flag: Float, points: [Landmark], world: [SIMD3<Float>],
        auxiliary: (center: SIMD2<Float>, reach: SIMD2<Float>), region: RegionOfInterest
    ) {
        self.flag = flag
        self.points = points
        self.world = world
        self.auxiliary = auxiliary
        self.region = region
    }
}
