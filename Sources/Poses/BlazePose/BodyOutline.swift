import Foundation

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
    private static let leastTrunk: Float = 0.25
    private static let arms: [(Joint, Joint)] = [
        (.leftShoulder, .leftElbow), (.leftElbow, .leftWrist), (.rightShoulder, .rightElbow),
        (.rightElbow, .rightWrist),
    ]
    private static let legs: [(Joint, Joint)] = [
        (.leftHip, .leftKnee), (.leftKnee, .leftAnkle), (.rightHip, .rightKnee), (.rightKnee, .rightAnkle),
    ]
    private static let trunk: [(Joint, Joint)] = [
        (.leftShoulder, .leftHip), (.rightShoulder, .rightHip), (.leftShoulder, .rightHip), (.rightShoulder, .leftHip),
        (.leftShoulder, .rightShoulder), (.leftHip, .rightHip),
    ]
    private static let head: [(Joint, Joint)] = [(.nose, .nose)]
    private static let neck: [(Joint, Joint)] = [(.nose, .neck)]

    private var lines: [ThickLine] = []

    /// - Parameters:
    ///   - place: the position of a key point in the cutout, in pixels.
    ///   - confidence: what the joints' confidence must be at least.
    package init(_ pose: Pose, confidence: Float, place: (Keypoint) -> SIMD2<Float>) {
        var points = [SIMD2<Float>?](repeating: nil, count: Joint.allCases.count)
        for joint in Joint.allCases where pose[joint].confidence >= confidence {
            points[joint.rawValue] = place(pose[joint])
        }
        func length(_ a: Joint, _ b: Joint) -> Float {
            guard let a = points[a.rawValue], let b = points[b.rawValue] else { return 0 }
            return ((a - b) * (a - b)).sum().squareRoot()
        }
        let seen = points.compactMap { $0 }
        guard let first = seen.first else { return }
        let size = (seen.reduce(first, pointwiseMax) - seen.reduce(first, pointwiseMin)).max()
        let unit = max(length(.leftShoulder, .leftHip), length(.rightShoulder, .rightHip), Self.leastTrunk * size)
        let parts: [(pairs: [(Joint, Joint)], width: Float)] = [
            (Self.arms, 0.8), (Self.legs, 1), (Self.trunk, 1.1), (Self.head, 1.5), (Self.neck, 1),
        ]
        for (pairs, width) in parts {
            for (a, b) in pairs {
                guard let from = points[a.rawValue], let to = points[b.rawValue] else { continue }
                lines.append(ThickLine(from: from, to: to, radius: width * Self.halfWidth * unit))
            }
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
