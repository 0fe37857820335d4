/// Replaces negative numbers with 0.
public final class ReLU<S: Scalar>: Layer {
    @usableFromInline var output: [S] = []

    /// Works on any shape.
    public init() {}

    /// Always empty.
    public var parameters: [Parameter<S>] { [] }

    /// Any shape, which stays.
    @inlinable
    public func forward(_ x: Tensor<S>) -> Tensor<S> {
        let y = Tensor(shape: x.shape) { y in
            x.values.withUnsafeBufferPointer { x in
                for index in x.indices { y[index] = x[index] > 0 ? x[index] : 0 }
            }
        }
        output = y.values
        return y
    }

    /// Passes the gradient where the last output was positive.
    @inlinable
    public func backward(_ dy: Tensor<S>) -> Tensor<S> {
        Tensor(shape: dy.shape) { dx in
            output.withUnsafeBufferPointer { output in
                dy.values.withUnsafeBufferPointer { dy in
                    for index in dy.indices { dx[index] = output[index] > 0 ? dy[index] : 0 }
                }
            }
        }
    }
}
