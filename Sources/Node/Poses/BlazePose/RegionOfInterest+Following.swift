import Foundation

extension RegionOfInterest {
    /// Whether a detection is a person who is already tracked: nearly the same centre and a similar size.
    func covers(_ other: RegionOfInterest) -> Bool {
        let distance = hypotf(centerX - other.centerX, centerY - other.centerY)
        return distance < 0.15 * min(size, other.size) && max(size, other.size) < 2 * min(size, other.size)
    }

    /// Whether the landmark network can use the region: it is finite, and at least a few pixels wide.
    var isUsable: Bool {
        size >= 8 && size < 1e5 && abs(centerX) < 1e5 && abs(centerY) < 1e5 && angle.isFinite
    }
}
