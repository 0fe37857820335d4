import Foundation

/// What the ``Tracker`` knows of a person.
struct TrackedPerson {
    /// A hidden person walks on at most this long in the prediction, and slower and slower.
    private static let walkingSeconds: Float = 1.0
    /// Weight of the newest velocity.
    private static let newestVelocity: Float = 0.4
    /// Seconds between two readings of the clothes, and the weight of the newest one.
    private static let (coloursSeconds, newestColours): (Double, Float) = (0.3, 0.2)

    /// The track's number; `nil` while this may be a wrong pose of another person.
    var id: Int?
    /// When the number is given, in seconds on the source's clock.
    let doubtfulUntil: Double
    private(set) var body: Body
    /// The body's size, averaged. Of a person who is being hidden the last poses shrink to what is left to see.
    private(set) var usualSize: Float
    /// The time constant in seconds over which the size is averaged.
    private static let sizeSeconds: Float = 1
    /// In picture heights a second.
    private(set) var velocity = SIMD2<Float>(0, 0)
    /// The last time the person was measured, in seconds on the source's clock.
    private(set) var seen: Double
    private(set) var colours: ClothingColours?
    private var coloursRead = -Double.infinity
    private var strangeReadings = 0
    /// Clothes that differ by more than this are not the same …
    private static let strangeDifference: Float = 0.75
    /// … when they do so this many times on end.
    private static let maximumStrangeReadings = 4

    init(body: Body, time: Double, doubtfulUntil: Double) {
        self.body = body
        self.doubtfulUntil = doubtfulUntil
        usualSize = body.size
        seen = time
    }

    /// The body where it is expected now.
    func expected(at time: Double) -> Body {
        let elapsed = min(Float(max(0, time - seen)), 2 * Self.walkingSeconds)
        // The velocity falls to zero linearly within twice the time.
        return body.moved(by: velocity * (elapsed - elapsed * elapsed / (4 * Self.walkingSeconds)))
    }

    mutating func update(_ new: Body, at time: Double) {
        let elapsed = Float(time - seen)
        if elapsed > 0 {
            // After a long absence the way there says nothing about the velocity now.
            let latest = elapsed < 1 ? (new.centre - body.centre) / elapsed : .zero
            velocity += Self.newestVelocity * (latest - velocity)
            usualSize += (1 - exp(-elapsed / Self.sizeSeconds)) * (new.size - usualSize)
        }
        (body, seen) = (new, time)
    }

    /// Gives this person up. The tracker removes them with the next frame.
    mutating func forget() { seen = -.infinity }

    /// Whether the clothes should be read in a frame.
    func needsColours(at time: Double) -> Bool { time - coloursRead >= Self.coloursSeconds }

    /// Takes newly read colours. Returns whether this is another person: the region of a person who is being hidden slides
    /// to the person who hides them, and then the clothes differ for several readings.
    mutating func isSomebodyElse(_ newer: ClothingColours, at time: Double) -> Bool {
        coloursRead = time
        if let difference = colours?.distance(to: newer), difference > Self.strangeDifference {
            strangeReadings += 1
            return strangeReadings >= Self.maximumStrangeReadings
        }
        strangeReadings = 0
        if colours == nil { colours = newer } else { colours?.blend(newer, weight: Self.newestColours) }
        return false
    }
}
