/// A person found by the detector.
public struct Detection: Sendable, Equatable {
    /// A box in fractions of the picture's width and height, from the top left.
    public struct Box: Sendable, Equatable {
        /// The edges of the box.
        public var xMin, yMin, xMax, yMax: Float

        /// Creates a box from its edges.
        public init(xMin: Float, yMin: Float, xMax: Float, yMax: Float) {
            self.xMin = xMin
            self.yMin = yMin
            self.xMax = xMax
            self.yMax = yMax
        }

        /// Area of the intersection divided by that of the union.
        func overlap(with other: Box) -> Float {
            let width = min(xMax, other.xMax) - max(xMin, other.xMin)
            let height = min(yMax, other.yMax) - max(yMin, other.yMin)
            guard width > 0, height > 0 else { return 0 }
            return width * height / (area + other.area - width * height)
        }

        private var area: Float { (xMax - xMin) * (yMax - yMin) }
    }

    /// Probability that this is a person, 0…1.
    public var score: Float
    /// The box around the head.
    public var box: Box
    /// Four points in fractions of the picture: the middle of the hips, the reach of the whole body above it, the
    /// middle of the shoulders, the reach of the upper body.
    public var keypoints: [SIMD2<Float>]

    /// Creates a detection from its parts.
    public init(score: Float, box: Box, keypoints: [SIMD2<Float>]) {
        self.score = score
        self.box = box
        self.keypoints = keypoints
    }

    /// The region for the landmark network.
    public func region(imageWidth: Int, imageHeight: Int) -> RegionOfInterest {
        let pixels = SIMD2(Float(imageWidth), Float(imageHeight))
        return RegionOfInterest(center: keypoints[0] * pixels, reach: keypoints[1] * pixels)
    }

    /// Merges detections of the same person. All detections that overlap the best one by more than `limit` are averaged
    /// into it, weighted by score. The merged detection has the best score.
    ///
    /// Source: MediaPipe's NonMaxSuppressionCalculator, algorithm WEIGHTED.
    static func joined(_ detections: [Detection], overlap limit: Float) -> [Detection] {
        var rest = detections.sorted { $0.score > $1.score }
        var people: [Detection] = []
        while let best = rest.first {
            let same = rest.filter { best.box.overlap(with: $0.box) > limit }
            // A box without area overlaps nothing, not even itself. It ends the search, as in MediaPipe.
            guard !same.isEmpty else { break }
            rest.removeAll { best.box.overlap(with: $0.box) > limit }
            people.append(average(same, score: best.score))
        }
        return people
    }

    private static func average(_ detections: [Detection], score: Float) -> Detection {
        let total = detections.reduce(0) { $0 + $1.score }
        func mean(_ value: (Detection) -> Float) -> Float {
            detections.reduce(0) { $0 + $1.score * value($1) } / total
        }
        return Detection(
            score: score,
            box: Box(
                xMin: mean(\.box.xMin), yMin: mean(\.box.yMin), xMax: mean(\.box.xMax), yMax: mean(\.box.yMax)),
            keypoints: detections[0].keypoints.indices.map { index in
                SIMD2(mean { $0.keypoints[index].x }, mean { $0.keypoints[index].y })
            })
    }
}
