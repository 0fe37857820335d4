import Capture

/// Tells people from pictures of people: whether anything changes where a person seems to be.
///
/// Nobody stands as still as a poster. Points of the place are compared with the same points a moment earlier. A point
/// has changed when it differs by clearly more than points do anywhere in the picture, because of noise or the codec.
/// Where nothing at all has moved so far, and there is no noise, the source is a still picture. There a person cannot be
/// told from a poster, so every person counts.
package struct StillnessWatch {
    /// Points along each side of the place, and of the picture.
    private static let pointsAlong = 24
    /// The smallest change of a point's brightness that counts, 0…255.
    private static let minimumChange: Float = 10
    /// The smallest change that counts, in changes that three quarters of the picture's points do not exceed.
    private static let noiseFactor: Float = 4
    /// The share of the points that must change.
    private static let minimumShare: Float = 0.015
    /// The share of the points that must not have been covered by passers; otherwise the place tells nothing.
    private static let minimumFreeShare: Float = 0.4
    /// A picture of which three quarters of the points change by less has no noise.
    private static let minimumNoise: Float = 1
    /// Seconds between two references.
    private static let referenceSeconds = 2.0

    private struct Reference {
        let time: Double
        let area: Detection.Box
        let place, picture: [Float]
        /// Which points of the place passers have covered since.
        var isCovered = [Bool](repeating: false, count: pointsAlong * pointsAlong)

        init(_ image: Image, _ area: Detection.Box, _ time: Double) {
            (self.area, self.time) = (area, time)
            place = StillnessWatch.points(of: image, in: area)
            picture = StillnessWatch.points(of: image, in: .whole)
        }

        /// Marks the points that passers cover now.
        mutating func cover(_ passers: [Detection.Box]) {
            let passers = passers.filter { $0.meets(area) }
            guard !passers.isEmpty else { return }
            for point in isCovered.indices where !isCovered[point] {
                let place = StillnessWatch.place(of: point, in: area)
                isCovered[point] = passers.contains { $0.contains(place) }
            }
        }
    }

    private var reference: Reference?
    /// When the watch last looked; seconds on the source's clock.
    private(set) var lastLook: Double?
    /// When something last changed, or when the watch began; seconds on the source's clock.
    package private(set) var lastChange: Double?
    /// Whether anything has changed since the watch began.
    package private(set) var hasChanged = false

    /// Starts without a picture.
    package init() {}

    /// Whether nothing has changed for longer than these seconds.
    func hasBeenStill(for seconds: Double, at time: Double) -> Bool { lastChange.map { time - $0 > seconds } ?? false }

    /// Looks at the next frame.
    ///
    /// - Parameters:
    ///   - area: where the person seems to be, in fractions of the picture.
    ///   - time: seconds on the source's clock, in order.
    ///   - mayBeStill: whether the source may be a still: nothing has moved in it so far, and it is no camera.
    ///   - passers: where living people are. What changes there may be theirs, so it tells nothing.
    package mutating func look(
        at image: Image, area: Detection.Box, time: Double, mayBeStill: Bool, passers: [Detection.Box] = []
    ) {
        defer { lastLook = time }
        if time < reference?.time ?? time { reference = nil }
        var reference = reference ?? Reference(image, area, time)
        reference.cover(passers)
        let free = Float(reference.isCovered.count { !$0 }), all = Float(reference.place.count)
        guard free >= Self.minimumFreeShare * all else {
            self.reference = nil
            lastChange = (lastChange ?? time) + max(0, time - (lastLook ?? time))
            return
        }
        self.reference = reference
        guard time > reference.time else {
            lastChange = lastChange ?? time
            return
        }
        let place = Self.points(of: image, in: reference.area)
        let picture = Self.points(of: image, in: .whole)
        let noise = zip(picture, reference.picture).map { abs($0 - $1) }.sorted()
        let usual = noise[noise.count * 3 / 4]
        let limit = max(Self.minimumChange, Self.noiseFactor * usual)
        let changed = place.indices.count { !reference.isCovered[$0] && abs(place[$0] - reference.place[$0]) > limit }
        let isStill = mayBeStill && usual < Self.minimumNoise
        let hasChangedNow = isStill || Float(changed) > Self.minimumShare * all
        if hasChangedNow { (hasChanged, lastChange) = (true, time) }
        if hasChangedNow || time - reference.time >= Self.referenceSeconds {
            self.reference = Reference(image, area, time)
            self.reference?.cover(passers)
        }
    }

    /// Where a point lies, in fractions of the picture.
    private static func place(of point: Int, in area: Detection.Box) -> SIMD2<Float> {
        let across = (Float(point % pointsAlong) + 0.5) / Float(pointsAlong)
        let down = (Float(point / pointsAlong) + 0.5) / Float(pointsAlong)
        return SIMD2(area.xMin + across * (area.xMax - area.xMin), area.yMin + down * (area.yMax - area.yMin))
    }

    /// The brightness of evenly spread points of an area. Points outside of the picture take the nearest inside.
    private static func points(of image: Image, in area: Detection.Box) -> [Float] {
        let (width, height, sample) = (image.widthPixels, image.heightPixels, image.brightness)
        return image.bytes.withUnsafeBufferPointer { bytes in
            (0..<pointsAlong * pointsAlong).map { point in
                let place = self.place(of: point, in: area) * SIMD2(Float(width), Float(height))
                let (x, y) = (min(max(place.x, 0), Float(width - 1)), min(max(place.y, 0), Float(height - 1)))
                let pixel = Int(y) * width + Int(x)
                return Float(bytes[sample.step * pixel + sample.first])
            }
        }
    }
}

extension Detection.Box {
    /// Whether the boxes have a point in common.
    fileprivate func meets(_ other: Detection.Box) -> Bool {
        xMin < other.xMax && other.xMin < xMax && yMin < other.yMax && other.yMin < yMax
    }

    /// The whole picture.
    fileprivate static let whole = Detection.Box(xMin: 0, yMin: 0, xMax: 1, yMax: 1)
}
