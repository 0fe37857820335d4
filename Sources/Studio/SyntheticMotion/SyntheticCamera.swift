import Foundation
import NeuralNet
import Poses

/// A pinhole camera that watches a synthetic person.
struct SyntheticCamera {
    /// How the person is placed in the picture.
    enum Framing {
        /// The whole person, most of the time.
        case whole
        /// Moving through the picture; the person may enter and leave.
        case travelling
        /// Part of the person is outside the picture.
        case cut(share: Float)
    }

    /// Width divided by height of the picture.
    let aspect: Float
    /// Focal length in picture heights.
    private(set) var focalLength: Float = 1
    private var position = Point()
    private var right = Point(1, 0, 0)
    private var up = Point.up
    private var forward = Point(0, 0, -1)

    private struct Box {
        var low = SIMD2<Float>(.infinity, .infinity)
        var high = -SIMD2<Float>(.infinity, .infinity)
        /// Smallest distance along the viewing direction, metres.
        var nearest = Float.infinity
        var middle: SIMD2<Float> { (low + high) / 2 }
        var size: SIMD2<Float> { high - low }
    }

    /// Chooses a position, a lens and a direction for a film.
    ///
    /// - Parameters:
    ///   - yaw: viewing direction in radians: 0 is from the front, a quarter turn from the person's left; `nil`:
    ///     random.
    ///   - wanted: distance of the camera in metres, increased if the person does not fit the picture; `nil`: random.
    init(
        watching film: [Skeleton], _ framing: Framing, isOnFloor: Bool, yaw: Float?, distance wanted: Float?,
        random: inout RandomSource
    ) {
        aspect = Self.aspect(&random)
        let scene = Self.scene(of: film, framing, &random)
        let angle = yaw ?? Self.yaw(isOnFloor: isOnFloor, &random)
        // People who film an exercise on the floor often kneel down.
        let isLow = isOnFloor && random.chance(0.5)
        let usual: ClosedRange<Float> = isLow ? 0.15...0.8 : 0.5...1.8
        let height = random.uniform(in: random.chance(0.75) ? usual : 0.3...2.6)
        let drawn = 2 * pow(4, random.uniform())
        var distance = wanted ?? drawn
        let roll = random.chance(0.5) ? 0 : 0.035 * random.normal()
        let fill = random.uniform(in: 0.4...0.95)
        let (low, high) = Self.bounds(scene)
        let centre = (low + high) / 2
        var box = Box()
        for _ in 0..<5 {
            position = Point(centre.x + distance * sin(angle), height, centre.z + distance * cos(angle))
            look(along: centre - position, roll: roll)
            box = self.box(scene)
            if box.nearest < 0.9 {
                distance += 1 - box.nearest
                continue
            }
            let focus = fill * min(aspect / box.size.x, 1 / box.size.y)
            focalLength = min(max(focus, Self.focalLength(80, aspect)), Self.focalLength(30, aspect))
            let overflow = focalLength * max(box.size.x / aspect, box.size.y) / 0.97
            if overflow <= 1 { break }
            distance *= overflow * 1.02
        }
        place(box, framing, roll: roll, random: &random)
    }

    /// Position of a point in the picture, in picture heights from the top left, and its distance along the viewing
    /// direction in metres.
    func project(_ point: Point) -> (point: SIMD2<Float>, depth: Float) {
        let way = point - position
        let depth = way.dot(forward)
        let safe = max(depth, 0.3)
        let x = 0.5 * aspect + focalLength * way.dot(right) / safe
        let y = 0.5 - focalLength * way.dot(up) / safe
        return (SIMD2(x, y), depth)
    }

    private mutating func look(along way: Point, roll: Float) {
        forward = way.unit(or: Point(0, 0, -1))
        let level = forward.cross(.up).unit(or: Point(1, 0, 0))
        let upright = level.cross(forward)
        right = level * cos(roll) + upright * sin(roll)
        up = upright * cos(roll) - level * sin(roll)
    }

    /// Turns the camera so that the person is not exactly in the middle of the picture.
    private mutating func place(_ box: Box, _ framing: Framing, roll: Float, random: inout RandomSource) {
        let picture = SIMD2(aspect, 1)
        let size = box.size * focalLength
        var offset = SIMD2<Float>()
        for axis in 0..<2 {
            let room = max(0, picture[axis] - size[axis]) / 2
            offset[axis] = room * min(max(0.5 * random.normal(), -1), 1)
        }
        if case .cut(let share) = framing {
            // The bottom is cut most often, with the feet outside the picture.
            let side = random.index(below: 8)
            let axis = side < 5 ? 1 : 0
            let direction: Float = side < 4 || side == 6 ? -1 : 1
            offset[axis] = direction * (0.5 * picture[axis] + (share - 0.5) * size[axis])
        }
        let target = offset / focalLength - box.middle
        look(along: forward - right * target.x - up * target.y, roll: roll)
    }

    /// The bounding box of a scene, as tangents of the viewing angles.
    private func box(_ scene: [Skeleton]) -> Box {
        var box = Box()
        for skeleton in scene {
            for joint in skeleton.joints {
                let way = joint - position
                let depth = way.dot(forward)
                let tangents = SIMD2(way.dot(right), way.dot(up)) / max(depth, 0.3)
                box.nearest = min(box.nearest, depth)
                box.low = pointwiseMin(box.low, tangents)
                box.high = pointwiseMax(box.high, tangents)
            }
        }
        return box
    }

    /// Every fifth skeleton of the frames that must be in the picture.
    private static func scene(of film: [Skeleton], _ framing: Framing, _ random: inout RandomSource) -> [Skeleton] {
        guard case .travelling = framing else {
            return stride(from: 0, to: film.count, by: 5).map { film[$0] }
        }
        let length = max(1, Int(Float(film.count) * random.uniform(in: 0.55...1)))
        let start = random.index(below: film.count - length + 1)
        return stride(from: start, to: start + length, by: 5).map { film[$0] }
    }

    private static func bounds(_ scene: [Skeleton]) -> (Point, Point) {
        let all = scene.flatMap(\.joints)
        let first = all.first ?? Point()
        return all.reduce((first, first)) { (pointwiseMin($0.0, $1), pointwiseMax($0.1, $1)) }
    }

    /// Any direction, with a preference for usual ones: from the front for standing, from the side for lying people.
    private static func yaw(isOnFloor: Bool, _ random: inout RandomSource) -> Float {
        guard random.chance(isOnFloor ? 0.55 : 0.35) else { return random.uniform(in: -.pi ... .pi) }
        let spread = 0.45 * random.normal()
        if isOnFloor { return (random.chance(0.5) ? 0.5 : -0.5) * .pi + spread }
        return random.chance(0.6) ? spread : (random.chance(0.5) ? 0.25 : -0.25) * .pi + spread
    }

    private static func aspect(_ random: inout RandomSource) -> Float {
        let aspects: [Float] = [16 / 9, 16 / 9, 16 / 9, 4 / 3, 4 / 3, 3 / 4, 3 / 4, 9 / 16, 9 / 16, 1]
        return aspects[random.index(below: aspects.count)]
    }

    /// - Parameter degrees: the field of view along the longer side of the picture.
    private static func focalLength(_ degrees: Float, _ aspect: Float) -> Float {
        0.5 * max(aspect, 1) / tan(degrees.degrees / 2)
    }
}
