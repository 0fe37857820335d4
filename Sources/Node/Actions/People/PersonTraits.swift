import Foundation
import Poses

/// By what somebody is known again who was followed for a while: where they were, how tall they are, and the colours of their
/// clothes.
///
/// It is kept in memory for a minute after they were seen last, and never stored or sent.
struct PersonTraits: Sendable {
    /// Seconds over which the size and the stature are averaged.
    private static let averagedSeconds = 4.0
    /// The clothes of somebody who has just appeared may be partly hidden for so long, seconds.
    private static let firstSeconds = 3.0
    /// Seconds between two readings of the clothes that are remembered, because the light changes slowly.
    private static let renewalSeconds = 10.0
    /// Clothes that differ by more than this are another person's. In fourteen rendered crowds one in 10,000 readings of one
    /// person's clothes did, and 28 in 100 of those after the track had gone over to another person: the others wore the same.
    private static let maximumDifference: Float = 0.5

    /// When the person was measured first, and last, in seconds on the source's clock.
    private(set) var first: Double, last: Double
    /// Where they were then, in picture heights.
    private(set) var firstPlace: SIMD2<Float>, lastPlace: SIMD2<Float>
    /// The body's size, averaged, in picture heights.
    private(set) var size: Float
    /// The natural logarithm of the person's height beside that of others at the same place, averaged; `nil` before they were
    /// seen upright.
    private(set) var stature: Float?
    /// The colours of the clothes; `nil` before they were read.
    private(set) var clothes: ClothingColours?
    private var readAt = -Double.infinity
    /// The colours that were read last.
    private var newest: ClothingColours?
    /// Since when the clothes have been another person's; `nil` while they are not.
    private(set) var strangeSince: Double?

    init(_ body: Body, at time: Double) {
        (first, last) = (time, time)
        (firstPlace, lastPlace) = (body.centre, body.centre)
        size = body.size
    }

    /// Takes over what is seen of the person in a frame.
    ///
    /// - Parameter stature: see ``stature``; `nil` while they are not upright.
    mutating func add(_ body: Body, stature newest: Float?, clothes newer: ClothingColours?, at time: Double) {
        let weight = Float(min(1, max(0, time - last) / Self.averagedSeconds))
        size += weight * (body.size - size)
        if let newest { stature = stature.map { $0 + weight * (newest - $0) } ?? newest }
        if let newer { wear(newer, at: time) }
        (last, lastPlace) = (time, body.centre)
    }

    private mutating func wear(_ newer: ClothingColours, at time: Double) {
        newest = newer
        let difference = time - first > Self.firstSeconds ? clothes?.distance(to: newer) : nil
        if let difference, difference > Self.maximumDifference {
            strangeSince = strangeSince ?? time
            return
        }
        strangeSince = nil
        guard difference == nil || time - readAt >= Self.renewalSeconds else { return }
        (clothes, readAt) = (newer, time)
    }

    /// Whether the clothes that are seen now may be another person's.
    func isDressed(as other: PersonTraits) -> Bool {
        guard let newest, let difference = other.clothes?.distance(to: newest) else { return false }
        return difference < Self.maximumDifference
    }

    /// Takes the clothes as they are now for the person's, because the light has changed.
    mutating func forgetClothes() { (clothes, strangeSince) = (nil, nil) }

    /// The same person as they were when their clothes began to be another person's.
    func before(_ time: Double) -> PersonTraits {
        var traits = self
        (traits.last, traits.strangeSince) = (time, nil)
        return traits
    }

    /// Goes on as the same person, who was followed under another number before.
    mutating func join(_ earlier: PersonTraits) {
        (first, firstPlace) = (earlier.first, earlier.firstPlace)
        clothes = clothes ?? earlier.clothes
        stature = stature ?? earlier.stature
    }
}

/// How tall people look at each height of the picture: a line through the sizes of all upright people.
struct StatureScale: Sendable {
    /// What an earlier sighting weighs, for each new one.
    private static let memory: Float = 0.9995
    /// Sightings before statures are known.
    private static let minimumSightings: Float = 50
    /// The least variance of the feet's heights at which the line has a slope.
    private static let minimumVariance: Float = 0.0004
    private var (n, x, y, xx, xy): (Float, Float, Float, Float, Float) = (0, 0, 0, 0, 0)

    /// The natural logarithm of a person's height beside the usual one at the same place; `nil` for a person who is not upright,
    /// and while too little is known.
    mutating func stature(of pose: Pose, aspect: Float) -> Float? {
        guard let (feet, height) = pose.upright(aspect: aspect) else { return nil }
        let size = log(height)
        n = n * Self.memory + 1
        x = x * Self.memory + feet
        y = y * Self.memory + size
        xx = xx * Self.memory + feet * feet
        xy = xy * Self.memory + feet * size
        guard n > Self.minimumSightings else { return nil }
        let spread = n * xx - x * x
        let slope = spread > Self.minimumVariance * n * n ? max(0, (n * xy - x * y) / spread) : 0
        return size - (y - slope * x) / n - slope * feet
    }
}

extension Pose {
    /// The feet's distance from the upper border and the height from the ankles to the head, in picture heights; `nil` for a
    /// person who does not stand upright: with the head over the feet, the neck over the hips, and trunk, thighs and shins
    /// hardly foreshortened.
    fileprivate func upright(aspect: Float) -> (feet: Float, height: Float)? {
        func place(_ joints: Joint...) -> SIMD2<Float>? {
            let seen = joints.map { self[$0] }.filter { $0.confidence >= 0.6 }
            guard !seen.isEmpty else { return nil }
            return seen.reduce(.zero) { $0 + SIMD2($1.x * aspect, $1.y) } / Float(seen.count)
        }
        guard let head = place(.nose, .leftEar, .rightEar), let neck = place(.neck),
            let hips = place(.leftHip, .rightHip), let knees = place(.leftKnee, .rightKnee),
            let feet = place(.leftAnkle, .rightAnkle)
        else { return nil }
        let height = feet.y - head.y
        guard height > 0.05, abs(head.x - feet.x) < 0.15 * height, abs(neck.x - hips.x) < 0.1 * height,
            knees.y - hips.y > 0.2 * height, feet.y - knees.y > 0.18 * height, hips.y - neck.y > 0.22 * height
        else { return nil }
        return (feet.y, height)
    }
}
