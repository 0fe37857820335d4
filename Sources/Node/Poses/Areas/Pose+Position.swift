extension Pose {
    /// Where the person stands, as fractions of the picture: the middle of the ankles. Where no ankle is seen, it is the
    /// middle of the joints' lower edge. `nil` when no joint is seen.
    package var feet: SIMD2<Float>? {
        let ankles = [self[.leftAnkle], self[.rightAnkle]].filter { $0.confidence >= Self.seenConfidence }
        if !ankles.isEmpty { return ankles.reduce(.zero) { $0 + SIMD2($1.x, $1.y) } / Float(ankles.count) }
        let seen = keypoints.filter { $0.confidence >= Self.seenConfidence }
        guard let lowest = seen.map(\.y).max(), let left = seen.map(\.x).min(), let right = seen.map(\.x).max() else {
            return nil
        }
        return SIMD2((left + right) / 2, lowest)
    }

    /// How tall the person is in the picture, as a share of its height: from the highest to the lowest joint that is seen.
    /// `nil` when no joint is seen.
    package var heightShare: Float? {
        let seen = keypoints.filter { $0.confidence >= Self.seenConfidence }.map(\.y)
        guard let top = seen.min(), let bottom = seen.max() else { return nil }
        return bottom - top
    }

    /// The middle of the trunk, as fractions of the picture; of all joints when none of the trunk is seen.
    var middle: SIMD2<Float> { Body(self, aspect: 1).centre }

    /// The mean confidence of the joints, 0…1.
    package var meanConfidence: Float { keypoints.reduce(0) { $0 + $1.confidence } / Float(keypoints.count) }

    /// The confidence from which a joint counts as seen.
    private static let seenConfidence: Float = 0.5
}
