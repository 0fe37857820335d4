import Foundation

/// A turned square in a picture in which one person is expected.
public struct RegionOfInterest: Sendable, Equatable {
    /// Pixels.
    public var centerX, centerY, size: Float
    /// Radians, clockwise in the picture; 0 for someone upright. The person's up is the square's up.
    public var angle: Float

    public init(centerX: Float, centerY: Float, size: Float, angle: Float) {
        self.centerX = centerX
        self.centerY = centerY
        self.size = size
        self.angle = angle
    }

    /// The square around someone whose middle of the hips and outermost reach straight above it are known, in pixels.
    ///
    /// Source: MediaPipe's pose landmark graph: the circle through `reach` around `center`, a quarter wider.
    init(center: SIMD2<Float>, reach: SIMD2<Float>) {
        let step = reach - center
        let turn = Float.pi / 2 - atan2f(-step.y, step.x)
        let wrapped = turn - 2 * .pi * floorf((turn + .pi) / (2 * .pi))
        self.init(centerX: center.x, centerY: center.y, size: 2 * 1.25 * hypotf(step.x, step.y), angle: wrapped)
    }

    /// The pixel a point of the square shows, given as a fraction of its side from its top left.
    func project(_ x: Float, _ y: Float) -> SIMD2<Float> {
        let across = (x - 0.5) * size, down = (y - 0.5) * size
        return SIMD2(
            centerX + across * cosf(angle) - down * sinf(angle), centerY + across * sinf(angle) + down * cosf(angle))
    }
}
