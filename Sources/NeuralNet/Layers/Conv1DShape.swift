/// The sizes of a convolution over time, and how it becomes a matrix product.
///
/// The input is padded with zeros so that stride 1 keeps the number of frames.
public struct Conv1DShape: Sendable, Equatable {
    /// Channels in and out.
    public let inputs: Int
    public let outputs: Int
    /// Frames under the kernel, how far it moves, and how far apart its frames are.
    public let kernel: Int
    public let stride: Int
    public let dilation: Int

    public init(inputs: Int, outputs: Int, kernel: Int, stride: Int = 1, dilation: Int = 1) {
        self.inputs = inputs
        self.outputs = outputs
        self.kernel = kernel
        self.stride = stride
        self.dilation = dilation
    }

    /// Length of a row of the unfolded input.
    public var columns: Int { kernel * inputs }

    @usableFromInline var padding: Int { (kernel - 1) * dilation / 2 }

    @inlinable
    public func outputFrames(_ frames: Int) -> Int {
        (frames + 2 * padding - (kernel - 1) * dilation - 1) / stride + 1
    }

    /// Lays under each output frame the input frames its kernel sees (im2col).
    ///
    /// - Parameters:
    ///   - input: `[batch, frames, inputs]`
    ///   - columns: `[batch · outputFrames, kernel · inputs]`
    @inlinable
    public func unfold<S: Scalar>(
        _ input: UnsafePointer<S>, batch: Int, frames: Int, into columns: UnsafeMutablePointer<S>
    ) {
        let outputFrames = outputFrames(frames)
        var target = columns
        for sample in 0..<batch {
            let source = input + sample * frames * inputs
            for output in 0..<outputFrames {
                for tap in 0..<kernel {
                    let frame = output * stride + tap * dilation - padding
                    if frame >= 0 && frame < frames {
                        target.update(from: source + frame * inputs, count: inputs)
                    } else {
                        target.update(repeating: 0, count: inputs)
                    }
                    target += inputs
                }
            }
        }
    }

    /// The reverse of ``unfold(_:batch:frames:into:)`` for gradients: every input frame gathers the sum of its copies.
    ///
    /// - Parameters:
    ///   - columns: `[batch · outputFrames, kernel · inputs]`
    ///   - input: `[batch, frames, inputs]`, zeros before.
    @inlinable
    public func fold<S: Scalar>(
        _ columns: UnsafePointer<S>, batch: Int, frames: Int, into input: UnsafeMutablePointer<S>
    ) {
        let outputFrames = outputFrames(frames)
        var source = columns
        for sample in 0..<batch {
            let target = input + sample * frames * inputs
            for output in 0..<outputFrames {
                for tap in 0..<kernel {
                    let frame = output * stride + tap * dilation - padding
                    if frame >= 0 && frame < frames {
                        let row = target + frame * inputs
                        for channel in 0..<inputs { row[channel] += source[channel] }
                    }
                    source += inputs
                }
            }
        }
    }
}
