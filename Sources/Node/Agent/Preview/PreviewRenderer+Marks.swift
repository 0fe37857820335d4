import Poses

extension PreviewRenderer {
    /// A person who was labelled by hand, at one moment.
    public struct Mark: Sendable, Equatable {
        /// The person's number.
        public var number: Int
        /// The middle of the box, or of the hips, in shares of the picture.
        public var centre: SIMD2<Double>
        /// Width and height of the box in shares of the picture; `nil` for a point.
        public var size: SIMD2<Double>?

        /// Creates a mark from its parts.
        public init(number: Int, centre: SIMD2<Double>, size: SIMD2<Double>?) {
            (self.number, self.centre, self.size) = (number, centre, size)
        }

        /// The top left corner, in shares of the picture.
        var corner: SIMD2<Double> { centre - (size ?? .zero) / 2 }
    }

    /// Everybody who was labelled by hand. A mark is shown from half an interval before its moment until half one after.
    public struct Marks: Sendable {
        private var moments: [(time: Double, marks: [Mark])] = []
        private var interval = 0.5

        /// Nobody.
        public init() {}

        /// The marks of each labelled moment.
        ///
        /// - Parameter intervalSeconds: seconds between two moments.
        public init(moments: [(time: Double, marks: [Mark])], intervalSeconds: Double) {
            (self.moments, interval) = (moments, intervalSeconds)
        }

        /// Each mark with the seconds between which it is shown.
        var spans: [(start: Double, end: Double, mark: Mark)] {
            moments.flatMap { moment in
                moment.marks.map { (max(0, moment.time - interval / 2), moment.time + interval / 2, $0) }
            }
        }

        /// Draws the boxes, or crosses where there are only points.
        func draw(at time: Double, on canvas: inout Canvas, widthPixels: Int, heightPixels: Int) {
            let picture = SIMD2(Float(widthPixels), Float(heightPixels))
            let radius = max(1, Float(heightPixels) / 400)
            for mark in moments.last(where: { abs($0.time - time) <= interval / 2 })?.marks ?? [] {
                let colour = Colour.person(max(mark.number - 1, 0))
                let centre = SIMD2<Float>(mark.centre) * picture
                guard let size = mark.size else {
                    let arm = Float(heightPixels) / 40
                    canvas.line(from: centre - SIMD2(arm, 0), to: centre + SIMD2(arm, 0), radius: radius, colour)
                    canvas.line(from: centre - SIMD2(0, arm), to: centre + SIMD2(0, arm), radius: radius, colour)
                    continue
                }
                let half = SIMD2<Float>(size) * picture / 2
                let corners = [SIMD2<Float>(-1, -1), [1, -1], [1, 1], [-1, 1], [-1, -1]].map { centre + half * $0 }
                for (a, b) in zip(corners, corners.dropFirst()) { canvas.line(from: a, to: b, radius: radius, colour) }
            }
        }
    }
}
