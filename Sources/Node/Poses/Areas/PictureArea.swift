/// A part of the picture: the inside of a polygon.
public struct PictureArea: Sendable, Equatable {
    /// The corners in order. x and y are fractions of the picture's width and height, from the top left.
    public let corners: [SIMD2<Float>]
    private let low, high: SIMD2<Float>

    /// The area inside these corners; fewer than three enclose nothing.
    public init(corners: [SIMD2<Float>]) {
        self.corners = corners
        low = corners.reduce(SIMD2(repeating: .infinity)) { pointwiseMin($0, $1) }
        high = corners.reduce(SIMD2(repeating: -.infinity)) { pointwiseMax($0, $1) }
    }

    /// Whether a point lies inside. Where the outline crosses itself, points that it surrounds twice are outside.
    public func contains(_ point: SIMD2<Float>) -> Bool {
        guard corners.count > 2, all(point .>= low), all(point .<= high) else { return false }
        var isInside = false
        var before = corners[corners.count - 1]
        for corner in corners {
            if (corner.y > point.y) != (before.y > point.y) {
                let share = (point.y - corner.y) / (before.y - corner.y)
                if point.x < corner.x + share * (before.x - corner.x) { isInside.toggle() }
            }
            before = corner
        }
        return isInside
    }

    /// How far a point is from the area: 0 inside, `infinity` where the corners enclose nothing.
    ///
    /// - Parameter scale: what a picture's width and height are in the unit of the result, such as its pixels.
    package func distance(from point: SIMD2<Float>, scale: SIMD2<Float>) -> Float {
        guard corners.count > 2 else { return .infinity }
        if contains(point) { return 0 }
        var (least, before) = (Float.infinity, corners[corners.count - 1] * scale)
        for corner in corners {
            let (end, place) = (corner * scale, point * scale)
            let (edge, way) = (end - before, place - before)
            let length = (edge * edge).sum()
            let share = length > 0 ? min(max((edge * way).sum() / length, 0), 1) : 0
            let rest = way - edge * share
            least = min(least, (rest * rest).sum().squareRoot())
            before = end
        }
        return least
    }
}

/// A part of the picture with a name, such as a rack or a mat.
public struct Zone: Sendable, Equatable {
    /// The name, which appears in topics and in the history.
    public let name: String
    /// Where it is. People belong to a zone by their feet.
    public let area: PictureArea

    /// Creates a zone from its parts.
    public init(name: String, area: PictureArea) {
        self.name = name
        self.area = area
    }
}
