/// Mean and maximum over time, concatenated. The mean shows what lasts, the maximum what happens at least once.
public final class MeanMaxPool<S: Scalar>: Layer {
    @usableFromInline var inputShape: [Int] = []
    /// The frame of each maximum, `[batch, channels]`.
    @usableFromInline var winners: [Int] = []

    /// Needs no sizes: the input determines them.
    public init() {}

    /// Always empty.
    public var parameters: [Parameter<S>] { [] }

    /// `[batch, frames, channels]` → `[batch, 2 · channels]`
    @inlinable
    public func forward(_ x: Tensor<S>) -> Tensor<S> {
        let (batch, frames, channels) = (x.shape[0], x.shape[1], x.shape[2])
        inputShape = x.shape
        winners = [Int](repeating: 0, count: batch * channels)
        var y = Tensor<S>(zeros: [batch, 2 * channels])
        for sample in 0..<batch {
            for channel in 0..<channels {
                var sum: S = 0
                var largest = -S.infinity
                for frame in 0..<frames {
                    let value = x.values[(sample * frames + frame) * channels + channel]
                    sum += value
                    if value > largest {
                        largest = value
                        winners[sample * channels + channel] = frame
                    }
                }
                y.values[sample * 2 * channels + channel] = sum / S(frames)
                y.values[(sample * 2 + 1) * channels + channel] = largest
            }
        }
        return y
    }

    /// `[batch, 2 · channels]` → `[batch, frames, channels]`; see ``Layer/backward(_:)``.
    @inlinable
    public func backward(_ dy: Tensor<S>) -> Tensor<S> {
        let (batch, frames, channels) = (inputShape[0], inputShape[1], inputShape[2])
        var dx = Tensor<S>(zeros: inputShape)
        for sample in 0..<batch {
            for frame in 0..<frames {
                for channel in 0..<channels {
                    let ofMean = dy.values[sample * 2 * channels + channel] / S(frames)
                    let isWinner = winners[sample * channels + channel] == frame
                    let ofMaximum = isWinner ? dy.values[(sample * 2 + 1) * channels + channel] : 0
                    dx.values[(sample * frames + frame) * channels + channel] = ofMean + ofMaximum
                }
            }
        }
        return dx
    }
}
