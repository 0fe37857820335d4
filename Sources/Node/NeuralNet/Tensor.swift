/// A multidimensional array of numbers.
public struct Tensor<S: Scalar>: Sendable, Equatable {
    /// Length of each axis.
    public let shape: [Int]
    /// The numbers, row-major: the last axis is contiguous.
    public var values: [S]

    /// - Precondition: `values` has exactly as many numbers as `shape` requires.
    @inlinable
    public init(shape: [Int], values: [S]) {
        precondition(values.count == shape.reduce(1, *), "shape \(shape) does not hold \(values.count) numbers")
        self.shape = shape
        self.values = values
    }

    /// A tensor of zeros.
    @inlinable
    public init(zeros shape: [Int]) {
        self.init(shape: shape, values: [S](repeating: 0, count: shape.reduce(1, *)))
    }

    /// A tensor whose numbers are written by `fill`, which must set every one of them.
    @inlinable
    public init(shape: [Int], fill: (UnsafeMutablePointer<S>) -> Void) {
        let count = shape.reduce(1, *)
        self.shape = shape
        values = [S](unsafeUninitializedCapacity: count) { buffer, initialized in
            if let base = buffer.baseAddress { fill(base) }
            initialized = count
        }
    }
}
