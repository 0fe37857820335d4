/// One of BlazePose's 33 points of a body.
public struct Landmark: Sendable, Equatable {
    /// Fraction of the picture's width from the left and height from the top; may lie outside 0…1.
    public var x, y: Float
    /// Depth against the middle of the hips, towards the camera negative, on the scale of `x`.
    public var z: Float
    /// Probability that the point is in sight, 0…1.
    public var visibility: Float
    /// Probability that the point lies within the picture, 0…1.
    public var presence: Float

    public init(x: Float, y: Float, z: Float, visibility: Float, presence: Float) {
        self.x = x
        self.y = y
        self.z = z
        self.visibility = visibility
        self.presence = presence
    }
}

/// What the landmark network saw in one region.
public struct Landmarks: Sendable {
    /// Probability that somebody is in the region, 0…1; without somebody the points mean nothing.
    public var flag: Float
    /// 33 points.
    public var points: [Landmark]
    /// The same points in metres around the middle of the hips, turned upright with the picture.
    public var world: [SIMD3<Float>]
    /// The two points the next region follows from, in pixels: its centre, and the outermost reach above it.
    public var auxiliary: (center: SIMD2<Float>, reach: SIMD2<Float>)
    /// Where the network looked.
    public var region: RegionOfInterest

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
