/// A rough outline of a body in the pixels of a cutout: thick lines along the limbs and around the trunk, and the head.
package struct BodyOutline {
    /// All points within `radius` of a line.
    private struct ThickLine {
        private let from, to: SIMD2<Float>
        /// The direction from one end to the other; zero for a single point.
        private let direction: SIMD2<Float>
        private let length, radius: Float

        init(from: SIMD2<Float>, to: SIMD2<Float>, radius: Float) {
            (self.from, self.to, self.radius) = (from, to, radius)
            let step = to - from
            length = (step * step).sum().squareRoot()
            direction = length > 0 ? step / length : .zero
        }

        /// Whether the box around the shape reaches into a cutout of some side.
        func mayReach(_ side: Float) -> Bool {
            let low = pointwiseMin(from, to) - radius, high = pointwiseMax(from, to) + radius
            return high.min() > 0 && low.max() < side
        }

        /// The part of a row within the shape, which is one piece because the shape is convex; `nil` if there is none.
        func span(row: Float) -> (low: Float, high: Float)? {
            guard min(from.y, to.y) - radius <= row, row <= max(from.y, to.y) + radius else { return nil }
            var (low, high) = (Float.infinity, -Float.infinity)
            for end in [from, to] where abs(row - end.y) <= radius {
                let half = (radius * radius - (row - end.y) * (row - end.y)).squareRoot()
                (low, high) = (min(low, end.x - half), max(high, end.x + half))
            }
            if direction != .zero {
                // Beside the line, and between its ends.
                let down = row - from.y
                let beside = Self.interval(-radius, radius, offset: -down * direction.x, slope: direction.y)
                let between = Self.interval(0, length, offset: down * direction.y, slope: direction.x)
                let (left, right) = (max(beside.low, between.low), min(beside.high, between.high))
                if left <= right { (low, high) = (min(low, from.x + left), max(high, from.x + right)) }
            }
            return low <= high ? (low, high) : nil
        }

        /// The values `x` for which `offset + slope * x` lies between two limits.
        private static func interval(
            _ least: Float, _ most: Float, offset: Float, slope: Float
        ) -> (low: Float, high: Float) {
            guard abs(slope) > 1e-6 else {
                return least <= offset && offset <= most ? (-.infinity, .infinity) : (.infinity, -.infinity)
            }
            let (a, b) = ((least - offset) / slope, (most - offset) / slope)
            return (min(a, b), max(a, b))
        }
    }

    /// Half the width of a leg, in trunk lengths.
    private static let halfWidth: Float = 0.22
    /// A trunk that is seen shortened counts as this share of the body's size at least.
    private static let minimumTrunk: Float = 0.25
    /// The lines with half their widths, in half widths of a leg.
    private static let parts: [(from: Joint, to: Joint, width: Float)] = [
        (.leftShoulder, .leftElbow, 0.8), (.leftElbow, .leftWrist, 0.8),
        (.rightShoulder, .rightElbow, 0.8), (.rightElbow, .rightWrist, 0.8),
        (.leftHip, .leftKnee, 1), (.leftKnee, .leftAnkle, 1),
        (.rightHip, .rightKnee, 1), (.rightKnee, .rightAnkle, 1),
        (.leftShoulder, .leftHip, 1.1), (.rightShoulder, .rightHip, 1.1),
        (.leftShoulder, .rightHip, 1.1), (.rightShoulder, .leftHip, 1.1),
        (.leftShoulder, .rightShoulder, 1.1), (.leftHip, .rightHip, 1.1),
        (.nose, .neck, 1), (.nose, .nose, 1.5),
    ]
    /// Joints further away than this, in pixels, are no joints.
    private static let farthest: Float = 1e5

    private var lines: [ThickLine] = []

    /// - Parameters:
    ///   - place: the position of a key point in the cutout, in pixels.
    ///   - confidence: what the joints' confidence must be at least.
    package init(_ pose: Pose, confidence: Float, place: (Keypoint) -> SIMD2<Float>) {
        var points = [SIMD2<Float>?](repeating: nil, count: Joint.allCases.count)
        for joint in Joint.allCases where pose[joint].confidence >= confidence {
            let point = place(pose[joint])
            // False without a number.
            if abs(point.x) < Self.farthest, abs(point.y) < Self.farthest { points[joint.rawValue] = point }
        }
        func length(_ a: Joint, _ b: Joint) -> Float {
            guard let a = points[a.rawValue], let b = points[b.rawValue] else { return 0 }
            return ((a - b) * (a - b)).sum().squareRoot()
        }
        let seen = points.compactMap { $0 }
        guard let first = seen.first else { return }
        let size = (seen.reduce(first, pointwiseMax) - seen.reduce(first, pointwiseMin)).max()
        let unit = max(length(.leftShoulder, .leftHip), length(.rightShoulder, .rightHip), Self.minimumTrunk * size)
        for part in Self.parts {
            guard let from = points[part.from.rawValue], let to = points[part.to.rawValue] else { continue }
            lines.append(ThickLine(from: from, to: to, radius: part.width * Self.halfWidth * unit))
        }
    }

    /// Whether the outline may reach into a cutout.
    func isSeen(size: Int) -> Bool { lines.contains { $0.mayReach(Float(size)) } }

    /// Calls `use` with the pixels of a row that lie within the outline, in pieces that may overlap.
    package func pixels(ofRow row: Int, size: Int, _ use: (Range<Int>) -> Void) {
        for line in lines {
            guard let span = line.span(row: Float(row) + 0.5) else { continue }
            let first = min(max(span.low - 0.5, 0), Float(size)).rounded(.up)
            let last = min(max(span.high - 0.5, -1), Float(size - 1)).rounded(.down)
            if first <= last { use(Int(first)..<Int(last) + 1) }
        }
    }
}
