/// The outline of a zone or mask: whether it encloses something, and what.
///
/// It is computed in whole millionths of the picture, so that no rounding decides whether two sides meet.
struct AreaShape {
    private typealias Point = SIMD2<Int64>
    /// The smallest area, as a share of the picture: a square whose sides are a hundredth of the picture's.
    static let smallestShare = 0.0001
    private static let scale = 1e6

    /// Without corners that lie on the one before.
    private let corners: [Point]

    /// - Parameter corners: each x and y from 0 to 1.
    init(_ corners: [[Double]]) {
        let points = corners.filter { $0.count == 2 }.map { corner in
            Point(Int64((corner[0] * Self.scale).rounded()), Int64((corner[1] * Self.scale).rounded()))
        }
        self.corners = points.enumerated().filter { $1 != points[($0 + 1) % points.count] }.map(\.element)
    }

    /// What is wrong with it, as the end of a sentence; `nil` for an area.
    var problem: String? {
        let crossing = "expects corners in the order in which they lie around the area: these sides cross or touch"
        if sidesMeet { return crossing }
        if share < Self.smallestShare { return "expects corners that enclose an area: move them apart" }
        return foldsBack ? crossing : nil
    }

    /// The enclosed share of the picture, with the shoelace formula.
    private var share: Double {
        let twice = sides.reduce(0) { $0 + Self.cross($1.from, $1.to) }
        return Double(abs(twice)) / 2 / (Self.scale * Self.scale)
    }

    private var sides: [(from: Point, to: Point)] {
        corners.indices.map { (corners[$0], corners[($0 + 1) % corners.count]) }
    }

    /// Whether two sides meet that are no neighbours.
    private var sidesMeet: Bool {
        let sides = sides
        return sides.indices.contains { one in
            sides.indices.dropFirst(one + 2).contains { other in
                !(one == 0 && other == sides.count - 1) && Self.meet(sides[one], sides[other])
            }
        }
    }

    /// Whether a side lies on the one before it.
    private var foldsBack: Bool {
        let sides = sides
        return sides.indices.contains { place in
            let next = sides[(place + 1) % sides.count]
            let (one, other) = (sides[place].to &- sides[place].from, next.to &- next.from)
            return Self.cross(one, other) == 0 && (one &* other).wrappedSum() < 0
        }
    }

    private static func meet(_ one: (from: Point, to: Point), _ other: (from: Point, to: Point)) -> Bool {
        let (a, b) = (turn(one, other.from), turn(one, other.to))
        let (c, d) = (turn(other, one.from), turn(other, one.to))
        if a != b, c != d, a * b <= 0, c * d <= 0 { return true }
        return (a == 0 && lies(other.from, on: one)) || (b == 0 && lies(other.to, on: one))
            || (c == 0 && lies(one.from, on: other)) || (d == 0 && lies(one.to, on: other))
    }

    /// On which side of a line a point is: -1, 0 or 1.
    private static func turn(_ line: (from: Point, to: Point), _ point: Point) -> Int64 {
        cross(line.to &- line.from, point &- line.from).signum()
    }

    /// Whether a point of the same line is between its ends.
    private static func lies(_ point: Point, on side: (from: Point, to: Point)) -> Bool {
        all(point .>= pointwiseMin(side.from, side.to)) && all(point .<= pointwiseMax(side.from, side.to))
    }

    private static func cross(_ one: Point, _ other: Point) -> Int64 { one.x * other.y - one.y * other.x }
}
