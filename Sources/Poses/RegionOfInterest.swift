import Foundation

/// The square, turned part of a picture in which one person is looked at.
public struct RegionOfInterest: Sendable, Equatable {
    /// Centre and side in pixels.
    public var centerX, centerY, size: Float
    /// Radians, clockwise in the picture.
    public var angle: Float

    public init(centerX: Float, centerY: Float, size: Float, angle: Float) {
        self.centerX = centerX
        self.centerY = centerY
        self.size = size
        self.angle = angle
    }

    /// From the middle of the hips and a point that tells size and direction, both in pixels.
    init(centre: SIMD2<Float>, tip: SIMD2<Float>) {
        let step = tip - centre
        let raw = Float.pi / 2 - atan2f(-step.y, step.x)
        self.init(
            centerX: centre.x, centerY: centre.y, size: 2.5 * hypotf(step.x, step.y),
            angle: raw - 2 * Float.pi * ((raw + Float.pi) / (2 * Float.pi)).rounded(.down))
    }
}
