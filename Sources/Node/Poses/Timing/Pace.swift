import Foundation

/// How fast a person moves, and so how often they are looked at.
///
/// A person who moves is looked at in every frame that there is time for. A person who stands or rests is looked at a few
/// times a second, and again at once when something moves where they are.
package struct Pace {
    /// Joints that move slower than this, in body sizes a second, are at rest.
    private static let restingSpeed: Float = 0.12
    /// The time constant in seconds over which the speed is averaged.
    private static let smoothingSeconds = 0.5
    /// Seconds between two looks at a person who rests.
    private static let restingInterval = 0.2

    /// The mean speed of the joints, in body sizes a second.
    private(set) var speed: Float = 1
    /// When the person was last looked at, in seconds on the source's clock; `nil` before the first time.
    private(set) var lastLook: Double?

    /// Starts as a person who moves.
    package init() {}

    /// Takes the poses of two consecutive looks.
    package mutating func look(from old: Pose, to new: Pose, at time: Double, aspect: Float) {
        defer { lastLook = time }
        guard let lastLook, time > lastLook else { return }
        let distance = Body(old, aspect: aspect).distance(to: Body(new, aspect: aspect))
        guard distance.isFinite else { return }
        let weight = Float(1 - exp(-(time - lastLook) / Self.smoothingSeconds))
        speed += weight * (distance / Float(time - lastLook) - speed)
    }

    /// Whether the person should be looked at in this frame.
    ///
    /// - Parameter somethingMoves: whether anything moves where the person is.
    package func isDue(at time: Double, somethingMoves: Bool) -> Bool {
        guard let lastLook, time >= lastLook else { return true }
        return somethingMoves || speed > Self.restingSpeed || time - lastLook >= Self.restingInterval - 0.001
    }
}
