import Foundation

/// A point in metres: x to the person's left, y up, z to where they look.
typealias Point = SIMD3<Float>

/// A rotation in space, given by the images of the three axes.
struct Rotation {
    let x: Point
    let y: Point
    let z: Point

    static let none = Rotation(x: Point(1, 0, 0), y: Point(0, 1, 0), z: Point(0, 0, 1))

    /// Around the axis to the left. Positive angles bend forward.
    static func pitch(_ angle: Float) -> Rotation {
        let (c, s) = (cos(angle), sin(angle))
        return Rotation(x: Point(1, 0, 0), y: Point(0, c, s), z: Point(0, -s, c))
    }

    /// Around the vertical axis. Positive angles turn to the person's left.
    static func yaw(_ angle: Float) -> Rotation {
        let (c, s) = (cos(angle), sin(angle))
        return Rotation(x: Point(c, 0, -s), y: Point(0, 1, 0), z: Point(s, 0, c))
    }

    /// Around the axis to the front. Positive angles lean to the person's right.
    static func roll(_ angle: Float) -> Rotation {
        let (c, s) = (cos(angle), sin(angle))
        return Rotation(x: Point(c, s, 0), y: Point(-s, c, 0), z: Point(0, 0, 1))
    }

    /// Yaw, then pitch, then roll, each around the axes that result from the one before.
    ///
    /// - Parameter angles: pitch, yaw and roll, radians.
    init(_ angles: Point) { self = .yaw(angles.y) * .pitch(angles.x) * .roll(angles.z) }

    /// The rotation back.
    var inverse: Rotation {
        Rotation(x: Point(x.x, y.x, z.x), y: Point(x.y, y.y, z.y), z: Point(x.z, y.z, z.z))
    }

    init(x: Point, y: Point, z: Point) {
        self.x = x
        self.y = y
        self.z = z
    }

    static func * (rotation: Rotation, point: Point) -> Point {
        rotation.x * point.x + rotation.y * point.y + rotation.z * point.z
    }

    static func * (a: Rotation, b: Rotation) -> Rotation { Rotation(x: a * b.x, y: a * b.y, z: a * b.z) }
}

extension SIMD where Scalar == Float {
    var squaredLength: Float { (self * self).sum() }
    var length: Float { squaredLength.squareRoot() }

    func dot(_ other: Self) -> Float { (self * other).sum() }
    func mixed(with other: Self, _ weight: Float) -> Self { self + (other - self) * weight }
}

extension Point {
    static let up = Point(0, 1, 0)

    func cross(_ other: Point) -> Point {
        Point(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }

    /// The same direction with length 1. A vector of length 0 gives `fallback`.
    func unit(or fallback: Point = .up) -> Point {
        let length = length
        return length > 1e-6 ? self / length : fallback
    }

    /// Mirrored between left and right.
    var mirrored: Point { Point(-x, y, z) }
}

extension BinaryFloatingPoint {
    /// This many degrees in radians.
    var degrees: Self { self * .pi / 180 }
}

/// The smoothest transition from 0 to 1 (minimum jerk), as in human movement. Constant outside 0…1.
func ease(_ x: Float) -> Float {
    let x = min(max(x, 0), 1)
    return x * x * x * (x * (6 * x - 15) + 10)
}

/// 0 before `start`, 1 after `end`, smooth in between.
func ease(_ x: Float, from start: Float, to end: Float) -> Float { ease((x - start) / max(end - start, 1e-6)) }

/// An arch from 0 to 1 in the middle and back to 0.
func arch(_ x: Float) -> Float { x > 0 && x < 1 ? sin(.pi * x) : 0 }
