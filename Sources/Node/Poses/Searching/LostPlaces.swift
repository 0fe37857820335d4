import Foundation

/// Remembers where people were lost, and says when to look there again.
///
/// A person who is hidden by a rack or by another person comes back near the same place, or a little further on their
/// way. So both places are searched: often at first, then once a second, for as long as the ``Tracker`` remembers them.
/// It goes on after a person was found there, because it may have been another person who passed.
package struct LostPlaces {
    /// A place where a person was lost.
    private struct Place {
        let region: RegionOfInterest
        /// Pixels a second.
        let velocity: SIMD2<Float>
        let since: Double
        var next: Double
        var searches = 0
        /// Whether a person was found near it.
        var isFound = false
    }

    /// The side of a searched square, in sides of the person's region.
    private static let sidePerRegion: Float = 1.3
    /// A hidden person is expected to walk on for this long.
    private static let walkingSeconds: Float = 1.5
    /// The most places that are remembered, and that are searched in one frame.
    private static let (maximumPlaces, maximumPerFrame) = (16, 2)

    /// Seconds between two searches of a place near which a person was found.
    private static let foundInterval = 1.0

    private let memorySeconds: Double
    private var places: [Place] = []

    /// - Parameter memorySeconds: seconds after which a lost person is given up.
    package init(memorySeconds: Double) { self.memorySeconds = memorySeconds }

    /// Adds a place.
    ///
    /// - Parameters:
    ///   - region: the person's region a moment before they were lost, in pixels.
    ///   - velocity: how the region moved, in pixels a second.
    package mutating func add(_ region: RegionOfInterest, velocity: SIMD2<Float>, at time: Double) {
        if places.count == Self.maximumPlaces { places.removeFirst() }
        places.append(Place(region: region, velocity: velocity, since: time, next: time))
    }

    /// The squares to search in this frame. The caller must search them.
    ///
    /// - Parameter most: the most squares that there is time for.
    package mutating func squares(at time: Double, most: Int = .max) -> [RegionOfInterest] {
        places.removeAll { time - $0.since > memorySeconds || time < $0.since }
        var squares: [RegionOfInterest] = []
        let due = places.indices.filter { places[$0].next <= time + 0.001 }.sorted { places[$0].next < places[$1].next }
        for index in due.prefix(min(most, Self.maximumPerFrame)) {
            let elapsed = time - places[index].since
            var square = places[index].region
            square.size *= Self.sidePerRegion
            square.angle = 0
            if !places[index].searches.isMultiple(of: 2) {
                let step = places[index].velocity * min(Float(elapsed), Self.walkingSeconds)
                square.centerX += step.x
                square.centerY += step.y
            }
            places[index].searches += 1
            places[index].next = time + Self.interval(places[index], elapsed)
            squares.append(square)
        }
        return squares
    }

    /// Searches less often where a person was found.
    package mutating func found(_ region: RegionOfInterest, at time: Double) {
        guard let index = places.indices.min(by: { distance(places[$0], region) < distance(places[$1], region) }),
            distance(places[index], region) < 0.6
        else { return }
        places[index].isFound = true
        places[index].next = time + Self.foundInterval
    }

    /// Seconds until the next search of a place.
    private static func interval(_ place: Place, _ elapsed: Double) -> Double {
        place.isFound ? foundInterval : elapsed < 1 ? 0.1 : elapsed < 3 ? 0.3 : 1
    }

    /// The distance in sides of the regions; infinite between regions of very different size.
    private func distance(_ place: Place, _ region: RegionOfInterest) -> Float {
        let (large, small) = (max(place.region.size, region.size), min(place.region.size, region.size))
        guard large < 1.6 * small else { return .infinity }
        return hypotf(place.region.centerX - region.centerX, place.region.centerY - region.centerY) / large
    }
}
