extension [Float] {
    /// The sum of the products with the numbers of another vector.
    private func product(_ other: [Float]) -> Float { zip(self, other).reduce(0) { $0 + $1.0 * $1.1 } }

    /// The cosine of the angle to another vector; 0 if one of them has no length.
    func cosine(to other: [Float]) -> Float {
        product(other) / (product(self) * other.product(other) + 1e-12).squareRoot()
    }
}

extension Sequence where Element: Comparable {
    /// The one in the middle when they are in order, of two the larger; `nil` without any.
    package var median: Element? {
        let ordered = sorted()
        return ordered.isEmpty ? nil : ordered[ordered.count / 2]
    }
}
