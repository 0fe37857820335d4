import Capture

/// The colours of a person's clothes: how often each of a few colours occurs on the trunk and on the thighs.
///
/// It tells people apart who are in one picture within seconds. It holds 2 × 54 shares, no shape and no face, so it cannot
/// tell who a person is. It is kept in memory for a minute after the person was seen last, and is never stored or sent.
package struct ClothingColours: Sendable, Equatable {
    /// Levels of brightness, and of each of the two colour differences.
    private static let (lightLevels, colourLevels) = (6, 3)
    private static let bins = lightLevels * colourLevels * colourLevels
    /// The step from grey, 0…255, at which a colour difference counts wholly as coloured.
    private static let colouredFrom: Float = 28
    /// Points that are read along and across a trunk or a thigh.
    private static let (pointsAlong, pointsAcross) = (12, 6)
    /// The confidence that the joints around a part need.
    private static let minimumConfidence: Float = 0.5

    /// The shares of the trunk's and the thighs' colours, each summing to one; `nil` where the part was not seen.
    private var trunk, thighs: [Float]?

    /// Reads the colours where a pose shows the clothes; `nil` if it shows neither part.
    package init?(_ pose: Pose, in image: Image) {
        let picture = SIMD2(Float(image.widthPixels), Float(image.heightPixels))
        func point(_ joint: Joint) -> SIMD2<Float>? {
            let keypoint = pose[joint]
            guard keypoint.confidence >= Self.minimumConfidence else { return nil }
            return SIMD2(keypoint.x, keypoint.y) * picture
        }
        guard let leftHip = point(.leftHip), let rightHip = point(.rightHip) else { return nil }
        let across = rightHip - leftHip
        if let leftShoulder = point(.leftShoulder), let rightShoulder = point(.rightShoulder) {
            trunk = Self.shares(
                image, [Quad(leftShoulder, rightShoulder, rightHip, leftHip).widened(to: 0.5)])
        }
        if let leftKnee = point(.leftKnee), let rightKnee = point(.rightKnee) {
            let half = max((across * across).sum().squareRoot(), 4) / 4
            thighs = Self.shares(
                image, [Quad(from: leftHip, to: leftKnee, half: half), Quad(from: rightHip, to: rightKnee, half: half)])
        }
        if trunk == nil && thighs == nil { return nil }
    }

    /// How different two people's clothes are: 0 for equal shares, 1 for no common colour; `nil` if they have no part in
    /// common. It is the mean of the parts' total variation distances.
    package func distance(to other: ClothingColours) -> Float? {
        let distances = [(trunk, other.trunk), (thighs, other.thighs)].compactMap { mine, theirs -> Float? in
            guard let mine, let theirs else { return nil }
            return zip(mine, theirs).reduce(0) { $0 + abs($1.0 - $1.1) } / 2
        }
        return distances.isEmpty ? nil : distances.reduce(0, +) / Float(distances.count)
    }

    /// Moves towards newer colours by a weight, 0…1.
    mutating func blend(_ newer: ClothingColours, weight: Float) {
        func blend(_ old: [Float]?, _ new: [Float]?) -> [Float]? {
            guard let old, let new else { return old ?? new }
            return zip(old, new).map { $0 + weight * ($1 - $0) }
        }
        (trunk, thighs) = (blend(trunk, newer.trunk), blend(thighs, newer.thighs))
    }

    private static func shares(_ image: Image, _ quads: [Quad]) -> [Float]? {
        var counts = [Float](repeating: 0, count: bins)
        for quad in quads {
            for along in 0..<pointsAlong {
                for across in 0..<pointsAcross {
                    let point = quad.point(
                        (Float(across) + 0.5) / Float(pointsAcross), (Float(along) + 0.5) / Float(pointsAlong))
                    guard let colour = image.colour(at: point) else { continue }
                    count(colour, in: &counts)
                }
            }
        }
        let total = counts.reduce(0, +)
        guard total >= Float(pointsAlong * pointsAcross) / 2 else { return nil }
        return counts.map { $0 / total }
    }

    /// Divides a point among the two nearest levels of brightness and of each colour difference, so that a little more or
    /// less light changes little.
    private static func count(_ colour: SIMD3<Float>, in counts: inout [Float]) {
        let light = Level(colour.x / 256 * Float(lightLevels) - 0.5, count: lightLevels)
        let blue = Level(1 + colour.y / colouredFrom, count: colourLevels)
        let red = Level(1 + colour.z / colouredFrom, count: colourLevels)
        for corner in 0..<8 {
            let (l, b, r) = (corner & 1, corner >> 1 & 1, corner >> 2)
            let bin = ((light.low + l) * colourLevels + blue.low + b) * colourLevels + red.low + r
            counts[bin] += light.weight(l) * blue.weight(b) * red.weight(r)
        }
    }

    /// A value between two levels.
    private struct Level {
        let low: Int
        private let share: Float

        init(_ value: Float, count: Int) {
            let value = min(max(value, 0), Float(count - 1))
            low = min(Int(value), count - 2)
            share = value - Float(low)
        }

        func weight(_ step: Int) -> Float { step == 0 ? 1 - share : share }
    }
}

/// Four corners in pixels: upper left, upper right, lower right, lower left.
private struct Quad {
    private let corners: (SIMD2<Float>, SIMD2<Float>, SIMD2<Float>, SIMD2<Float>)

    init(_ a: SIMD2<Float>, _ b: SIMD2<Float>, _ c: SIMD2<Float>, _ d: SIMD2<Float>) { corners = (a, b, c, d) }

    /// The strip along a line.
    init(from start: SIMD2<Float>, to end: SIMD2<Float>, half: Float) {
        let step = end - start
        let length = max((step * step).sum().squareRoot(), 1)
        let side = SIMD2(-step.y, step.x) / length * half
        self.init(start - side, start + side, end + side, end - side)
    }

    /// Seen from the side, shoulders and hips are nearly in line. Then the quad is as wide as a share of its height.
    func widened(to share: Float) -> Quad {
        let (a, b, c, d) = corners
        let down = (c + d) / 2 - (a + b) / 2
        let height = (down * down).sum().squareRoot()
        let top = b - a, bottom = c - d
        let width = max((top * top).sum(), (bottom * bottom).sum()).squareRoot()
        guard width < share * height / 2 else { return self }
        return Quad(from: (a + b) / 2, to: (c + d) / 2, half: share * height / 4)
    }

    func point(_ across: Float, _ along: Float) -> SIMD2<Float> {
        let (a, b, c, d) = corners
        let left = a + along * (d - a), right = b + along * (c - b)
        return left + across * (right - left)
    }
}

extension Image {
    /// Brightness, 0…255, and two colour differences, about -128…127, of a pixel; `nil` outside of the picture.
    fileprivate func colour(at point: SIMD2<Float>) -> SIMD3<Float>? {
        guard point.x >= 0, point.y >= 0, point.x < Float(widthPixels), point.y < Float(heightPixels) else {
            return nil
        }
        let (x, y) = (Int(point.x), Int(point.y))
        let place = colourPlace(x: x, y: y)
        let middle = Float(bytes[(y * widthPixels + x) * brightness.step + brightness.first])
        let (blue, red) = (Float(bytes[place.u]), Float(bytes[place.v]))
        guard layout == .rgb else { return SIMD3(middle, blue - 128, red - 128) }
        let light = 0.299 * red + 0.587 * middle + 0.114 * blue
        return SIMD3(light, 0.564 * (blue - light), 0.713 * (red - light))
    }
}
