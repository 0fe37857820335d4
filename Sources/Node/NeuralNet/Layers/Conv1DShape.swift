/// The sizes of a convolution over time in the action classifier, and its conversion to a matrix product.
///
/// The input is zero-padded so that stride 1 keeps the number of frames. The two pose engines do not use it.
public struct Conv1DShape: Sendable, Equatable {
    /// Input channels.
    public let inputs: Int
    /// Output channels.
    public let outputs: Int
    /// Frames under the kernel.
    public let kernel: Int
    /// Frames from one kernel position to the next.
    public let stride: Int
    /// Distance between the frames under the kernel.
    public let dilation: Int

    /// Sizes of a convolution. With stride 1, an odd `kernel` keeps the number of frames.
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

    /// Output frames for a number of input frames.
    @inlinable
    public func outputFrames(_ frames: Int) -> Int {
        (frames + 2 * padding - (kernel - 1) * dilation - 1) / stride + 1
    }

    /// Copies for each output frame the input frames under its kernel into one row (im2col).
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

    /// The reverse of ``unfold(_:batch:frames:into:)`` for gradients: adds up all copies of every input frame.
    ///
    /// - Parameters:
    ///   - columns: `[batch · outputFrames, kernel · inputs]`
    ///   - input: `[batch, frames, inputs]`; must be zeroed before.
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
