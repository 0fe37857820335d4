import Foundation

/// A pose with x and y in the same unit, the picture's height, so that lengths can be compared.
package struct Body {
    /// The 18 joints.
    let points: [SIMD2<Float>]
    /// Whether each joint was seen.
    let seen: [Bool]
    /// The mean of the trunk's joints; of all joints when no trunk joint was seen.
    package let centre: SIMD2<Float>
    /// The longer side of the body's bounding box.
    package let size: Float

    /// - Parameter aspect: the picture's width divided by its height.
    package init(_ pose: Pose, aspect: Float) {
        points = pose.keypoints.map { SIMD2($0.x * aspect, $0.y) }
        seen = pose.keypoints.map { $0.confidence > 0.1 }
        let visible = zip(points, seen).filter(\.1).map(\.0)
        let lowest = visible.reduce(SIMD2<Float>(.infinity, .infinity)) { pointwiseMin($0, $1) }
        let highest = visible.reduce(-SIMD2<Float>(.infinity, .infinity)) { pointwiseMax($0, $1) }
        size = visible.isEmpty ? 0 : max(highest.x - lowest.x, highest.y - lowest.y)
        let trunk = [Joint.leftShoulder, .rightShoulder, .leftHip, .rightHip].map(\.rawValue)
        let anchors =
            trunk.contains { pose.keypoints[$0].confidence > 0.1 }
            ? trunk.filter { pose.keypoints[$0].confidence > 0.1 }.map { pose.keypoints[$0] }.map {
                SIMD2($0.x * aspect, $0.y)
            } : visible
        centre = anchors.isEmpty ? .zero : anchors.reduce(.zero, +) / Float(anchors.count)
    }

    private init(points: [SIMD2<Float>], seen: [Bool], centre: SIMD2<Float>, size: Float) {
        self.points = points
        self.seen = seen
        self.centre = centre
        self.size = size
    }

    /// Whether two poses show one body: all joints nearly coincide, or the upper ones do. Of a person who is half hidden the
    /// estimator finds the head and shoulders surely, and invents the rest in several ways.
    func isSame(as other: Body) -> Bool {
        if distance(to: other) < Self.sameDistance { return true }
        let scale = min(size, other.size)
        let both = Self.upperJoints.filter { seen[$0] && other.seen[$0] }
        guard scale > 0, both.count >= 6 else { return false }
        let sum = both.reduce(Float(0)) { sum, joint in
            let step = points[joint] - other.points[joint]
            return sum + (step * step).sum().squareRoot()
        }
        return sum / Float(both.count) < Self.sameUpperDistance * scale
    }

    /// Poses whose mean joint distance is below this, in sizes of the larger body, show the same body …
    private static let sameDistance: Float = 0.08
    /// … and so do those whose heads and shoulders are this close, in sizes of the smaller one.
    private static let sameUpperDistance: Float = 0.1
    private static let upperJoints = [
        Joint.nose, .neck, .leftShoulder, .rightShoulder, .leftEye, .rightEye, .leftEar, .rightEar,
    ].map(\.rawValue)

    func moved(by step: SIMD2<Float>) -> Body {
        Body(points: points.map { $0 + step }, seen: seen, centre: centre + step, size: size)
    }

    /// Mean distance of the joints seen in both bodies, in units of the larger body's size; infinite without any.
    func distance(to other: Body) -> Float {
        let scale = max(size, other.size)
        guard scale > 0 else { return .infinity }
        var sum: Float = 0
        var count: Float = 0
        for joint in points.indices where seen[joint] && other.seen[joint] {
            let step = points[joint] - other.points[joint]
            sum += (step * step).sum().squareRoot()
            count += 1
        }
        return count > 0 ? sum / count / scale : .infinity
    }
}
