import Foundation

/// Predicts the region of a person in the next picture from the landmarks in this one. Use one for every person.
public struct RegionFollower: Sendable {
    /// Filters for x and y of the centre, and x and y of the reach. The constants are MediaPipe's.
    private var filters = Array(repeating: OneEuroFilter(minimumCutoff: 0.01, beta: 10), count: 4)

    /// Starts without a history.
    public init() {}

    /// The region for the next picture.
    ///
    /// - Parameters:
    ///   - landmarks: the landmarks in this picture.
    ///   - time: the time of this picture in seconds; pictures must be in order.
    public mutating func next(after landmarks: Landmarks, time: Double) -> RegionOfInterest {
        let (center, reach) = landmarks.auxiliary
        let size = 2 * hypotf(reach.x - center.x, reach.y - center.y)
        // Two equal points have no direction and no scale, so the same region is used again.
        guard size > 1e-6 else { return landmarks.region }
        let scale = 1 / Double(size)
        let raw = [center.x, center.y, reach.x, reach.y]
        var smooth: [Float] = []
        for index in raw.indices {
            smooth.append(Float(filters[index].next(Double(raw[index]), time: time, scale: scale)))
        }
        return RegionOfInterest(center: SIMD2(smooth[0], smooth[1]), reach: SIMD2(smooth[2], smooth[3]))
    }
}
