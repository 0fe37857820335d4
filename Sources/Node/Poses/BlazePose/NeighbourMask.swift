import Foundation

/// The other people in a person's region, who are hidden from the landmark network.
///
/// Of two people in one region the network finds a mixture of both. So the others are painted grey, except where the
/// person is expected. A pose that may be a wrong one of another person has to be seen although all of the others is painted.
package struct NeighbourMask {
    /// Other people's joints need this confidence. A wrong joint would hide something else.
    private static let otherConfidence: Float = 0.3
    /// The person's own joints need this confidence, which a guess has as well.
    private static let ownConfidence: Float = 0.05
    /// The grey level. RecognitionNotes.md has what else was tried.
    private static let grey: UInt8 = 127

    private let own: BodyOutline?
    private let others: [BodyOutline]
    private let side: Int

    /// - Parameters:
    ///   - region: the person's region.
    ///   - side: the side of the cutout in pixels.
    ///   - pose: where the person is expected; `nil` for a person who may be a wrong pose.
    ///   - others: the poses of other people.
    ///   - picture: the picture's width and height in pixels.
    /// - Returns: `nil` if nobody else is in the region.
    package init?(_ region: RegionOfInterest, side: Int, pose: Pose?, others: [Pose], picture: SIMD2<Float>) {
        let scale = Float(side) / region.size
        let along = SIMD2(cosf(region.angle), sinf(region.angle)) * scale, down = SIMD2(-along.y, along.x)
        let place = { (point: Keypoint) -> SIMD2<Float> in
            let step = SIMD2(point.x, point.y) * picture - SIMD2(region.centerX, region.centerY)
            return SIMD2((step * along).sum(), (step * down).sum()) + Float(side) / 2
        }
        self.others = others.map { BodyOutline($0, confidence: Self.otherConfidence, place: place) }
            .filter { $0.isSeen(size: side) }
        guard !self.others.isEmpty else { return nil }
        own = pose.map { BodyOutline($0, confidence: Self.ownConfidence, place: place) }
        self.side = side
    }

    /// Paints the others in some rows of a cutout, `[side, side, 3]` bytes of RGB.
    package func paint(_ cutout: UnsafeMutablePointer<UInt8>, rows: Range<Int>) {
        var hidden = [Bool](repeating: false, count: side)
        for row in rows {
            var isEmpty = true
            for other in others {
                other.pixels(ofRow: row, size: side) { pixels in
                    isEmpty = false
                    for pixel in pixels { hidden[pixel] = true }
                }
            }
            if isEmpty { continue }
            own?.pixels(ofRow: row, size: side) { pixels in for pixel in pixels { hidden[pixel] = false } }
            for pixel in 0..<side where hidden[pixel] {
                hidden[pixel] = false
                let start = 3 * (row * side + pixel)
                (cutout[start], cutout[start + 1], cutout[start + 2]) = (Self.grey, Self.grey, Self.grey)
            }
        }
    }
}
