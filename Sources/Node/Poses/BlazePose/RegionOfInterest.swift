import Foundation

/// A rotated square of a picture in which one person is expected.
public struct RegionOfInterest: Sendable, Equatable {
    /// The centre and the side of the square, in pixels.
    public var centerX, centerY, size: Float
    /// The rotation in radians, clockwise in the picture; 0 for an upright person. It turns with the person.
    public var angle: Float

    /// Creates a region from its parts.
    public init(centerX: Float, centerY: Float, size: Float, angle: Float) {
        self.centerX = centerX
        self.centerY = centerY
        self.size = size
        self.angle = angle
    }

    /// The square around a person, from the middle of the hips and the outermost reach of the body above it, in pixels.
    ///
    /// Source: MediaPipe's pose landmark graph. The square encloses the circle around `center` through `reach`,
    /// enlarged by a quarter.
    init(center: SIMD2<Float>, reach: SIMD2<Float>) {
        let step = reach - center
        let turn = Float.pi / 2 - atan2f(-step.y, step.x)
        let wrapped = turn - 2 * .pi * floorf((turn + .pi) / (2 * .pi))
        self.init(centerX: center.x, centerY: center.y, size: 2 * 1.25 * hypotf(step.x, step.y), angle: wrapped)
    }

    /// The pixel position of a point that is given in fractions of the side, from the square's top left.
    func project(_ x: Float, _ y: Float) -> SIMD2<Float> {
        let across = (x - 0.5) * size, down = (y - 0.5) * size
        return SIMD2(
            centerX + across * cosf(angle) - down * sinf(angle), centerY + across * sinf(angle) + down * cosf(angle))
    }
}
